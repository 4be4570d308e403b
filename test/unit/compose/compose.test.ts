import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { docsPages, indexFiles } from "../../../page/build/docs.ts";
import { copyDocuments } from "../../../page/build/documents.ts";
import { readSite } from "../../../page/build/site.ts";
import type { MetricsEvent } from "../../../src/base/metrics.ts";
import { compose, type Platform } from "../../../src/compose/compose.ts";
import type { HomeCalls } from "../../../src/home/calls.ts";
import { builtListReader } from "../../../src/home/history/built-lists.ts";
import { ALL_PARTS } from "../../../tools/lib/parts.ts";
import { REPOSITORY_FOLDER, readPublishedSchedule } from "../../../tools/schedule/files.ts";
import { ask } from "../../support/app.ts";

const NOW_MS = Date.UTC(2026, 10, 21);

/** A home object that does not answer. */
const silentHome: HomeCalls = {
  getShared: () => Promise.resolve(null),
  history: {
    recordToday: () => Promise.resolve(null),
    figures: () => Promise.resolve(null),
    rates: () => Promise.resolve(null),
    recordHealth: () => Promise.resolve(null),
    healthChanges: () => Promise.resolve(null),
  },
  lastGood: {
    get: () => Promise.resolve(undefined),
    put: () => Promise.resolve(),
  },
  upstreamHealth: () => Promise.resolve(null),
  fullLimiters: () => Promise.resolve([]),
};

function fakePlatform() {
  const logged: { event: string; detail: Readonly<Record<string, unknown>> }[] = [];
  const metrics: MetricsEvent[] = [];
  const platform: Platform = {
    now: () => NOW_MS,
    newRequestId: () => "id-1",
    log: (event, detail) => logged.push({ event, detail }),
    metrics: () => (event) => metrics.push(event),
    fetchAsset: () => undefined,
    limiterShard: () => () => () => ({
      take: () => Promise.reject(new Error("down")),
      peek: () => Promise.reject(),
      recordSeen: () => Promise.reject(),
      revision: () => Promise.reject(),
    }),
    floodLimits: { caller: null, network: null },
    later: (run) => run(),
    gateway: () => ({
      routes: [
        { method: "GET", path: "/v1", handler: () => ({ kind: "reply", status: 200, headers: {}, body: "{}" }) },
      ],
      readTip: () => Promise.resolve("current"),
    }),
    home: () => silentHome,
    callFaucet: () => null,
    post: () => Promise.resolve(true),
  };
  return { platform, logged, metrics };
}

test("wires supply, figures and gateway into one app, and counts each request by its route", async () => {
  const { platform, metrics } = fakePlatform();
  const composed = compose({}, platform);
  if (composed.kind !== "app") throw new Error("the defaults are valid");
  const statusOf = async (path: string) => (await ask(composed.app, path)).status;
  const paths = [
    "/api/max-supply",
    "/api/circulating-supply",
    "/v1",
    "/feed.atom",
    "/api/rates",
    "/api/history",
    "/api/unknown",
  ];
  expect(await Promise.all(paths.map(statusOf))).toEqual([200, 200, 200, 200, 503, 503, 404]);
  expect(metrics.map((event) => event.route)).toEqual(expect.arrayContaining([...paths.slice(0, 6), "unknown_path"]));
});

test("NODE_GATEWAY off: no /v1 path, no reference to one, and unchanged figures", async () => {
  const { platform } = fakePlatform();
  const folder = mkdtempSync(join(tmpdir(), "documents-"));
  const sources = readSite(
    { ...ALL_PARTS, node: false },
    readPublishedSchedule(join(REPOSITORY_FOLDER, "native.json")),
  );
  copyDocuments(folder, sources.has, sources.schedule);
  for (const [name, text] of Object.entries(indexFiles(sources, docsPages(sources))))
    writeFileSync(join(folder, "documents", name), text);
  const fetchAsset = async (path: string) => new Response(readFileSync(join(folder, path), "utf8"));
  const composed = compose({ NODE_GATEWAY: "off" }, { ...platform, fetchAsset });
  if (composed.kind !== "app") throw new Error("the settings are valid");
  const { app } = composed;
  const get = (path: string) => ask(app, path);
  const statuses = ["/v1", "/v1/spec.json", "/api/max-supply"].map(async (path) => (await get(path)).status);
  expect(await Promise.all(statuses)).toEqual([404, 404, 200]);
  expect(await (await get("/v1")).json()).toMatchObject({ error_code: "web_framework_error" });
  const catalog = await (await get("/.well-known/api-catalog")).text();
  expect(catalog).toContain("https://edge.test/api/openapi.json");
  expect(catalog).not.toContain("/v1");
  const llms = await (await get("/llms.txt")).text();
  expect(llms).toContain("https://edge.test/api/openapi.json");
  expect(llms).not.toContain("https://edge.test/v1");
});

test("a list of the build that could not be read is read again, and is not empty meanwhile", async () => {
  const texts = [undefined, "<html>", '[{"figure":"total_supply"}]', undefined];
  const list = builtListReader(
    async () => (texts.length === 4 ? Promise.reject(texts.shift()) : texts.shift()),
    "/list.json",
  );
  expect([await list(), await list(), await list(), await list()]).toEqual([
    null,
    null,
    ...Array(2).fill([{ figure: "total_supply" }]),
  ]);
});

test("health reports that the limiter does not answer, even if the flood guard refuses probes", async () => {
  const { platform } = fakePlatform();
  const caller = { limit: async ({ key }: { key: string }) => ({ success: !key.includes("health") }) };
  const composed = compose({}, { ...platform, later: () => undefined, floodLimits: { caller, network: null } });
  if (composed.kind !== "app") throw new Error("the defaults are valid");
  const response = await ask(composed.app, "/api/health");
  expect(await response.json()).toMatchObject({ limiter: { mode: "local" } });
});

test("an invalid environment is refused with every problem listed, and logged once", () => {
  const { platform, logged } = fakePlatform();
  const composed = compose({ CHAIN_ID: "999", LIMITER_SHARDS: "none" }, platform);
  expect(composed.kind).toBe("refused");
  const problems = [expect.stringMatching(/^CHAIN_ID /), expect.stringMatching(/^LIMITER_SHARDS /)];
  expect(logged).toEqual([{ event: "misconfigured", detail: { problems } }]);
});
