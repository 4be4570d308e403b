import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_POLICIES, PAGE_POLICY } from "../../src/config.ts";
import { MANUAL_PATH } from "../../src/http/manual-path.ts";
import { allocationsView } from "../../src/supply/allocations.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import { hasUnlocks, type UnlockSchedule } from "../../src/supply/schedule.ts";
import { escapeMarkdown } from "../../tools/lib/escape.ts";
import { dayOf } from "../view/format.ts";
import { unlockedSum } from "../view/sums.ts";
import { addressesMarkdown, addressLines } from "./addresses.ts";
import { withBareQueries } from "./bare-addresses.ts";
import { type IsServed, inFamilyTerms, selectServedBlocks, withoutAbsentRows } from "./conditional.ts";
import { apiErrorsTable, nodeErrorsTable } from "./error-tables.ts";
import type { OpenApi } from "./openapi.ts";
import { type RecordedAnswers, referenceMarkdown } from "./reference.ts";
import { type FormatSchema, scheduleFormatMarkdown } from "./schedule-format.ts";
import { serviceLinks } from "./service-links.ts";
import { descriptionOf, type PageSources } from "./site.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Page of the manual. */
export interface DocsPage {
  /** Path below `/docs/`; empty for the first page. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
  /** Words by which readers search the page, and which its text may not have. */
  readonly words?: string;
  /** API document whose operations the page lists. */
  readonly document?: OpenApi;
}

/** Written pages: path, file, title, description, and words of readers. */
const WRITTEN = [
  [
    "",
    "index",
    "Getting started",
    "The figures in one request each, and what to read next.",
    "quick start, tutorial, first call, example, registration, key, browser, CORS, webhook, notification, subscribe",
  ],
  [
    "figures",
    "figures",
    "Figures, units and rounding",
    "What each figure means, in what unit, and how it is rounded.",
    "calculated, calculation, formula, definition, midnight, month end, month change, step day, float, decimals",
  ],
  [
    "errors",
    "errors",
    "Errors",
    "Every status and error code, its cause, and what to do.",
    "error code, failure, status code, retry, 404, 429, 503",
  ],
  [
    "limits",
    "limits",
    "Limits",
    "How many requests a caller may make, and the headers that report it.",
    "rate limit, quota, throttling, too many requests, 429",
  ],
  [
    "caching",
    "caching",
    "Caching",
    "How long answers may be kept, and the order of reads.",
    "cache, CDN, fresh, stale, polling, midnight, 304",
  ],
  [
    "versions",
    "versions",
    "Versions",
    "What may change within a version and how a version ends.",
    "deprecation, sunset, breaking change, compatibility",
  ],
  [
    "schedule",
    "schedule",
    "The schedule file",
    "The format that every figure is computed from.",
    "vesting, cliff, unlock, tokenomics, JSON, format, checksum",
  ],
  [
    "trackers",
    "trackers",
    "Tracker forms",
    "Which figure belongs into which field, and why.",
    "exchange, listing, CMC, Excel, Google Sheets, contract",
  ],
  [
    "promises",
    "promises",
    "What you can rely on",
    "Each promise of a figure, and how to recompute all of them.",
    "checksum, hash, verify, verification, audit, proof, trust, SLA, uptime",
  ],
  [
    "sdks",
    "sdks",
    "SDK set-up",
    "SDKs, generated clients, refusals.",
    "library, client, wallet, TypeScript, JavaScript, Rust, Go",
  ],
  [
    "yields",
    "yields",
    "Yields",
    "One product or one rate at one address, and when it is out of date.",
    "APY, APR, staking, interest, reward, earn",
  ],
  [
    "embed",
    "embed",
    "Embedding",
    "Components, frames and badges for other pages.",
    "widget, iframe, React, HTML, website, homepage",
  ],
] as const;

/** Path that must be served for a page to exist. */
const PAGE_NEEDS: Readonly<Record<string, string>> = {
  sdks: "/v1",
  yields: "/api/rates",
  "reference/chain-node": "/v1",
};

/**
 * Makes the pages of a deployment's manual, in the order of its menu. A page about something that is not served is left
 * out.
 */
export function docsPages({
  site,
  schedule,
  has,
  isServed,
  addresses,
  publicDocument: supply,
  builtAtMs,
}: PageSources): DocsPage[] {
  const answers = json<RecordedAnswers>("page/docs/answers.json");
  const node = json<OpenApi>("openapi/node.json");
  const isThere: IsServed = (path) => {
    if (!path.startsWith(`${MANUAL_PATH}/`)) return isServed(path);
    const need = PAGE_NEEDS[path.slice(MANUAL_PATH.length + 1)];
    return need === undefined ? true : isServed(need);
  };
  const fields = new Map([
    ["token", escapeMarkdown(site.token.name)],
    ["symbol", escapeMarkdown(site.token.symbol)],
    ["decimals", String(site.token.decimals)],
    ["limit", String(DEFAULT_POLICIES.default.quota)],
    ["limitLeft", String(DEFAULT_POLICIES.default.quota - 1)],
    ["nodeLimit", String(DEFAULT_POLICIES.node.quota)],
    ["pageLimit", PAGE_POLICY.quota.toLocaleString("en")],
    ["builtDay", dayOf(builtAtMs)],
    ...(hasUnlocks(schedule) ? builtFigures(schedule, builtAtMs) : []),
    ["publisher", escapeMarkdown(schedule.publisher ?? site.brand.name)],
    ["{apiErrors}", apiErrorsTable()],
    ["{nodeErrors}", nodeErrorsTable()],
    ["{registeredAddresses}", addressesMarkdown(addresses)],
    ["{scheduleFormat}", scheduleFormatMarkdown(json<FormatSchema>("schedule/schema.json"))],
  ]);
  const written = WRITTEN.map(([slug, file, title, description, words]) => ({
    slug,
    title,
    description,
    words,
    markdown: withBareQueries(
      withoutAbsentRows(selectServedBlocks(inFamilyTerms(text(`page/docs/${file}.md`), has.family), isServed), isThere),
      schedule,
    ).replace(/\{(\w+|\{\w+\})\}/g, (field, name: string) => fields.get(name) ?? field),
  }));
  const pages: readonly DocsPage[] = [
    ...written,
    {
      slug: "reference/supply-and-yield",
      title: "Supply and yield reference",
      description: "Every path under /api: parameters, answers, schemas.",
      markdown: referenceMarkdown(supply, answers),
      document: supply,
    },
    {
      slug: "reference/chain-node",
      title: "Chain node reference",
      description: "Every path under /v1: parameters, answers, schemas.",
      markdown: referenceMarkdown(node, answers),
      document: node,
    },
    {
      slug: "changelog",
      title: "Changelog",
      description: "What a caller can notice, newest first.",
      markdown: outsideRepository(
        text("CHANGELOG.md"),
        written.filter((page) => isThere(pagePath(page))),
      ),
    },
  ];
  return pages.filter((page) => isThere(pagePath(page)));
}

