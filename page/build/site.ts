import type { Plugin } from "vite";
import type { RegisteredAddress } from "../../src/addresses/registered-address.ts";
import { instantText } from "../../src/base/utc.ts";
import { tokenText } from "../../src/chain/amount.ts";
import type { Holding } from "../../src/chain/holding.ts";
import { familyOf } from "../../src/families/family.ts";
import { SCHEDULE_FILE } from "../../src/supply/representations.ts";
import { hasUnlocks, type Schedule, type UnlockSchedule } from "../../src/supply/schedule.ts";
import { walletsOf } from "../../src/supply/wallets.ts";
import { escapeHtml } from "../../tools/lib/escape.ts";
import { type Conditions, conditionsOf, type Parts } from "../../tools/lib/parts.ts";
import { columnOf, dayOf, timeOf } from "../view/format.ts";
import { yearView } from "../view/months.ts";
import { scheduledView } from "../view/scheduled.ts";
import type { Brand, Site } from "../view/site.ts";
import { timelineOf } from "../view/timeline.ts";
import { hasBars } from "../view/upcoming.ts";
import { addressOf, explorerPage, linkedAddress } from "../view/wallet-address.ts";
import { WALLET_KINDS } from "../view/wallet-kinds.ts";
import { withBareQueries } from "./bare-addresses.ts";
import { brandStyles, readBrand } from "./brand.ts";
import { type IsServed, inFamilyTerms, selectServedBlocks } from "./conditional.ts";
import { iconFiles } from "./icons.ts";
import { htmlOf, withContents } from "./markup.ts";
import type { OpenApi } from "./openapi.ts";
import { previewPng } from "./preview.ts";
import { isServedIn, servedDocument } from "./served-document.ts";
import { type ServiceLinks, serviceLinks } from "./service-links.ts";

const MODULE = "virtual:site";

/** Asset with its name as people write it. */
interface NamedAsset {
  readonly kind: string;
  readonly name: string;
  /** Page in the explorer; undefined when none is known. */
  readonly href: string | undefined;
}

/** Sources of a deployment's pages and documents. */
export interface PageSources {
  readonly site: Site;
  readonly brand: Brand;
  readonly schedule: Schedule;
  /** Token on the first chain; null when no chain is read. */
  readonly asset: NamedAsset | null;
  readonly has: Conditions;
  readonly addresses: readonly RegisteredAddress[];
  readonly publicDocument: OpenApi;
  readonly isServed: IsServed;
  readonly builtAtMs: number;
}

/** Reads the brand and the documents for a deployment of a schedule; throws when one of them is invalid. */
export function readSite(
  parts: Parts,
  schedule: Schedule,
  addresses: readonly RegisteredAddress[] = [],
  assetName?: string,
  builtAtMs = Date.now(),
): PageSources {
  const has = conditionsOf(parts, schedule);
  const publicDocument = servedDocument(has, addresses);
  const brand = readBrand(schedule.token, parts.chains[0].family);
  const { colors, yields = {}, nodes = [], ...named } = brand;
  const [first, ...further] = parts.chains;
  const { explorerEnd, assetWords } = familyOf(first.family);
  const { kind, text } = first.asset;
  const href = brand.explorer && explorerEnd !== null ? explorerPage(brand.explorer, "token", text) : undefined;
  const asset = parts.chain && text !== "" ? { kind: assetWords[kind] ?? kind, name: assetName ?? text, href } : null;
  const site = {
    brand: named,
    yields,
    nodes,
    token: schedule.token,
    chains: [siteChain(first), ...further.map(siteChain)] as const,
    hasBlockPages: explorerEnd !== null,
    series: colors.series,
    hasUnlocks: has.unlocks,
    maximum: schedule.maxSupply === null ? null : tokenText(schedule.maxSupply, schedule.token.decimals),
    hasChain: "/api/supply-breakdown" in publicDocument.paths,
    hasYields: "/api/rates" in publicDocument.paths,
  };
  return { site, brand, schedule, asset, has, addresses, publicDocument, isServed: isServedIn(has), builtAtMs };
}

function siteChain({ id, family, chainId }: Parts["chains"][0]) {
  return { id, family, chainId, versionWord: familyOf(family).versionWord };
}

/**
 * Provides `virtual:site` and `virtual:schedule` to pages. Appends the brand's colours to the style sheets that pages
 * link, and fills `{{names}}` in HTML.
 */
