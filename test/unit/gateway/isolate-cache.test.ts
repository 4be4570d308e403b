import { beforeEach, describe, expect, test } from "vitest";
import { responseLru } from "../../../src/gateway/cache/lru.ts";
import { IsolateCache } from "../../../src/gateway/isolate-cache.ts";
import { NO_CALLER } from "../../../src/gateway/no-caller.ts";
import type { CachedResponse } from "../../../src/gateway/node-types.ts";
import { TipMemory } from "../../../src/gateway/tip/known-tip.ts";
import { requestFor } from "./requests.ts";
import { cachedResponse, NOW_MS, portsWith } from "./scripted.ts";
import { SimulatedTime } from "./simulated-time.ts";
import { ledgerAt } from "./upstream/nodes.ts";

const PATH = "/v1/accounts/0x1";
const KEY = "GET /accounts/0x1 json ";

let time: SimulatedTime;
let memory: ReturnType<typeof responseLru>;
let known: TipMemory;
let delayMs: number;
let isClaimed: boolean;
let found: CachedResponse | undefined;
let lookedUp: string[];
let claims: (readonly [string, number])[];
let shared: string[];
let cache: IsolateCache;

beforeEach(() => {
  time = new SimulatedTime(NOW_MS);
  memory = responseLru(100_000);
  known = new TipMemory();
  known.learn({ epoch: 0, ledger: ledgerAt(9n), confirmedAtMs: NOW_MS });
  [delayMs, isClaimed, found, lookedUp, claims, shared] = [1, false, undefined, [], [], []];
  const ports = portsWith({
    now: time.now,
    sleep: time.sleep,
    memory,
    cached: async (key) => {
      lookedUp.push(key);
      await time.sleep(delayMs);
      return found;
    },
    claim: async (...claim) => {
      claims.push(claim);
      await time.sleep(delayMs);
      return !isClaimed;
    },
    cache: async (key) => void shared.push(key),
  });
  cache = new IsolateCache(ports, known);
});

const find = async () => time.run(cache.find(await requestFor("GET", PATH)));
const learn = async () => time.run(cache.learn(await requestFor("GET", PATH)));

describe("a response that the data centre has", () => {
  test("is found by epoch and key, with its age", async () => {
    found = cachedResponse({ retention: "ttl", seconds: 2, storedAtMs: NOW_MS - 499 });
    // Of that 20 ms for the difference between two clocks, and 1 ms for the look-up.
    expect(await find()).toMatchObject({ source: "cache", ageMs: 520, isNoted: false, shows: null });
    known.learn({ epoch: 7, ledger: ledgerAt(1n), confirmedAtMs: NOW_MS });
    expect(await find(), "of another epoch").toBeUndefined();
    expect(lookedUp).toEqual([`0 ${KEY}`, `7 ${KEY}`]);
  });

  test.each([
    [4, true],
    [5, true],
    [6, false],
  ])("after %i ms is used: %s", async (after, isUsed) => {
    delayMs = after;
    found = cachedResponse();
    expect((await find()) !== undefined).toBe(isUsed);
  });

  test("is not used when it is no longer fresh", async () => {
    found = cachedResponse({ retention: "ttl", seconds: 1, storedAtMs: NOW_MS - 1_000 });
    expect(await find()).toBeUndefined();
  });

  test.each([
    ["immutable", 0],
    ["until-tip", 20],
    ["ttl", 20],
  ] as const)("and is %s counts as stored %i ms earlier: clocks differ", async (retention, earlierMs) => {
    found = cachedResponse({ retention });
    expect((await learn())?.storedAtMs).toBe(NOW_MS - earlierMs);
    expect(memory.get(KEY)?.storedAtMs).toBe(NOW_MS - earlierMs);
  });

  test("is not kept before the chain's epoch is known", async () => {
    cache = new IsolateCache(portsWith({ memory, cached: async () => cachedResponse() }), new TipMemory());
    expect(await learn()).toEqual(cachedResponse());
    expect(memory.size).toBe(0);
  });

  test.each<[string, Partial<CachedResponse>, boolean]>([
    ["of a later version", { ledger: ledgerAt(10n), storedAtMs: NOW_MS - 900 }, true],
    ["of an earlier version", { ledger: ledgerAt(8n), storedAtMs: NOW_MS + 900 }, false],
    ["of the same version, reported later", { storedAtMs: NOW_MS + 21 }, true],
    ["of the same version, reported at the same time", { storedAtMs: NOW_MS + 20 }, false],
    ["without a ledger", { ledger: null, storedAtMs: NOW_MS + 900 }, false],
  ])("%s replaces this isolate's: %s", async (_what, more, isReplaced) => {
    const own = cachedResponse();
    memory.set(KEY, own);
    found = cachedResponse(more);
    await learn();
    expect(memory.get(KEY) !== own).toBe(isReplaced);
  });

  test.each([
    [21, true],
    [20, false],
  ])("without a ledger, reported %i ms later, replaces one without a ledger: %s", async (laterMs, isReplaced) => {
    const own = cachedResponse({ ledger: null });
    memory.set(KEY, own);
    found = cachedResponse({ ledger: null, storedAtMs: NOW_MS + laterMs });
    await learn();
    expect(memory.get(KEY) !== own).toBe(isReplaced);
  });

  test.each([
    ["until-tip", 10n, NOW_MS - 20],
    ["immutable", 10n, Number.NEGATIVE_INFINITY],
    ["ttl", 10n, Number.NEGATIVE_INFINITY],
    ["until-tip", 8n, null],
  ] as const)("that is %s, of version %d, confirms the tip at %s", async (retention, version, confirmedAtMs) => {
    found = cachedResponse({ retention, ledger: ledgerAt(version) });
    await learn();
    const expected = confirmedAtMs === null ? [9n, NOW_MS] : [version, confirmedAtMs];
    expect([known.tip?.ledger.version, known.tip?.confirmedAtMs]).toEqual(expected);
  });
});

describe("of the isolates that want to renew a response", () => {
  const claim = async () => time.run(cache.claimRenewal(await requestFor("GET", PATH)));

  test.each([
    [false, true],
    [true, false],
  ])("one whose claim is already taken %s may: %s", async (taken, expected) => {
    isClaimed = taken;
    expect(await claim()).toBe(expected);
    expect(claims).toEqual([[`renewal 0 ${KEY}`, 60]]);
  });

  test("each may when the data centre's cache is slow", async () => {
    [isClaimed, delayMs] = [true, 6];
    expect(await claim()).toBe(true);
  });
});

test.each<[string, Partial<CachedResponse>, boolean, boolean]>([
  ["valid for a second", { retention: "ttl", seconds: 1 }, true, true],
  ["valid for half a second", { seconds: 0.5 }, true, false],
  ["not to be stored", { retention: "no-store", seconds: 60 }, false, false],
])("a response that is %s is remembered here %s, and for the data centre %s", (_what, more, isHere, isShared) => {
  const context = { region: "here", admission: NO_CALLER, minVersion: null, requestId: "r" };
  cache.store(KEY, cachedResponse({ epoch: 7, ...more }), { ...context, waitUntil: () => undefined });
  expect([memory.size === 1, shared]).toEqual([isHere, isShared ? [`7 ${KEY}`] : []]);
});
