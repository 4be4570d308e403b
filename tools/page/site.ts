import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { changeOf, dayOf, share, tokensOf } from "../../page/src/format.ts";
import { rows } from "../../src/supply/circulating.ts";
import type { Schedule, Token } from "../../src/supply/schedule.ts";
import { isBurned, walletsOf } from "../../src/supply/wallets.ts";
import { nativePath, REPOSITORY_FOLDER, readSchedule } from "../schedule/files.ts";
import { type Brand, brandStyles, readBrand } from "./brand.ts";
import { previewPng } from "./preview.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const MODULE = "virtual:site";

/** What the page and the manual know of the deployment besides the schedule. */
export interface Site {
  readonly brand: Omit<Brand, "colors">;
  readonly token: Token;
  /** Of the chart's bands. */
  readonly series: readonly string[];
  /** Paths of the public API document that this schedule has figures for. */
  readonly paths: readonly string[];
}

/** Reads the brand, the schedule and the documented paths; throws when the brand file or the schedule is invalid. */
export function readSite(): { readonly site: Site; readonly brand: Brand; readonly schedule: Schedule } {
  const schedule = readSchedule(nativePath({ folder: REPOSITORY_FOLDER, nowMs: 0 }));
  const document = json<{ readonly paths: Readonly<Record<string, unknown>> }>("openapi/public.json");
  const brand = readBrand(schedule.token);
  const { colors, ...named } = brand;
  const wallets = walletsOf(schedule);
  const isServed: Readonly<Record<string, boolean>> = {
    "/api/burned-supply": wallets.some(isBurned),
    "/api/circulating-supply-on-chain": wallets.some((wallet) => !isBurned(wallet)),
  };
  const paths = Object.keys(document.paths).filter((path) => isServed[path] !== false);
  return { site: { brand: named, token: schedule.token, series: colors.series, paths }, brand, schedule };
}

/**
 * Gives pages `virtual:site` and `virtual:schedule`, the brand's colours at the end of the style sheets that pages link,
 * `{{names}}` in HTML, and the picture of link previews.
 */
export function sitePlugin(): Plugin {
  const { site, brand, schedule } = readSite();
  const fields = htmlFields(site, schedule);
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
      handler: (html) => html.replace(/\{\{(\w+)\}\}/g, (_, name: string) => fields[name] ?? missing(name)),
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "preview.png", source: previewPng(schedule, brand.colors) });
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
function htmlFields({ brand, token }: Site, schedule: Schedule): Readonly<Record<string, string>> {
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
    sources: sourcesText(schedule),
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

/** In a script only `<` could end the element. */
export function scheduleElement(text: string): string {
  return `<script type="application/json" id="schedule-data">${text.replaceAll("<", "\\u003c")}</script>`;
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

/** Every step with its figures, which are true on any day: for print, and for readers without scripts. */
export function monthsTable(schedule: Schedule): string {
  const { token, maxSupply } = schedule;
  let before = 0n;
  const body = rows(schedule).map(({ effectiveFromMs, circulating }) => {
    const cells = [
      tokensOf(circulating, token.decimals),
      changeOf(circulating - before, token.decimals),
      share(circulating, maxSupply),
    ];
    before = circulating;
    return `<tr><th scope="row">${dayOf(effectiveFromMs)}${cells.map((text) => `<td>${text.replace("<", "&lt;")}`).join("")}`;
  });
  const head = ["From", "Circulating", "Change", "Of the maximum"].map((name) => `<th scope="col">${name}</th>`);
  return `<div class="scroll" tabindex="0" role="region" aria-label="Every month"><table><caption>Whole ${escapeHtml(token.symbol)}, rounded down</caption><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** A file of this repository that earlier steps of the build have validated. */
function json<T>(path: string): T {
  return JSON.parse(readFileSync(resolve(ROOT, path), "utf8")) as T;
}
