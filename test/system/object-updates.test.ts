import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCATION_HINTS } from "../../src/config.ts";
import { anotherRelease } from "../support/another-release.ts";
import { type RunningNode, startNode } from "../support/devnode.ts";
import { createRuntime, EDGE_OBJECTS, type Runtime, SLOW, withClock, workerModule } from "../support/runtime.ts";

/** A minute of the Workers' and objects' clocks takes two seconds; their deadlines are timers, and stay. */
const SPEED = 30;
/** Between a caller's requests, a second and a half of those clocks: enough traffic to exceed every quota. */
const TURN_MS = 50;
const FIVE_MINUTES_MS = 300_000;
const THIS = {
  what: "of the same release with the settings of before",
  modulesOf: (bundle: string): Record<string, string> => ({ "worker.js": bundle }),
  revision: "before",
  /** Whether the objects understand the Worker's calls; if not, isolates count alone and reads are refused with 503. */
  isServed: true,
};
const ANOTHER = {
  what: "of a release with other calls",
  modulesOf: (bundle: string) => anotherRelease(bundle, Object.values(EDGE_OBJECTS)),
  revision: null,
  isServed: false,
};
/** Quota that a caller exceeds even on a busy machine. */
const QUOTA = 12;
const RATE_LIMIT_DEFAULT = `${QUOTA}/60`;

const FIGURES = [
  "/api/max-supply",
  "/api/circulating-supply?month=2030-01",
  "/api/unlock-schedule",
  "/api/allocations",
];
const READS = ["/v1", "/v1/accounts/0x1", "/v1/blocks/by_height/0", "/v1/transactions/by_version/0"];
const VIEW = JSON.stringify({ function: "0x1::chain_id::get", type_arguments: [], arguments: [] });

let node: RunningNode;
beforeAll(async () => {
  node = await startNode();
});
afterAll(() => node?.close());

/**
 * After a deployment, running objects keep their old code and settings for up to five minutes, while every Worker is
 * new. (Five minutes are the platform's default; this product sets 30 seconds.)
 */
