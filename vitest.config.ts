import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { bundleWorker } from "./tools/bundle-worker.ts";
import { copyDocuments } from "./tools/documents.ts";

/** With BASE_URL set, the contract suite runs over real HTTP against that URL; otherwise inside workerd. */
const baseUrl = process.env["BASE_URL"];
const deployment = {
  baseUrl: baseUrl ?? "",
  isShort: baseUrl !== undefined && !process.env["SMOKE_FULL"],
  versionOverride: process.env["VERSION_OVERRIDE"] ?? "",
};

// Every test, and every process that one starts, runs on a schedule of the tests' own: the operator's may be any.
process.env["SCHEDULE_FOLDER"] ??= "test/fixtures/schedule";
// Dozens of tests start a tool as a process; most of such a start is compiling the same large dependencies.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules", ".cache", "node");

/** Loaded only for the suites inside workerd: it takes a second. */
const workerd = async (...options: Parameters<typeof cloudflareTest>) =>
  (await import("@cloudflare/vitest-pool-workers")).cloudflareTest(...options);

/** The edge inside workerd, with the embedded node behind it as in `npm start`. */
const edge = () =>
  workerd(async () => {
    // The assets folder must exist; a test reads the documents from it, not the page.
    copyDocuments("dist/page");
    const node = {
      name: "devnode",
      modules: true,
      compatibilityDate: "2026-08-10",
      compatibilityFlags: ["no_nodejs_compat", "no_nodejs_compat_v2"],
      script: (await bundleWorker("devnode")).code,
      // As `npm start` begins a chain: the schedule's wallets exist.
      bindings: (await import("./tools/start/genesis-settings.ts")).genesisOf({}, Date.now()),
      durableObjects: { CHAIN: { className: "ChainObject", useSQLite: true } },
    };
    return { main: "./src/worker.ts", wrangler: { configPath: "./wrangler.toml" }, miniflare: { workers: [node] } };
  });

/** For what hangs, also on a machine that is busy with something else: no test asserts speed. */
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };
/** They read one running product. */
const PAGE = ["docs", "doctor", "documented-examples", "embed", "generated-client", "listing", "page*", "trackers"].map(
  (name) => `test/system/${name}.test.ts`,
);

const CLIENT = "test/support/short-keep-alive.ts";

const contract: TestProjectInlineConfiguration = {
  logLevel: "error",
  plugins: baseUrl === undefined ? [edge()] : [],
  define: { __DEPLOYMENT__: JSON.stringify(deployment) },
  // Over HTTP all tests share one quota: one file at a time, which may have to wait a window for more.
  test: {
    name: "contract",
    include: ["test/contract/**/*.test.ts"],
    ...(baseUrl === undefined ? timeouts : { testTimeout: 180_000, fileParallelism: false }),
  },
};

/** All suites; a run against a deployment needs only one of them. */
const projects = (): TestProjectInlineConfiguration[] => [
  {
    // Modules keep no state (test/architecture.test.ts), so the files of one worker may share them: half the time.
    test: {
      name: "unit",
      ...timeouts,
      isolate: false,
      include: ["test/unit/**/*.test.ts", "test/*.test.ts"],
    },
  },
  {
    plugins: [edge()],
    logLevel: "error",
    test: { name: "edge", ...timeouts, include: ["test/edge/**/*.test.ts"] },
  },
  {
    logLevel: "error",
    plugins: [workerd({ wrangler: { configPath: "./devnode/wrangler.toml" } })],
    test: { name: "devnode", ...timeouts, include: ["test/devnode/**/*.test.ts"] },
  },
  contract,
  // All projects share one queue, by name: the short unit tests fill its end.
  { test: { ...timeouts, name: "page", include: PAGE, setupFiles: CLIENT, globalSetup: "test/support/page-setup.ts" } },
  {
    test: {
      ...timeouts,
      name: "system",
      include: ["test/system/**/*.test.ts"],
      exclude: PAGE,
      setupFiles: CLIENT,
      globalSetup: "test/support/system-setup.ts",
    },
  },
];

export default defineConfig({
  // Projects do not inherit it. Vite warns about source maps of packages that we do not publish.
  logLevel: "error",
  test: {
    // Many system tests wait for a process, a timeout or an interval: two workers more than cores keep the cores busy.
    maxWorkers: availableParallelism() + 2,
    globalSetup: "test/support/global-setup.ts",
    // A passing run is short: a dot per test and the counts. Failures are printed whole.
    reporters: process.env["GITHUB_ACTIONS"] === undefined ? ["dot"] : ["dot", "github-actions"],
    // Only failing tests print what they logged.
    silent: "passed-only",
    projects: baseUrl === undefined ? projects() : [contract],
  },
});
