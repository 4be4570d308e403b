import { join } from "node:path";
import { build, type InlineConfig, type Plugin, type UserConfig } from "vite";
import type { RegisteredAddress } from "../../src/addresses/registered-address.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import type { Parts } from "../../tools/lib/parts.ts";
import { docsPlugin } from "./docs-plugin.ts";
import { copyDocuments, type PastDays } from "./documents.ts";
import { writeHeaders } from "./headers.ts";
import { FIRST, inlining } from "./inlining.ts";
import { filesPlugin, readSite, type Sources, sitePlugin } from "./site.ts";

const PAGE = join(import.meta.dirname, "..");

// The script makes the first view the present one (figures, this host's name in the examples): without it content would
// move.
const blocking: Plugin = {
  name: "blocking",
  transformIndexHtml: {
    order: "post",
    handler: (html, { path }) =>
      /^\/(verify|docs\/.*)\.html$/.test(path)
        ? html.replace('<script type="module"', '<script type="module" blocking="render"')
        : html,
  },
};

/** A build of its own: what it shares with another would be one more request of each page. */
const alone = (outDir: string, config: UserConfig) =>
  build({
    configFile: false,
    root: PAGE,
    logLevel: "error",
    publicDir: false,
    ...config,
    build: { outDir, emptyOutDir: false, modulePreload: { polyfill: false }, assetsInlineLimit: 0, ...config.build },
  });

/** Every page but the first: verification, the manual, frames. */
const others = (sources: Sources, outDir: string) => {
  const docs = docsPlugin(PAGE, sources);
  return alone(outDir, {
    plugins: [docs.plugin, sitePlugin(sources), blocking],
    build: {
      rollupOptions: {
        input: [join(PAGE, "404.html"), join(PAGE, "verify.html"), join(PAGE, "embed", "chart.html"), ...docs.inputs],
      },
    },
  });
};

/**
 * `/embed.js`, and the chart that it loads: each alone, with names that outlive a deployment, because pages of others keep
 * both for an hour.
 */
const EMBEDS = { embed: "[name].js", "unlock-chart": "assets/[name].js" } as const;

const embed = (sources: Sources, outDir: string, name: keyof typeof EMBEDS) =>
  alone(outDir, {
    plugins: [sitePlugin(sources)],
    build: {
      // As a library: else a third of the script would be the loader of preloads, of which it has none.
      lib: { entry: { [name]: join(PAGE, "embed", `${name}.ts`) }, formats: ["es"] },
      rollupOptions: { output: { entryFileNames: EMBEDS[name], minify: true, comments: { annotation: false } } },
    },
  });

/** What a deployment publishes, read and checked. */
interface Published {
  readonly parts: Parts;
  /** The asset of the first chain, as people write it. */
  readonly assetName: string;
  /** With the hash of its file. */
  readonly schedule: Schedule;
  readonly scheduleFile: Uint8Array;
  readonly pastDays: PastDays;
  readonly addresses: readonly RegisteredAddress[];
}

/**
 * The page and the manual of a deployment with these parts; no outside address in either. What is built here is served
 * as static assets.
 */
export function pageConfig(
  { parts, assetName, schedule, scheduleFile, pastDays, addresses }: Published,
  outDir: string,
): InlineConfig {
  const sources = readSite(parts, schedule, addresses, assetName);
  const inlined = inlining();
  return {
    configFile: false,
    root: PAGE,
    logLevel: "error",
    plugins: [
      sitePlugin(sources),
      filesPlugin(sources, scheduleFile),
      inlined.plugin,
      {
        name: "documents",
        writeBundle: async ({ dir = outDir }) => {
          copyDocuments(dir, sources.has, schedule, pastDays, addresses);
          await others(sources, dir);
          await embed(sources, dir, "embed");
          await embed(sources, dir, "unlock-chart");
          writeHeaders(dir, inlined.hashes());
        },
      },
    ],
    build: {
      outDir,
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rollupOptions: {
        input: { index: join(PAGE, "index.html"), [FIRST]: join(PAGE, "src", "first-view.ts") },
      },
    },
  };
}