describe.each([THIS, ANOTHER])("a new Worker with objects $what", (before) => {
  let runtime: Runtime;
  const call = (path: string, caller: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${runtime.url("worker")}${path}`, { ...init, headers: { ...init.headers, "CF-Connecting-IP": caller } });

  beforeAll(async () => {
    const vars = {
      NODE_URLS: node.url,
      RATES_URL: "http://127.0.0.1:1/none",
      RATE_LIMIT_DEFAULT,
      ENVIRONMENT: "production",
      CHAIN_ID: "4",
    };
    const objects = EDGE_OBJECTS;
    const bundle = withClock(await workerModule("worker"), SPEED);
    runtime = createRuntime({
      old: { modules: before.modulesOf(bundle), vars: { ...vars, BUILD_REVISION: "before" }, objects },
      worker: {
        modules: { "worker.js": bundle },
        vars: { ...vars, BUILD_REVISION: "after" },
        objects,
        objectsOf: "old",
      },
    });
    await runtime.start();
  });
  afterAll(() => runtime?.remove());

  test("health names what the Worker runs and what the objects of every region run", async () => {
    const health = async () => (await call("/api/health", "192.0.2.1")).json();
    const objects = ["world", ...LOCATION_HINTS].map((region) => {
      return { region, responds: before.isServed, build_revision: before.revision, version_id: null };
    });
    await expect.poll(health, { interval: 500 }).toMatchObject({
      build_revision: "after",
      limiter: { mode: before.isServed ? "exact" : "local", objects },
    });
  });

  test("five minutes of mixed requests: figures always, quotas kept, reads answered or refused", {
    timeout: 600_000,
  }, async ({ skip }) => {
    const startedAtMs = Date.now();
    const windowNow = () => Math.floor(((Date.now() - startedAtMs) * SPEED) / 60_000);
    const isRunning = () => (Date.now() - startedAtMs) * SPEED < FIVE_MINUTES_MS;
    const callers = await Promise.all(
      ["198.51.100.1", "198.51.100.2", "198.51.100.3"].map((caller) => traffic(caller)),
    );
    const windows = windowNow() + 1;
    for (const { admitted, problems } of callers) {
      expect([...problems]).toEqual([]);
      expect(admitted).toBeLessThanOrEqual(windows * QUOTA);
    }
    // A caller that cannot send more than its quota in a window is never refused.
    const busy = callers.map(({ sent }) => [...sent.values()].filter((count) => count >= 2 * QUOTA).length);
    if (Math.min(...busy) < 4)
      skip(`the machine was too slow: ${2 * QUOTA} requests in ${busy.join(", ")} windows, of 4 that show a refusal`);
    for (const { admitted, refused, reads } of callers) {
      // A refused caller is admitted again.
      expect(admitted).toBeGreaterThan(2 * QUOTA);
      expect(refused).toBeGreaterThan(0);
      expect(reads > 0).toBe(before.isServed);
    }

    async function traffic(caller: string) {
      const sent = new Map<number, number>();
      const found = { admitted: 0, refused: 0, reads: 0, sent, problems: new Set<string>() };
      let version = 0n;
      const look = async (what: string, response: Response, allowed: readonly number[]) => {
        const { status, headers } = response;
        const text = await response.text();
        const isRefusal = status === 429 || status === 503;
        const isWhole = headers.has("RateLimit") && (!isRefusal || Number(headers.get("Retry-After")) > 0);
        if (!allowed.includes(status) || !isWhole || /RPC|does not implement|TypeError|127\.0\.0\.1/.test(text))
          found.problems.add(`${what}: ${status} ${text.slice(0, 200)}`);
        return status;
      };
      for (let turn = 0; isRunning(); turn += 1) {
        await pause(TURN_MS);
        const figure = FIGURES[turn % FIGURES.length] ?? "";
        const status = await look(figure, await call(figure, caller), [200, 429]);
        if (status === 200) found.admitted += 1;
        else found.refused += 1;
        sent.set(windowNow(), (sent.get(windowNow()) ?? 0) + 1);
        if (turn % 8 !== 0) continue;
        const read = READS[(turn / 8) % READS.length] ?? "";
        const response = await call(read, caller);
        const seen = BigInt(response.headers.get("X-NODE-LEDGER-VERSION") ?? version);
        if (seen < version) found.problems.add(`${read}: version ${seen} after ${version}`);
        version = seen;
        if ((await look(read, response, [200, 429, 503])) === 200) found.reads += 1;
        const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: VIEW };
        await look("view", await call("/v1/view", caller, init), [200, 400, 429, 503]);
        await look("preflight", await call("/v1", caller, { method: "OPTIONS" }), [204]);
        await look("no path", await call("/api/none", caller), [404, 429]).then(
          (each) => each === 404 && found.admitted++,
        );
      }
      return found;
    }
  });
});

describe("a Worker with another generation of objects", () => {
  let runtime: Runtime;
  const admitted = async (worker: string, requests: number): Promise<number> => {
    const calls = Array.from({ length: requests }, () => fetch(`${runtime.url(worker)}/api/max-supply`));
    return (await Promise.all(calls)).filter(({ status }) => status === 200).length;
  };

  beforeAll(async () => {
    const modules = { "worker.js": withClock(await workerModule("worker"), SLOW) };
    const vars = { NODE_URLS: node.url, RATES_URL: "http://127.0.0.1:1/none", RATE_LIMIT_DEFAULT };
    const objects = EDGE_OBJECTS;
    const moved = { modules, vars: { ...vars, OBJECT_GENERATION: "2" }, objects, objectsOf: "first" };
    runtime = createRuntime({ first: { modules, vars, objects }, moved, same: { ...moved, vars } });
    await runtime.start();
  });
  afterAll(() => runtime?.remove());

  test("counts in other objects, so that each caller gets one more quota and no further one", async () => {
    expect(await admitted("first", QUOTA + 5)).toBe(QUOTA);
    expect(await admitted("same", 5), "control").toBe(0);
    expect(await admitted("moved", QUOTA + 5)).toBe(QUOTA);
  });
});
