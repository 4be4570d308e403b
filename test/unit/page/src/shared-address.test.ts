import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { handle } from "../../../../src/app.ts";
import { PAGE_POLICY } from "../../../../src/config.ts";
import { EdgeLimiter } from "../../../../src/limiter/edge-limiter.ts";
import type { ShardCalls } from "../../../../src/limiter/shard-client.ts";
import { SlidingWindowLog } from "../../../../src/limiter/sliding-window-log.ts";
import native from "../../../fixtures/schedule/native.json" with { type: "json" };
import { appOf } from "../../../support/app.ts";
import { deploymentWorld, WORLD_START_MS } from "../../../support/deployment-world.ts";
import { OWN } from "../../rates/rows.ts";
import { valid } from "../../supply/schedules.ts";

/** One office, university or mobile carrier. */
const ADDRESS = "203.0.113.9";
const MINUTES = 4;
const TABS = 90;

/** Used part of the page's modules, which need a browser's types that this test project lacks. */
interface Polling {
  readonly member: (name: string, parse: (body: unknown) => unknown, show: (reading: Reading) => void) => unknown;
  readonly poll: (members: readonly unknown[]) => void;
}
interface Reading {
  readonly readAtMs: number | undefined;
  readonly failure: object | undefined;
}
interface Embed {
  readonly Source: new (
    member: string,
    parse: (body: unknown) => unknown,
  ) => { subscribe(listener: (reading: { readonly kind: string; readonly isStale?: boolean }) => void): void };
}

/** A deployment with its limiter's objects, in one isolate, whose clock is the tests'. */
function edge() {
  const chain = { minted: () => 97_000_000_012_345_678n, balance: () => 7n };
  const rows = [{ ...OWN, source: "operator" }];
  const place = deploymentWorld({ schedule: valid(native), chain, nodes: ["upstream-1", "upstream-2"], rows });
  const logs = new Map<string, SlidingWindowLog>();
  let objectCalls = 0;
  const stubOf = (name: string) => (): ShardCalls => {
    const log = logs.get(name) ?? new SlidingWindowLog({ quota: 60, windowMs: 60_000, maxBytes: 2 ** 24 });
    logs.set(name, log);
    const decided = (call: "take" | "peek") => async (key: string, quota: number, windowSeconds: number) => {
      objectCalls += 1;
      log.setPolicy(quota, windowSeconds * 1_000);
      return log[call](key, Date.now());
    };
    return { take: decided("take"), peek: decided("peek"), recordSeen: async (_key, point) => point };
  };
  const ports = { shardStub: stubOf, shards: 2, generation: 1, salt: "", now: Date.now, later: () => undefined };
  const limiter = new EdgeLimiter({ ...ports, log: () => undefined });
  const app = appOf(place.routes(), { limiter, now: Date.now });
  const send = async (path: string, address = ADDRESS): Promise<Response> => {
    place.world.nowMs = Date.now();
    const headers = { "CF-Connecting-IP": address };
    const response = await handle(app, new Request(`https://edge.test${path}`, { headers }), (work) => void work);
    response.headers.set("Date", new Date().toUTCString());
    return response;
  };
  return { send, calls: () => objectCalls };
}

/** Random numbers that are the same in each run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 2 ** 31;
  };
}

/** Time passes, and what it starts is done. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise((done) => setImmediate(done));
  }
}

let sent: { atMs: number; status: number; url: string }[];

/** Makes the tabs of this test ask that deployment, as a browser's would. */
function online(send: (path: string) => Promise<Response>): void {
  vi.stubGlobal("document", { hidden: false, addEventListener: () => undefined, getElementById: () => null });
  vi.stubGlobal("fetch", async (url: string) => {
    const request = { atMs: Date.now(), status: 0, url };
    sent.push(request);
    const response = await send(url.slice(url.indexOf("/api")));
    request.status = response.status;
    return response;
  });
}

const module = async <T>(path: string): Promise<T> => (await import(/* @vite-ignore */ path)) as T;

