import { join } from "node:path";
import { build, type InlineConfig, type Plugin, type UserConfig } from "vite";
import type { RegisteredAddress } from "../../src/addresses/registered-address.ts";
import { hasUnlocks, type Schedule } from "../../src/supply/schedule.ts";
import type { Parts } from "../../tools/lib/parts.ts";
import { docsPlugin } from "./docs-plugin.ts";
import { copyDocuments, type PastDays } from "./documents.ts";
import { writeHeaders } from "./headers.ts";
import { FIRST, inlining } from "./inlining.ts";
import { filesPlugin, type PageSources, readSite, sitePlugin } from "./site.ts";

const PAGE = join(import.meta.dirname, "..");

// Rendering waits for the script, which updates the first view (figures, this host's name in the examples). Otherwise
// its content would move.
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

/** Findings of the bundler: the time that plugins take says something of the machine, and nothing to its user. */
const CHECKS = { bundlerTimings: false };

/** Runs a separate build, because a chunk shared with another build would be one more request of each page. */
const separateBuild = (outDir: string, config: UserConfig) =>
  build({
    configFile: false,
    root: PAGE,
    logLevel: "error",
    publicDir: false,
    ...config,
    build: {
      outDir,
      emptyOutDir: false,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      ...config.build,
      rollupOptions: { ...config.build?.rollupOptions, checks: CHECKS },
    },
  });

/** Builds every page but the first: verification, the manual, frames. */
const buildOtherPages = (sources: PageSources, outDir: string, frames: readonly string[]) => {
  const docs = docsPlugin(PAGE, sources);
  return separateBuild(outDir, {
    plugins: [docs.plugin, sitePlugin(sources), blocking],
    build: {
      rollupOptions: {
        input: [
          ...["404.html", "verify.html", ...frames.map((name) => join("embed", name))].map((name) => join(PAGE, name)),
          ...docs.inputs,
        ],
      },
    },
  });
};

/**
 * File names of `/embed.js` and of the chart that it loads. They outlive a deployment, because other pages cache both
 * for an hour.
 */
const EMBEDS = { embed: "[name].js", "unlock-chart": "assets/[name].js" } as const;

/** First page of each kind of schedule file: its HTML, the script of its first view, and the embeds beside it. */
const FIRST_PAGES = {
  unlocks: {
    html: "index.html",
    script: join("src", "first-view.ts"),
    embeds: ["embed", "unlock-chart"],
    frames: ["chart.html"],
  },
  wallets: { html: "wallets.html", script: join("src", "wallets", "first-view.ts"), embeds: ["embed"], frames: [] },
} as const;

const buildEmbed = (sources: PageSources, outDir: string, name: keyof typeof EMBEDS) =>
  separateBuild(outDir, {
    plugins: [sitePlugin(sources)],
    build: {
      // Built as a library: otherwise a third of the script would be the preloader, which it does not use.
      lib: { entry: { [name]: join(PAGE, "embed", `${name}.ts`) }, formats: ["es"] },
      rollupOptions: { output: { entryFileNames: EMBEDS[name], minify: true, comments: { annotation: false } } },
    },
  });

/** Validated inputs of a deployment's page. */
interface PageInputs {
  readonly parts: Parts;
  /** Asset of the first chain, as people write it. */
  readonly assetName: string;
  /** Schedule with the hash of its file. */
  readonly schedule: Schedule;
  readonly scheduleFile: Uint8Array;
  readonly pastDays: PastDays;
  readonly addresses: readonly RegisteredAddress[];
}

/**
 * Configures the build of a deployment's page and manual. Neither loads anything from another host. The result is
 * served as static assets.
 */
export function pageConfig(
  { parts, assetName, schedule, scheduleFile, pastDays, addresses }: PageInputs,
  outDir: string,
): InlineConfig {
  const sources = readSite(parts, schedule, addresses, assetName);
  const first = FIRST_PAGES[hasUnlocks(schedule) ? "unlocks" : "wallets"];
  const inlined = inlining(first.html);
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
          copyDocuments(dir, sources.has, schedule, pastDays, addresses, sources.site.brand);
          await buildOtherPages(sources, dir, first.frames);
          for (const name of first.embeds) await buildEmbed(sources, dir, name);
          writeHeaders(dir, inlined.hashes());
        },
      },
    ],
    build: {
      outDir,
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // Browsers with `light-dark()`: for older ones the minifier would add properties that no rule here uses.
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      rollupOptions: {
        input: { index: join(PAGE, first.html), [FIRST]: join(PAGE, first.script) },
        checks: CHECKS,
        // Most constants are used once.
        optimization: { inlineConst: { mode: "all", pass: 3 } },
      },
    },
  };
}
