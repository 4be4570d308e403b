import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import {
  changeOf,
  columnOf,
  dayOf,
  longMonthOf,
  monthOf,
  ordinal,
  share,
  tokensOf,
} from "../../schedule-format/format.ts";
import type { Brand, Site } from "../../schedule-format/site.ts";
import { WALLET_KINDS } from "../../schedule-format/wallet-kinds.ts";
import { rows, stepAt } from "../../src/supply/circulating.ts";
import { SCHEDULE_FILE } from "../../src/supply/representations.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { nextUnlock } from "../../src/supply/unlock-events.ts";
import { walletsOf } from "../../src/supply/wallets.ts";
import { type Has, hasOf, type Parts } from "../parts.ts";
import { nativePath, REPOSITORY_FOLDER, readPublishedSchedule } from "../schedule/files.ts";
import { brandStyles, readBrand } from "./brand.ts";
import { conditional, type IsServed } from "./conditional.ts";
import { escapeHtml } from "./escape.ts";
import type { OpenApi } from "./openapi.ts";
import { previewPng } from "./preview.ts";
import { isServedIn, servedDocument } from "./served-document.ts";

const MODULE = "virtual:site";
const PUBLISHED = nativePath({ folder: REPOSITORY_FOLDER, nowMs: 0 });

/** All that a page or a document of a deployment is built from. */
export interface Sources {
  readonly site: Site;
  readonly brand: Brand;
  readonly schedule: Schedule;
  readonly has: Has;
  readonly publicDocument: OpenApi;
  readonly isServed: IsServed;
}

/** Reads the brand, the schedule and the documents of what a deployment has; throws when one of them is invalid. */
export function readSite(parts: Parts, schedulePath = PUBLISHED): Sources {
  const schedule = readPublishedSchedule(schedulePath, parts.family);
  const has = hasOf(parts, schedule);
  const publicDocument = servedDocument(has);
  const brand = readBrand(schedule.token);
  const { colors, yields = {}, nodes = [], ...named } = brand;
  const paths = Object.keys(publicDocument.paths);
  const site = { brand: named, yields, nodes, token: schedule.token, series: colors.series, paths };
  return { site, brand, schedule, has, publicDocument, isServed: isServedIn(has) };
}

/**
 * Gives pages `virtual:site` and `virtual:schedule`, the brand's colours at the end of the style sheets that pages link,
 * and `{{names}}` in HTML.
 */
export function sitePlugin({ site, brand, schedule, has, isServed }: Sources): Plugin {
  const fields = htmlFields(site, schedule, has);
  const modules: Readonly<Record<string, string>> = {
    [MODULE]: Object.entries(site)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join("\n"),
    "virtual:schedule": `export const text = ${JSON.stringify(scheduleText({ ...schedule, sources: [] }))};`,
  };
  return {
    name: "site",
    enforce: "pre",
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load: (id) => modules[id.slice(1)],
    transform: (code, id) => (/\/(style|docs|embed)\.css$/.test(id) ? `${code}\n${brandStyles(brand)}` : undefined),
    transformIndexHtml: {
      order: "pre",
      handler: (html) =>
        conditional(html, isServed).replace(/\{\{(\w+)\}\}/g, (_, name: string) => fields[name] ?? missing(name)),
    },
  };
}

/** What is served beside the first page: the picture of link previews, and the published schedule as it is. */
export function filesPlugin({ brand, schedule }: Sources): Plugin {
  return {
    name: "files",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "preview.png", source: previewPng(schedule, brand, Date.now()) });
      this.emitFile({ type: "asset", fileName: SCHEDULE_FILE.slice(1), source: readFileSync(PUBLISHED) });
    },
  };
}

/** The schedule as JSON with its amounts as strings, without the wallets, which the page reads from the API. */
export function scheduleText(schedule: Schedule): string {
  return JSON.stringify(schedule, (key, value: unknown) =>
    key === "addresses" || key === "wallets" ? [] : typeof value === "bigint" ? String(value) : value,
  );
}

function missing(name: string): never {
  throw new Error(`{{${name}}} is not a field of the page's HTML`);
}

/** Values for `{{field}}` in HTML, escaped. */
function htmlFields({ brand, token }: Site, schedule: Schedule, has: Has): Readonly<Record<string, string>> {
  return {
    name: escapeHtml(brand.name),
    title: escapeHtml(brand.title),
    description: escapeHtml(brand.description),
    logo: escapeHtml(brand.logo),
    symbol: escapeHtml(token.symbol),
    footer: brand.footer === "" ? "" : `<p>${escapeHtml(brand.footer)}</p>`,
    links: brand.links.map(({ label, url }) => externalLink(label, url)).join(""),
    addressTags: addressTags(brand.url ?? ""),
    months: monthsTable(schedule),
    noScript: noScript(schedule, brand, has, Date.now()),
    publishedWallets: publishedWallets(schedule),
    sources: sourcesText(schedule),
    scheduleHash: schedule.sha256 ?? "",
    schedule: scheduleElement(scheduleText(schedule)),
    sampleNote: schedule.sample
      ? '<p class="sample"><strong>Sample data.</strong> The schedule on this page is an example, not a network’s own.</p>'
      : "",
  };
}

/** Whose figures the manual describes, in HTML. */
export function ownerText({ brand, token }: Site, schedule: Schedule): string {
  return `The figures of ${escapeHtml(token.name)} (${escapeHtml(token.symbol)}), published by ${escapeHtml(brand.name)}. ${sourcesText(schedule)}`;
}