export function sitePlugin({ site, brand, schedule, asset, isServed, builtAtMs }: PageSources): Plugin {
  const fields: Readonly<Record<string, string>> = {
    ...htmlFields(site, schedule, builtAtMs),
    asset: assetLine(asset, site),
    themeColors: themeColors(brand),
  };
  const { name, explorer, url } = brand;
  const modules: Readonly<Record<string, string>> = {
    [MODULE]: Object.entries({ ...site, brand: { name, explorer, url } })
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join("\n"),
    ...(hasUnlocks(schedule) && {
      "virtual:schedule": `export const text = ${JSON.stringify(scheduleText(schedule))};`,
    }),
  };
  return {
    name: "site",
    enforce: "pre",
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load: (id) => modules[id.slice(1)],
    transform: (code, id) => (/\/(style|docs|embed)\.css$/.test(id) ? `${code}\n${brandStyles(brand)}` : undefined),
    transformIndexHtml: {
      order: "pre",
      handler: (html, { path }) => {
        // Indentation would add a hundred bytes to the compressed page.
        const lines = html.replaceAll(/^[ \t]+/gm, "");
        const filled = selectServedBlocks(inFamilyTerms(lines, site.chains[0].family), isServed).replace(
          /\{\{(\w+)\}\}/g,
          (_, name: string) => fields[name] ?? unknownField(name),
        );
        const page =
          path === "/index.html" && hasUnlocks(schedule) ? withSchedule(filled, schedule, builtAtMs) : filled;
        return withBareQueries(page, schedule);
      },
    },
  };
}

/** Emits files beside the first page: icons, the picture of link previews, and the schedule file unchanged. */
export function filesPlugin({ brand, schedule, builtAtMs }: PageSources, file: Uint8Array): Plugin {
  return {
    name: "files",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "preview.png", source: previewPng(schedule, brand, builtAtMs) });
      for (const [fileName, source] of Object.entries(iconFiles(brand)))
        this.emitFile({ type: "asset", fileName, source });
      this.emitFile({ type: "asset", fileName: SCHEDULE_FILE.slice(1), source: file });
    },
  };
}

/** Fills the first page's HTML with everything that follows from a schedule at an instant. */
export function withSchedule(html: string, schedule: UnlockSchedule, nowMs: number): string {
  const view = scheduledView(schedule, timelineOf(schedule), nowMs);
  const filled = withContents(html, view).replace(/<div id="next-chart"(?: hidden)?/, (open) =>
    hasBars(schedule, nowMs) ? '<div id="next-chart"' : `${open.replace(" hidden", "")} hidden`,
  );
  // A schedule that is a table of figures has no allocations, so their section is hidden.
  return schedule.plan.kind === "table" ? filled.replace(/<(section id|a href)="#?allocations"/g, "$& hidden") : filled;
}

/** Members that only the build uses: the page has their texts in its HTML. */
const TEXTS: ReadonlySet<string> = new Set([
  ...["publishedAt", "sources", "methodology", "publisher", "sample", "sha256"],
  ...["category", "precision", "source"],
]);

/**
 * Writes the schedule for the page's scripts and the chart as JSON, with amounts as strings. Of an allocation's wallets
 * it keeps only their number; the page reads the wallets from the API.
 */
export function scheduleText(schedule: Schedule): string {
  return JSON.stringify(schedule, (key, value: unknown) => {
    if (TEXTS.has(key)) return undefined;
    if (key === "wallets") return [];
    if (key === "addresses") return (value as readonly Holding[]).map(() => 0);
    return typeof value === "bigint" ? String(value) : value;
  });
}

function unknownField(name: string): never {
  throw new Error(`{{${name}}} is not a field of the page's HTML`);
}

/** Describes what the deployment publishes. The brand's words are of an unlock schedule, which wallets alone have not. */
export function descriptionOf({ brand, token, hasUnlocks: isPlanned }: Site): string {
  if (isPlanned) return brand.description;
  return `How much ${token.symbol} circulates, read on chain: the total less the project’s wallets.`;
}

/** Values for `{{field}}` in HTML, escaped. */
function htmlFields(site: Site, schedule: Schedule, builtAtMs: number): Readonly<Record<string, string>> {
  const { brand, token } = site;
  const description = descriptionOf(site);
  const builtTime = `<time id="built" datetime="${instantText(builtAtMs)}">${timeOf(builtAtMs)}</time>`;
  return {
    name: escapeHtml(brand.name),
    title: escapeHtml(brand.title),
    description: escapeHtml(description),
    logo: escapeHtml(brand.logo),
    symbol: escapeHtml(token.symbol),
    footer: brand.footer === "" ? "" : `<p>${escapeHtml(brand.footer)}</p>`,
    links: externalLinks(brand.links),
    serviceLinks: serviceParagraph(brand),
    addressTags: addressTags(brand.url ?? ""),
    builtTime,
    months: hasUnlocks(schedule) ? monthsTable(schedule, builtAtMs) : "",
    asOf: `Figures of ${builtTime}, when this page was published. Now: <a href="/api/circulating-supply">/api/circulating-supply</a>`,
    publishedWallets: publishedWallets(schedule, brand.explorer),
    maximum: schedule.maxSupply === null ? "" : columnOf(schedule.maxSupply, token.decimals),
    sources: sourcesText(schedule),
    provenance: provenanceOf(schedule, brand.name),
    scheduleHash: schedule.sha256 ?? "",
    schedule: scheduleElement(scheduleText(schedule)),
    sampleNote: schedule.sample ? '<strong class="sample">Sample data</strong>' : "",
  };
}