const SUM_RULE =
  "is calculated as a sum over all allocations. Each adds what it unlocked at the start and in every step since then.";
const TABLE_RULE = "is not calculated: the publisher states it for each month.";

/** Figures of the schedule at the build, as fields of the manual. */
function builtFigures(schedule: UnlockSchedule, builtAtMs: number): readonly (readonly [string, string])[] {
  const view = allocationsView(schedule, stepAt(schedule, builtAtMs));
  const [whole = ""] = view.unlocked.tokens.split(".");
  return [
    ["circulating", view.effective_from === null ? "none, before the start" : whole],
    ["circulatingRule", schedule.plan.kind === "table" ? TABLE_RULE : SUM_RULE],
    ["circulatingSum", unlockedSum(view)],
  ];
}

/** Turns links to a written page into links to the manual, and those to other documents into their paths. */
function outsideRepository(markdown: string, pages: readonly Pick<DocsPage, "slug">[]): string {
  const slugs = new Map(WRITTEN.map(([slug, file]) => [`page/docs/${file}.md`, slug]));
  return markdown.replaceAll(/\[([^\]]+)\]\(((?![a-z]+:|[/#])[^)#]+)([^)]*)\)/g, (_link, text, path, anchor) => {
    const page = pages.find(({ slug }) => slug === slugs.get(path));
    return page === undefined ? `${text}, \`${path}\`` : `[${text}](${pagePath(page)}${anchor})`;
  });
}

/** Path of a manual page, as used in links and the sitemap. */
export function pagePath({ slug }: Pick<DocsPage, "slug">): string {
  return `${MANUAL_PATH}/${slug}`;
}

/** Path of the Markdown of a manual page. */
export function markdownPath({ slug }: Pick<DocsPage, "slug">): string {
  return `${pagePath({ slug: slug || "index" })}.md`;
}

/** Makes the index files for programs, by name. */
export function indexFiles(
  { site, has, addresses }: PageSources,
  pages: readonly DocsPage[],
): Readonly<Record<string, string>> {
  return {
    "llms.txt": llmsText(site, pages, has.node ? [...DOCUMENTS, NODE_DOCUMENT] : DOCUMENTS, addressLines(addresses)),
    "sitemap.xml": sitemap(pages),
    "robots.txt": robots(has.node),
  };
}

const DOCUMENTS = [
  "[The present figures, in one JSON document](https://HOST/api/page)",
  "[OpenAPI, supply and yield](https://HOST/api/openapi.json)",
  "[API catalog](https://HOST/.well-known/api-catalog)",
];
const NODE_DOCUMENT = "[OpenAPI, chain node](https://HOST/v1/spec.json)";

/** Writes `llms.txt`: a description of the service, and links to every page of the manual as Markdown. */
function llmsText(
  site: PageSources["site"],
  pages: readonly DocsPage[],
  documents: readonly string[],
  addresses: readonly string[],
): string {
  const lines = pages.map((page) => `- [${page.title}](https://HOST${markdownPath(page)}): ${page.description}`);
  return [
    `# ${escapeMarkdown(site.brand.name)}`,
    `> ${escapeMarkdown(descriptionOf(site))}`,
    "Figures are whole tokens as bare numbers, or exact decimal strings in JSON. A failure is an error status with a JSON body, never a number.",
    "## Manual",
    lines.join("\n"),
    "## Machine-readable documents",
    documents.map((link) => `- ${link}`).join("\n"),
    ...serviceLinks(site.brand).map(({ label, url }) => `${label}: ${url}`),
    ...(addresses.length === 0 ? [] : ["## Registered addresses", addresses.map((line) => `- ${line}`).join("\n")]),
    "",
  ].join("\n\n");
}

function sitemap(pages: readonly DocsPage[]): string {
  const urls = ["/", ...pages.map(pagePath)].map((path) => `<url><loc>https://HOST${path}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>\n`;
}

function robots(hasNode: boolean): string {
  return `User-agent: *\nAllow: /\n${hasNode ? "Disallow: /v1/\n" : ""}\nSitemap: https://HOST/sitemap.xml\n`;
}

function text(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Reads a file of this repository, which tests or earlier steps of the build have validated. */
function json<T>(path: string): T {
  return JSON.parse(text(path)) as T;
}
