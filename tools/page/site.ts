import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { WALLET_KINDS } from "../../page/src/wallet-kinds.ts";
import { scheduleView } from "../../src/supply/representations.ts";
import type { Holds, Schedule, Token } from "../../src/supply/schedule.ts";
import { nativePath, REPOSITORY_FOLDER, readSchedule } from "../schedule/files.ts";
import { type Brand, brandStyles, readBrand } from "./brand.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const MODULE = "virtual:site";

/** What the page knows before its first request. */
export interface Site {
  readonly brand: Omit<Brand, "colors">;
  readonly token: Token;
  readonly buckets: readonly { readonly id: string; readonly label: string }[];
  /** The wallets with locked tokens, in the schedule's order, with their bucket's label. */
  readonly wallets: readonly { readonly label: string; readonly holds: Holds; readonly bucket: string }[];
  /** Whether the schedule is sample data. */
  readonly isSample: boolean;
  /** Paths of the public API document; others are not offered. */
  readonly paths: readonly string[];
}

/** Reads the brand, the schedule and the documented paths; throws when the brand file or the schedule is invalid. */
export function readSite(): { readonly site: Site; readonly styles: string; readonly schedule: Schedule } {
  const schedule = readSchedule(nativePath({ folder: REPOSITORY_FOLDER, nowMs: 0 }));
  const buckets = schedule.plan.kind === "buckets" ? schedule.plan.buckets : [];
  const document = json<{ readonly paths: Readonly<Record<string, unknown>> }>("openapi/public.json");
  const { colors, ...brand } = readBrand(schedule.token);
  const site: Site = {
    brand,
    token: schedule.token,
    buckets: buckets.map(({ id, label }) => ({ id, label })),
    wallets: buckets.flatMap(({ label: bucket, addresses }) =>
      addresses.map(({ label, holds }) => ({ label, holds, bucket })),
    ),
    isSample: schedule.sample,
    paths: Object.keys(document.paths),
  };
  return { site, styles: brandStyles({ ...brand, colors }), schedule };
}

/**
 * Gives pages `virtual:site`, the brand's colours at the end of the style sheets that pages link, and `{{names}}` in
 * HTML.
 */
export function sitePlugin(): Plugin {
  const { site, styles, schedule } = readSite();
  const fields = htmlFields(site, schedule);
  return {
    name: "site",
    enforce: "pre",
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: (id) => (id === `\0${MODULE}` ? `export const site = ${JSON.stringify(site)};` : undefined),
    transform: (code, id) => (/\/(style|docs|embed)\.css$/.test(id) ? `${code}\n${styles}` : undefined),
    transformIndexHtml: {
      order: "pre",
      handler: (html) => html.replace(/\{\{(\w+)\}\}/g, (_, name: string) => fields[name] ?? missing(name)),
    },
  };
}

function missing(name: string): never {
  throw new Error(`{{${name}}} is not a field of the page's HTML`);
}

/** Values for `{{field}}` in HTML, escaped. */
function htmlFields(
  { brand, token, buckets, wallets, isSample }: Site,
  schedule: Schedule,
): Readonly<Record<string, string>> {
  const links = brand.links.map(
    ({ label, url }) => `<a href="${escapeHtml(url)}" rel="noopener">${escapeHtml(label)}</a>`,
  );
  const rows = buckets.length === 0 ? ["Circulating"] : buckets.map(({ label }) => label).reverse();
  return {
    name: escapeHtml(brand.name),
    title: escapeHtml(brand.title),
    description: escapeHtml(brand.description),
    logo: escapeHtml(brand.logo),
    symbol: escapeHtml(token.symbol),
    footer: brand.footer === "" ? "" : `<p>${escapeHtml(brand.footer)}</p>`,
    links: links.join("\n          "),
    // The same rows that the script will fill, so that the layout does not shift.
    legendRows: rows
      .map(
        (label) =>
          `<tr><th scope="row"><span class="key">${escapeHtml(label)}</span></th><td>–</td><td>–</td><td>–</td></tr>`,
      )
      .join(""),
    bucketRows: buckets
      .map(({ label }) => tableRow(escapeHtml(label), [["Scheduled"], ["On chain"], ["Difference"]]))
      .join(""),
    walletRows: wallets.map(walletRow).join(""),
    // The body of `/api/unlock-schedule`: the page needs no request for it. In a script only `<` could end the element.
    schedule: `<script type="application/json" id="unlock-schedule">${JSON.stringify(scheduleView(schedule)).replaceAll("<", "\\u003c")}</script>`,
    sampleMark: isSample
      ? '<span class="mark" title="The unlock schedule is an example, not a network\'s own">Sample data</span>'
      : "",
  };
}

/** Two lines: the label, then the address. */
function walletRow({ label, holds, bucket }: Site["wallets"][number]): string {
  const cells = [["Bucket", bucket], ["Kind", WALLET_KINDS[holds]], ["Balance"], ["Of total"]] as const;
  return tableRow(`${escapeHtml(label)}<br>&nbsp;`, cells);
}

/** A row with a heading (HTML); a cell without a text is a number to come. */
function tableRow(heading: string, columns: readonly (readonly [string, string?])[]): string {
  const cells = columns.map(([column, text]) =>
    text === undefined
      ? `<td data-label="${column}" class="number">–</td>`
      : `<td data-label="${column}" class="text">${escapeHtml(text)}</td>`,
  );
  return `<tr><th scope="row">${heading}</th>${cells.join("")}</tr>`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** A file of this repository that earlier steps of the build have validated. */
function json<T>(path: string): T {
  return JSON.parse(readFileSync(resolve(ROOT, path), "utf8")) as T;
}