/** States in HTML whose figures the manual describes. */
export function ownerText({ brand, token }: Site, schedule: Schedule): string {
  return `The figures of ${escapeHtml(token.name)} (${escapeHtml(token.symbol)}), published by ${escapeHtml(brand.name)}. ${sourcesText(schedule)}`;
}

function sourcesText(schedule: Schedule): string {
  const { sources, methodology, revision, publishedAt } = schedule;
  const all = methodology === null ? sources : [...sources, { title: "Methodology", url: methodology }];
  const links = all.map(({ title, url }) => externalLink(title, url)).join(", ");
  return `${hasUnlocks(schedule) ? "Unlock schedule" : "Wallet list"}, revision ${revision} of ${dayOf(publishedAt)}. Sources: ${links}`;
}

/** States the schedule's publisher, day, sources, and file with its hash. */
function provenanceOf(schedule: Schedule, name: string): string {
  const { publisher = name, sha256 } = schedule;
  const hash = sha256 === undefined ? "" : `, SHA-256 <code class="hash">${sha256}</code>`;
  const sample = schedule.sample ? "Sample data: an example, not a network’s own. " : "";
  return `${sample}<bdi>${escapeHtml(publisher)}</bdi>. ${sourcesText(schedule)}. <a href="/schedule/native.json">Schedule file</a>${hash}`;
}

function externalLinks(links: Brand["links"]): string {
  return links.map(({ label, url }) => externalLink(label, url)).join(" ");
}

/** Links to terms, contact and status page, as every page has them in its footer; empty without any. */
function serviceParagraph(brand: ServiceLinks): string {
  const links = externalLinks(serviceLinks(brand));
  return links === "" ? "" : `<p>${links}</p>`;
}

function externalLink(label: string, url: string): string {
  return `<a href="${escapeHtml(url)}" rel="noopener noreferrer">${escapeHtml(label)}</a>`;
}

/**
 * Escapes the two characters that have a meaning in a script element: `<` could end it, and `%MODE%` is a field of the
 * bundler.
 */
export function scheduleElement(text: string): string {
  const json = text.replaceAll("<", "\\u003c").replaceAll("%", "\\u0025");
  return `<script type="application/json" id="schedule-data">${json}</script>`;
}

/** Writes the colours of the browser's bars around a page, which are those of its ground. */
function themeColors({ colors }: Brand): string {
  return (["light", "dark"] as const)
    .map(
      (theme) =>
        `<meta name="theme-color" content="${colors[theme].background}" media="(prefers-color-scheme: ${theme})">`,
    )
    .join("");
}

/**
 * Writes the tags that need the page's own absolute URL: the canonical address and the picture of link previews (Open
 * Graph). Without a URL in the brand both are left out.
 */
function addressTags(url: string): string {
  if (url === "") return "";
  const base = escapeHtml(url);
  return `<link vite-ignore rel="canonical" href="${base}/"><meta property="og:url" content="${base}/">
    <meta vite-ignore property="og:image" content="${base}/preview.png">
    <meta property="og:image:width" content="1200">
    <meta property="og:image:height" content="630">
    <meta name="twitter:card" content="summary_large_image">`;
}

/** States the token's decimals and, where a chain is read, which token on which chain the figures count. */
function assetLine(asset: PageSources["asset"], { token, chains: [{ family, chainId }] }: Site): string {
  const chain = `${familyOf(family).chain}${chainId === null ? "" : ` (chain id ${chainId})`}`;
  const place =
    asset === null
      ? ""
      : ` <span class="asset">On ${chain}. ${upperFirst(asset.kind)}: ${htmlOf(linkedAddress(asset.name, asset.href))}</span>`;
  return `<p class="note">${escapeHtml(token.symbol)} has ${token.decimals} ${token.decimals === 1 ? "decimal" : "decimals"}.${place}</p>`;
}

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The months of a year from `nowMs` on as a table. */
export function monthsTable(schedule: UnlockSchedule, nowMs: number): string {
  return htmlOf(yearView(schedule, nowMs));
}

/** Lists the schedule's wallets as published; empty when it lists none. */
export function publishedWallets(schedule: Schedule, explorer?: string): string {
  const listed = walletsOf(schedule).map(
    (wallet) =>
      `<tr><th scope="row"><bdi>${escapeHtml(wallet.label)}</bdi><td>${WALLET_KINDS[wallet.holds]}<td>${htmlOf(addressOf(wallet, explorer))}`,
  );
  if (listed.length === 0) return "";
  return `<section id="wallets">
        <h2>The project’s wallets</h2>
        <p class="note">As the schedule publishes them. This site reads no chain: what they hold is not shown.</p>
        <table class="rows"><caption class="visually-hidden">Wallets of the schedule</caption><thead><tr><th scope="col">Wallet</th><th scope="col">Holds tokens in</th><th scope="col">Address</th></tr></thead><tbody>${listed.join("")}</tbody></table>
      </section>`;
}
