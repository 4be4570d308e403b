import { beforeEach, describe, expect, test } from "vitest";
import type { LedgerPoint } from "../../../src/chain/ledger-point.ts";
import type { GatewayPorts } from "../../../src/gateway/gateway-ports.ts";
import { IsolateCache } from "../../../src/gateway/isolate-cache.ts";
import { NO_CALLER } from "../../../src/gateway/no-caller.ts";
import type { CachedResponse } from "../../../src/gateway/node-types.ts";
import { ResponseSources } from "../../../src/gateway/response-sources.ts";
import type { ShieldRequest, ShieldResult } from "../../../src/gateway/shield/messages.ts";
import { markOf, TipMemory } from "../../../src/gateway/tip/known-tip.ts";
import type { Attempt } from "../../../src/gateway/upstream/failover.ts";
import type { MetricsEvent } from "../../../src/metrics.ts";
import { requestFor } from "./requests.ts";
import { cachedResponse, DOWN, NOW_MS, portsWith, shieldValue } from "./scripted.ts";
import { ledgerAt } from "./upstream/nodes.ts";

const TIP = "/v1/accounts/0x1";
const COMMITTED = "/v1/transactions/by_version/5";
const FACTS = { outdated: [1], tip: null, tipAgeMs: 0, elapsedMs: 0 };
const OK: Attempt = { upstream: "a", result: "ok", milliseconds: 7 };
const immutable = (etag: string, more: Partial<CachedResponse> = {}) =>
  cachedResponse({ retention: "immutable", seconds: 86_400, etag, ...more });

let nowMs: number;
let known: TipMemory;
let ports: GatewayPorts;
let reads: ShieldRequest[];
/** How long the shield's call takes, and with what it ends. */
let shieldMs: number;
let result: ShieldResult | null;
let nearby: CachedResponse | undefined;
let logged: string[];
let metrics: MetricsEvent[];
let learned: unknown[];
let notedHere: LedgerPoint[];

beforeEach(() => {
  nowMs = NOW_MS;
  known = new TipMemory();
  known.learn({ epoch: 0, ledger: ledgerAt(9n), confirmedAtMs: NOW_MS });
  [reads, shieldMs, result, nearby] = [[], 0, shieldValue(cachedResponse()), undefined];
  [logged, metrics, learned, notedHere] = [[], [], [], []];
  ports = portsWith({
    now: () => nowMs,
    cached: async () => nearby,
    shield: async (_region, read) => {
      reads.push(read);
      nowMs += shieldMs;
      if (result === null) throw new Error("the object was reset");
      return result;
    },
    learnUpstreams: (findings) => void learned.push(findings.outdated),
    log: (event) => void logged.push(event),
    count: (metric) => void metrics.push(metric),
  });
});

async function find(path: string, minVersion: bigint | null = null, round = 1) {
  const admission = { ...NO_CALLER, noteHere: (point: LedgerPoint) => void notedHere.push(point) };
  const context = { region: "here", admission, minVersion, requestId: "r", waitUntil: () => undefined };
  const sources = new ResponseSources(ports, known, new IsolateCache(ports, known));
  const request = await requestFor("GET", path);
  return round === 1 ? sources.find(request, context, null) : sources.fromShield(request, context, null, null);
}

