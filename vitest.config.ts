import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { copyDocuments } from "./tools/documents.ts";
import { buildSchedule } from "./tools/schedule/build.ts";

/** With BASE_URL set, the contract suite runs over real HTTP against that URL; otherwise inside workerd. */
const baseUrl = process.env["BASE_URL"];
// The edge's assets: the documents are served from there; the page itself need not have been built for a test.
copyDocuments("dist/page");
buildSchedule();

/** Stands where the embedded node is bound: answers nothing, as a node that is down. */
const absentNode = {
  name: "devnode",
  modules: true,
  compatibilityDate: "2026-08-10",
  script: "export default { fetch: () => new Response(null, { status: 503 }) }",
};

const edge = () =>
  cloudflareTest({ wrangler: { configPath: "./wrangler.toml" }, miniflare: { workers: [absentNode] } });

export default defineConfig({
  logLevel: "error",
  test: {
    // What a passing test logs is nobody's business.
    silent: "passed-only",
    projects: [
      { test: { name: "unit", testTimeout: 30_000, include: ["test/unit/**/*.test.ts", "test/*.test.ts"] } },
      { plugins: [edge()], test: { name: "edge", testTimeout: 30_000, include: ["test/edge/**/*.test.ts"] } },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: "./devnode/wrangler.toml" } })],
        test: { name: "devnode", testTimeout: 30_000, include: ["test/devnode/**/*.test.ts"] },
      },
      {
        plugins: baseUrl === undefined ? [edge()] : [],
        define: { __BASE_URL__: JSON.stringify(baseUrl ?? "") },
        // Over HTTP all tests share one quota, and may have to wait a window for more.
        test: {
          name: "contract",
          include: ["test/contract/**/*.test.ts"],
          testTimeout: baseUrl === undefined ? 30_000 : 180_000,
        },
      },
      {
        test: {
          name: "system",
          include: ["test/system/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Real processes with real deadlines: one file at a time, after everything else.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
