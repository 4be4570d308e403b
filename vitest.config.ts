import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { bundleWorker } from "./tools/bundle-worker.ts";
import { copyDocuments } from "./tools/documents.ts";

/** With BASE_URL set, the contract suite runs over real HTTP against that URL; otherwise inside workerd. */
const baseUrl = process.env["BASE_URL"];

// Every test, and every process that one starts, runs on a schedule of the tests' own: the operator's may be any.
process.env["SCHEDULE_FOLDER"] ??= "test/fixtures/schedule";

/** The edge inside workerd, with the embedded node behind it as in `npm start`. */
const edge = () =>
  cloudflareTest(async () => {
    // The assets folder must exist; a test reads the documents from it, not the page.
    copyDocuments("dist/page");
    const node = {
      name: "devnode",
      modules: true,
      compatibilityDate: "2026-08-10",
      compatibilityFlags: ["no_nodejs_compat", "no_nodejs_compat_v2"],
      script: (await bundleWorker("devnode")).code,
      durableObjects: { CHAIN: { className: "ChainObject", useSQLite: true } },
    };
    return { main: "./src/worker.ts", wrangler: { configPath: "./wrangler.toml" }, miniflare: { workers: [node] } };
  });

/** Their assertions count calls and milliseconds of several isolates: one file at a time, after everything else. */
const TIMED = ["far-edge", "gateway-faults", "gateway-tip"].map((name) => `test/system/${name}.test.ts`);
/** Real processes and browsers with real deadlines, after the tests that keep every core busy. */
const system = { include: ["test/system/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2 };

export default defineConfig({
  // Projects do not inherit it. Vite warns about source maps of packages that we do not publish.
  logLevel: "error",
  test: {
    globalSetup: "test/support/global-setup.ts",
    // A passing run is short: a dot per test and the counts. Failures are printed whole.
    reporters: process.env["GITHUB_ACTIONS"] === undefined ? ["dot"] : ["dot", "github-actions"],
    // Only failing tests print what they logged.
    silent: "passed-only",
    projects: [
      {
        // Modules keep no state (test/architecture.test.ts), so the files of one worker may share them: half the time.
        test: {
          name: "unit",
          testTimeout: 30_000,
          isolate: false,
          include: ["test/unit/**/*.test.ts", "test/*.test.ts"],
        },
      },
      {
        plugins: [edge()],
        logLevel: "error",
        test: { name: "edge", testTimeout: 30_000, include: ["test/edge/**/*.test.ts"] },
      },
      {
        logLevel: "error",
        plugins: [cloudflareTest({ wrangler: { configPath: "./devnode/wrangler.toml" } })],
        test: { name: "devnode", testTimeout: 30_000, include: ["test/devnode/**/*.test.ts"] },
      },
      {
        logLevel: "error",
        plugins: baseUrl === undefined ? [edge()] : [],
        define: { __BASE_URL__: JSON.stringify(baseUrl ?? "") },
        // Over HTTP all tests share one quota, and may have to wait a window for more.
        test: {
          name: "contract",
          include: ["test/contract/**/*.test.ts"],
          testTimeout: baseUrl === undefined ? 30_000 : 180_000,
        },
      },
      { test: { ...system, name: "system", exclude: TIMED, sequence: { groupOrder: 1 } } },
      {
        test: { ...system, name: "system-timed", include: TIMED, fileParallelism: false, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
