import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningNode, startNode } from "../support/devnode.ts";
import { type AnotherRelease, type Edge, startEdge } from "../support/edge.ts";
import { SLOW } from "../support/runtime.ts";

const VARS = { RATES_URL: "http://127.0.0.1:1/none", LIMITER_SHARDS: "1", RATE_LIMIT_DEFAULT: "60/60" };

let node: RunningNode;
beforeAll(async () => {
  node = await startNode();
});
afterAll(() => node?.close());

/** During a rollout a Worker of one release calls objects of the other, for as long as the rollout takes. */
describe.each<[string, AnotherRelease]>([
  ["another release's Worker with this release's objects", "other"],
  ["this release's Worker with another release's objects", "objects"],
])("a rollout: %s", (_what, another) => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge([node.url], VARS, { another });
  });
  afterAll(() => edge?.close());

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
    // Requests that need no object of the other release are answered.
    const { hash } = JSON.parse((await edge.get("/v1/transactions/by_version/1")).text);
    expect((await edge.other.get(`/v1/transactions/wait_by_hash/${hash}`)).status).toBe(200);
  });

  test("the Worker of the objects' release still serves", async () => {
    expect((await edge.get("/api/max-supply")).status).toBe(200);
    expect((await edge.get("/v1")).status).toBe(200);
  });
});

test("control: the other release's own Worker and objects share one quota, as this release's do", async () => {
  const settings = { ...VARS, RATE_LIMIT_DEFAULT: "10/60" };
  const edge = await startEdge([node.url], settings, { another: "objects", speed: SLOW });
  const [statuses, modes]: [number[], string[]] = [[], []];
  for (let request = 0; request < 12; request += 1) {
    const { status, headers } = await edge.get("/api/max-supply", { "X-Server-Timing": "1" });
    statuses.push(status);
    modes.push(headers.get("Server-Timing")?.split('"')[1]?.split(" ")[0] ?? "none");
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(new Set(modes.slice(0, 10))).toEqual(new Set(["exact"]));
  await edge.close();
});