describe("the shield's response", () => {
  test("is as old as it was there, plus the time on the way", async () => {
    shieldMs = 100;
    result = shieldValue(cachedResponse(), { ageMs: 500, elapsedMs: 60, source: "shield" });
    // All 40 ms that were not spent in the shield may have been the way back.
    expect(await find(TIP)).toMatchObject({ ageMs: 540, value: { storedAtMs: NOW_MS + 100 - 540 } });
  });

  test("is not older than it was there when the shield's clock measured more than the call took", async () => {
    shieldMs = 50;
    result = shieldValue(cachedResponse(), { ageMs: 500, elapsedMs: 60 });
    expect(await find(TIP)).toMatchObject({ ageMs: 500 });
  });

  test("teaches the tip, as old as it was there, plus the time on the way", async () => {
    shieldMs = 100;
    const tip = { epoch: 0, ledger: ledgerAt(12n), confirmedAtMs: 1 };
    result = shieldValue(cachedResponse(), { tip, tipAgeMs: 300, elapsedMs: 60 });
    await find(TIP);
    expect(known.tip).toEqual({ ...tip, confirmedAtMs: NOW_MS + 100 - 300 - 40 });
  });

  test("reports its attempts and what it found out about the upstreams", async () => {
    const failed: Attempt = { upstream: "b", result: "timeout", milliseconds: 40 };
    result = shieldValue(cachedResponse(), { attempts: [failed, OK], outdated: [1] });
    await find(TIP);
    expect([metrics.length, logged, learned]).toEqual([2, ["upstream_error"], [[1]]]);
  });

  test.each([
    [true, "upstream", true, []],
    [false, "upstream", true, []],
    [true, "stale", false, ["stale_served"]],
  ] as const)("noted %s, from %s: is stored %s", async (isNoted, source, isStored, events) => {
    const shows = markOf(0, ledgerAt(9n));
    result = shieldValue(cachedResponse(), { shows, isNoted, source });
    expect(await find(TIP)).toMatchObject({ source, isNoted, shows: isNoted ? shows : null });
    expect([ports.memory.get("GET /accounts/0x1 json ") !== undefined, notedHere, logged]).toEqual([
      isStored,
      isNoted ? [shows] : [],
      events,
    ]);
  });

  test("is requested with the newest ledger that this isolate knows", async () => {
    await find(TIP);
    expect(reads[0]).toMatchObject({ epoch: 0, recent: ledgerAt(9n), floor: null, minVersion: null });
  });
});

describe("a shield that fails", () => {
  test.each([
    [1_999, 2],
    [2_000, 1],
  ])("after %i ms is called %i times", async (failsAfterMs, calls) => {
    [result, shieldMs] = [null, failsAfterMs];
    expect(await find(TIP)).toBeNull();
    expect([reads.length, logged]).toEqual([calls, Array(calls).fill("shield_error")]);
  });
});

describe("of what may be immutable", () => {
  test("the data centre's response is used without a call", async () => {
    nearby = immutable('"near"');
    expect(await find(COMMITTED)).toMatchObject({ source: "cache", value: { etag: '"near"' } });
    expect(reads).toEqual([]);
  });

  test.each<[string, ShieldResult | null, string]>([
    ["the shield's final response is preferred before the chain is known", shieldValue(immutable('"own"')), '"own"'],
    ["a pending one is not", shieldValue(cachedResponse({ retention: "no-store", etag: "" })), '"near"'],
    ["the data centre's is used when no upstream responds", { ...DOWN, ...FACTS }, '"near"'],
    ["the data centre's is used when the shield does not respond", null, '"near"'],
  ])("%s", async (_what, answer, etag) => {
    known = new TipMemory();
    [nearby, result] = [immutable('"near"'), answer];
    expect(await find(COMMITTED)).toMatchObject({ value: { etag } });
  });

  test("nothing is taken from the data centre in a second round", async () => {
    nearby = immutable('"near"');
    expect(await find(COMMITTED, null, 2)).toMatchObject({ source: "upstream" });
  });

  test("control: of what is not, nothing is taken from the data centre", async () => {
    nearby = cachedResponse({ etag: '"near"' });
    expect(await find(TIP)).toMatchObject({ source: "upstream" });
  });
});

test.each([
  [null, "No chain node answers at the moment.", 3],
  [12n, "Ledger version 12 is not available yet.", 1],
])("upstreams that lag, with version %s required: a 503", async (minVersion, message, retryAfterSeconds) => {
  result = { ...DOWN, ...FACTS, lagging: true };
  expect(await find(TIP, minVersion)).toMatchObject({ kind: "node", status: 503, message, retryAfterSeconds });
});