beforeEach(() => {
  sent = [];
  vi.useFakeTimers({ now: WORLD_START_MS, toFake: ["setTimeout", "clearTimeout", "Date"] });
  vi.spyOn(Math, "random").mockImplementation(sequence(7));
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Opens a tab each 100 ms. Each records when it was shown what, and when not. */
async function openTabs(count: number): Promise<{ shown: number[]; failures: number }[]> {
  const { member, poll } = await module<Polling>("../../../../page/src/polling.ts");
  const tabs = Array.from({ length: count }, () => ({ shown: [] as number[], failures: 0 }));
  for (const tab of tabs) {
    const show = ({ readAtMs, failure }: Reading): void => {
      if (failure === undefined && readAtMs !== undefined) tab.shown.push(Date.now());
      else tab.failures += 1;
    };
    poll([member("supply_breakdown", (body) => body, show), member("rates", (body) => body, show)]);
    await vi.advanceTimersByTimeAsync(100);
  }
  return tabs;
}

describe("many readers behind one address", () => {
  test(`each of ${TABS} tabs has its figures for ${MINUTES} minutes, and a tracker there its 60 requests`, async () => {
    const { send, calls } = edge();
    online(send);
    const tabs = await openTabs(TABS);
    const answers: number[] = [];
    for (let minute = 0; minute < MINUTES; minute += 1) {
      for (let asked = 0; asked < 60; asked += 1) answers.push((await send("/api/circulating-supply")).status);
      expect((await send("/api/circulating-supply")).status, "the tracker's quota is its own, and all of it").toBe(429);
      await pass(60);
    }
    expect(answers).toEqual(Array(60 * MINUTES).fill(200));
    for (const { shown, failures } of tabs) {
      expect(failures).toBe(0);
      // Two members each time.
      expect(shown.length).toBeGreaterThanOrEqual(2 * MINUTES - 2);
      expect(Date.now() - (shown.at(-1) ?? 0)).toBeLessThanOrEqual(76_000);
    }
    // Readers cost no call of a limiter object: those are the tracker's, of which the refused ones are known here.
    expect(calls()).toBe(61 * MINUTES);
    expect(new Set(sent.map(({ url }) => url))).toEqual(new Set(["/api/page"]));
  });

  test("embeds of as many pages show their figures too", async () => {
    const { send } = edge();
    online(send);
    const states: { kind: string; isStale?: boolean }[] = [];
    for (let tab = 0; tab < TABS; tab += 1) {
      const { Source } = await module<Embed>(`../../../../page/embed/source.ts?tab=${tab}`);
      for (const name of ["supply", "rates"])
        new Source(name, (body) => body).subscribe((reading) => (states[tab] = reading));
    }
    await pass(60 * MINUTES);
    expect(states.map(({ kind, isStale }) => [kind, isStale])).toEqual(Array(TABS).fill(["value", false]));
    expect(sent.every(({ status }) => status === 200)).toBe(true);
    expect(sent.length).toBeLessThanOrEqual(TABS * (MINUTES + 1));
  });

  test("no tab asks exactly one window after its last request, nor before it", async () => {
    const { send } = edge();
    online(send);
    await openTabs(1);
    await pass(60 * 20);
    const gaps = sent.slice(1).map(({ atMs }, index) => (atMs - (sent[index]?.atMs ?? 0)) / 1_000);
    expect(gaps.length).toBeGreaterThan(15);
    for (const gap of gaps) expect(gap).toBeGreaterThan(PAGE_POLICY.windowSeconds);
    for (const gap of gaps) expect(gap).toBeLessThanOrEqual(1.25 * PAGE_POLICY.windowSeconds + 1);
    expect(new Set(gaps.map(Math.round)).size).toBeGreaterThan(5);
  });

  test.each([1, 2])("where even that quota is too small, no tab goes without (random numbers %i)", async (seed) => {
    vi.spyOn(Math, "random").mockImplementation(sequence(seed));
    const { send } = edge();
    const log = new SlidingWindowLog({ quota: 60, windowMs: 60_000, maxBytes: 2 ** 24 });
    online(async (path) => {
      const decision = log.take(ADDRESS, Date.now());
      if (decision >= 0) return send(path);
      return new Response("{}", { status: 429, headers: { "Retry-After": String(Math.ceil(-decision / 1_000)) } });
    });
    const tabs = await openTabs(90);
    await pass(60 * 6);
    expect(sent.filter(({ status }) => status === 429).length, "the quota is too small").toBeGreaterThan(20);
    expect(tabs.filter(({ shown }) => shown.length === 0)).toEqual([]);
  });
});

test(`${PAGE_POLICY.quota} requests of one address are admitted in a minute, and the next is told when to come back`, async () => {
  const { send } = edge();
  const statuses = new Set<number>();
  for (let asked = 0; asked < PAGE_POLICY.quota; asked += 1) statuses.add((await send("/api/page")).status);
  expect([...statuses]).toEqual([200]);
  const refused = await send("/api/page/history");
  expect([refused.status, refused.headers.get("RateLimit"), refused.headers.get("Retry-After")]).toEqual([
    429,
    "page;r=0;t=60",
    "60",
  ]);
  expect(refused.headers.get("RateLimit-Policy")).toBe("page;q=6000;w=60");
  expect((await send("/api/circulating-supply")).headers.get("RateLimit")).toBe("default;r=59;t=60");
  expect((await send("/api/page", "203.0.113.10")).headers.get("RateLimit")).toBe("page;r=5999;t=60");
  await pass(60);
  expect((await send("/api/page")).status).toBe(200);
});
