import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningNode, startNode } from "../support/devnode.ts";
import { type Edge, startEdge } from "../support/edge.ts";

const PREVIOUS = join(import.meta.dirname, "..", "fixtures", "releases", "1.0.0", "worker.js");
const VARS = { RATES_URL: "http://127.0.0.1:1/none", LIMITER_SHARDS: "1" };

let node: RunningNode;
beforeAll(async () => {
  node = await startNode();
});
afterAll(async () => {
  await node?.close();
});

/** During a rollout a Worker of one release calls objects of the other, for as long as the rollout takes. */
describe.each([
  ["the previous release's Worker with this release's objects", { other: PREVIOUS }],
  ["this release's Worker with the previous release's objects", { objects: PREVIOUS }],
])("%s", (_what, releases) => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge([node.url], VARS, releases);
  });
  afterAll(async () => {
    await edge?.close();
  });

  test("the figures of the schedule are served, each with the caller's limits", async () => {
    for (const path of ["/api/max-supply", "/api/circulating-supply", "/api/unlock-schedule"]) {
      const { status, headers } = await edge.other.get(path);
      expect([path, status, headers.get("RateLimit")?.split(";")[0]]).toEqual([path, 200, "default"]);
    }
  });

  test("the quota applies: when an object cannot be called the isolate counts", async () => {
    const statuses: number[] = [];
    for (let request = 0; request < 70; request += 1) statuses.push((await edge.other.get("/api/max-supply")).status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(60);
    expect(statuses.slice(-5)).toEqual([429, 429, 429, 429, 429]);
  });

  test("a node read is answered, or refused with 503 and Retry-After; nothing leaks", async () => {
    for (const path of ["/v1", "/v1/accounts/0x1", "/v1/blocks/by_height/0", "/v1/transactions/by_version/0"]) {
      const { status, headers, text } = await edge.other.get(path);
      expect([200, 503]).toContain(status);
      if (status === 503) expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(() => JSON.parse(text)).not.toThrow();
      expect(text).not.toMatch(/RPC|does not implement|TypeError|127\.0\.0\.1/);
    }
  });

  test("the Worker of the objects' release still serves", async () => {
    expect((await edge.get("/api/max-supply")).status).toBe(200);
    expect((await edge.get("/v1")).status).toBe(200);
  });
});

test("control: two isolates of this release share one quota", async () => {
  const edge = await startEdge([node.url], { ...VARS, RATE_LIMIT_DEFAULT: "10/60" });
  const statuses: number[] = [];
  for (let request = 0; request < 6; request += 1)
    statuses.push((await edge.get("/api/max-supply")).status, (await edge.other.get("/api/max-supply")).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  await edge.close();
});