function sourcesText({ sources, methodology, revision, publishedAt }: Schedule): string {
  const all = methodology === null ? sources : [...sources, { title: "Methodology", url: methodology }];
  const links = all.map(({ title, url }) => externalLink(title, url)).join(", ");
  return `Unlock schedule, revision ${revision} of ${dayOf(publishedAt)}. Sources: ${links}`;
}

function externalLink(label: string, url: string): string {
  return `<a href="${escapeHtml(url)}" rel="noopener noreferrer">${escapeHtml(label)}</a>`;
}

/** In a script only `<` could end the element, and `%MODE%` is a field of the bundler's. */
export function scheduleElement(text: string): string {
  const json = text.replaceAll("<", "\\u003c").replaceAll("%", "\\u0025");
  return `<script type="application/json" id="schedule-data">${json}</script>`;
}

/** The picture of link previews, and the page's own address where the brand names it: else the script adds it. */
function addressTags(url: string): string {
  const base = escapeHtml(url);
  const own = `<link vite-ignore rel="canonical" href="${base}/"><meta property="og:url" content="${base}/">`;
  return `${url === "" ? "" : own}
    <meta vite-ignore property="og:image" content="${base}/preview.png">
    <meta property="og:image:width" content="1200">
    <meta property="og:image:height" content="630">
    <meta name="twitter:card" content="summary_large_image">`;
}

/**
 * The figure at the end of each month, by year, which is true on any day: for print, and for readers without scripts.
 */
export function monthsTable(schedule: Schedule): string {
  const { token, maxSupply, calendar } = schedule;
  let [before, year] = [0n, ""];
  const bodies: string[] = [];
  const steps = rows(schedule);
  for (const { index, effectiveFromMs, circulating } of steps) {
    const next = steps[index + 1];
    // A start before the first step day of its month: the month's end is after both.
    if (next !== undefined && monthOf(next.effectiveFromMs) === monthOf(effectiveFromMs)) continue;
    const [name = "", ofYear = ""] = longMonthOf(effectiveFromMs).split(" ");
    if (ofYear !== year) bodies.push(`<tbody><tr><th colspan="4" scope="rowgroup">${ofYear}`);
    year = ofYear;
    const cells = [
      tokensOf(circulating, token.decimals),
      changeOf(circulating - before, token.decimals),
      share(circulating, maxSupply),
    ];
    before = circulating;
    bodies.push(
      `<tr data-step="${index}"><th scope="row">${name}${cells.map((text) => `<td>${escapeHtml(text)}`).join("")}`,
    );
  }
  const head = ["End of", "Circulating", "Change", "Of the maximum"].map((name) => `<th scope="col">${name}</th>`);
  const caption = `Whole ${escapeHtml(token.symbol)}, rounded down. Each month changes on its ${ordinal(calendar.stepDay)}.`;
  return `<div class="scroll" tabindex="0" role="region" aria-label="Every month"><table><caption>${caption}</caption><thead><tr>${head.join("")}</tr></thead>${bodies.join("")}</tbody></table></div>`;
}

/** What readers without scripts see first: the figure and the next unlock of the day of the build, and the commands. */
export function noScript(
  schedule: Schedule,
  { url, name }: Pick<Brand, "url" | "name">,
  { yields }: Pick<Has, "yields">,
  builtAtMs: number,
): string {
  const { token, maxSupply } = schedule;
  const amount = (units: bigint): string =>
    `${escapeHtml(columnOf(units, token.decimals))} ${escapeHtml(token.symbol)}`;
  const step = stepAt(schedule, builtAtMs);
  const next = nextUnlock(schedule, step?.effectiveFromMs ?? Number.NEGATIVE_INFINITY);
  const now =
    step === undefined
      ? "Nothing circulates yet"
      : `<strong>${amount(step.circulating)}</strong> circulate, ${escapeHtml(share(step.circulating, maxSupply))} of the maximum`;
  const then =
    next === undefined
      ? "Nothing is left to unlock."
      : `Next unlock: <strong>${amount(next.amount)}</strong> on ${dayOf(next.atMs)}.`;
  const host = escapeHtml(url ?? "https://HOST");
  return `<noscript><section class="bare">
        <h1>Circulating supply</h1>
        <p>On ${dayOf(builtAtMs)}, when this page was published: ${now}. ${then}</p>
        <p>Now: <img src="/badge/circulating-supply.svg" alt="the circulating supply, as an image" height="20"></p>
        <pre>curl -sSf "${host}/api/circulating-supply"\ncurl -sSf "${host}/api/unlock-events"</pre>
        <p>${url === undefined ? "HOST is the address of this page. " : ""}All figures: <a href="/api/supply">/api/supply</a>${yields ? ', <a href="/api/rates">/api/rates</a>' : ""} and the table of ${escapeHtml(name)} below.</p>
      </section></noscript>`;
}

/** The wallets of the schedule as they are published; empty when it lists none. */
export function publishedWallets(schedule: Schedule): string {
  const listed = walletsOf(schedule).map(
    ({ label, address, holds }) =>
      `<tr><th scope="row"><bdi>${escapeHtml(label)}</bdi><td>${WALLET_KINDS[holds]}<td><span class="address"><code>${escapeHtml(address)}</code></span>`,
  );
  if (listed.length === 0) return "";
  // Complete as it is: no answer of the API is awaited.
  return `<section id="wallets" class="settled">
        <h2>The project’s wallets</h2>
        <p class="note">As the schedule publishes them. This site reads no chain: what they hold is not shown.</p>
        <table class="rows"><caption class="visually-hidden">Wallets of the schedule</caption><thead><tr><th scope="col">Wallet</th><th scope="col">Holds tokens in</th><th scope="col">Address</th></tr></thead><tbody>${listed.join("")}</tbody></table>
      </section>`;
}
