import { describe, expect, test } from "vitest";
import type { LedgerMark, LedgerPoint } from "../../../src/chain/ledger-point.ts";
import { Gateway } from "../../../src/gateway/gateway.ts";
import type { Candidate } from "../../../src/gateway/gateway-ports.ts";
import { NO_CALLER } from "../../../src/gateway/no-caller.ts";
import type { CachedResponse } from "../../../src/gateway/node-types.ts";
import { finished, resultOf } from "../../../src/gateway/result.ts";
import { markOf, TipMemory } from "../../../src/gateway/tip/known-tip.ts";
import { requestFor } from "./requests.ts";
import { cachedResponse, NOW_MS, portsWith } from "./scripted.ts";
import { ledgerAt } from "./upstream/nodes.ts";

const PATH = "/v1/accounts/0x1";
const at = (version: bigint): LedgerMark => markOf(0, ledgerAt(version));
const unnamed = (version: bigint): LedgerMark => ({ epoch: 0, version, fields: "" });

function builder(seenHere: LedgerPoint | null = null) {
  const [noted, notedHere, logged]: [bigint[], bigint[], string[]] = [[], [], []];
  const ports = portsWith({ log: (event) => void logged.push(event) });
  const known = new TipMemory();
  const admission = {
    ...NO_CALLER,
    note: async ({ version }: LedgerMark) => noted.push(version) > 0,
    noteHere: ({ version }: LedgerPoint) => void notedHere.push(version),
    seenHere: () => seenHere,
  };
  const context = { region: "here", admission, minVersion: null, requestId: "r", waitUntil: () => undefined };
  return { ports, known, context, noted, notedHere, logged };
}

const candidate = (value: CachedResponse, more: Partial<Candidate> = {}): Candidate => ({
  ...{ value, source: "upstream", ageMs: 0, shows: null, isNoted: false, attempts: [] },
  ...more,
});

describe("a response that names its own point of the chain", () => {
  test.each<[string, LedgerMark | null, boolean, bigint[], bigint[]]>([
    ["new to the caller's object is noted there", null, false, [9n], []],
    ["noted by the shield is remembered here", null, true, [], [9n]],
    ["at the point that the caller has seen is remembered here", at(9n), false, [], [9n]],
    ["above what the caller has seen is noted there", at(8n), false, [9n], []],
  ])("%s", async (_what, floor, isNoted, there, here) => {
    const { known, context, noted, notedHere } = builder();
    const found = candidate(cachedResponse(), { isNoted });
    const request = await requestFor("GET", PATH);
    const result = await finished(request, context, known, found, null, { refusal: null, floor });
    expect([noted, notedHere]).toEqual([there, here]);
    expect(result).toMatchObject({ kind: "served", tip: null, value: { ledger: { version: 9n } } });
  });

  test.each([
    [9n, "served"],
    [10n, "node"],
  ])("with version %d required is %s", async (minVersion, kind) => {
    const { known, context } = builder();
    const request = await requestFor("GET", PATH);
    const admitted = { refusal: null, floor: null };
    const found = candidate(cachedResponse());
    const finishing = finished(request, { ...context, minVersion }, known, found, null, admitted);
    expect((await finishing).kind).toBe(kind);
  });
});

describe("a timeless response", () => {
  const timeless = cachedResponse({ retention: "immutable", seconds: 86_400 });
  test.each<[string, LedgerMark | null, LedgerMark | null, LedgerMark | null, bigint | null, bigint | null, bigint[]]>([
    ["names its own point, noted, when none else is known", null, null, null, 9n, null, [9n]],
    ["names the point recorded before", at(12n), null, null, 12n, 12n, []],
    ["names the limiter's point, when that is later", at(10n), at(12n), null, 12n, 12n, []],
    ["names the shield's point, when that is later", at(10n), null, at(12n), 12n, 12n, []],
    ["names no point when the caller's is unnamed", null, unnamed(12n), null, null, null, []],
    ["is noted when it is later than all of them", at(8n), at(7n), null, 9n, 9n, [9n]],
  ])("%s", async (_what, noted, floor, shows, version, tip, notes) => {
    const world = builder();
    const request = await requestFor("GET", PATH);
    const found = candidate(timeless, { shows });
    const result = await finished(request, world.context, world.known, found, noted, { refusal: null, floor });
    if (result.kind !== "served") throw new Error(result.kind);
    expect((result.tip ?? result.value.ledger)?.version ?? null).toBe(version);
    if (tip !== null) expect(world.known.tip?.ledger.version).toBe(tip);
    expect([world.noted, world.notedHere]).toEqual([notes, []]);
  });
});

describe("while the shield does not respond", () => {
  const serve = async (value: CachedResponse | null, seenHere: LedgerPoint | null = null, floor = seenHere) => {
    const { ports, context, logged } = builder(seenHere);
    const request = await requestFor("GET", PATH);
    if (value !== null) ports.memory.set(request.key, value);
    const admit = async () => ({ refusal: null, floor: floor === null ? null : { ...floor, fields: "" } });
    const admission = { ...context.admission, admit };
    const result = await new Gateway(ports).answer(request, { ...context, admission });
    const events = logged.filter((event) => event !== "shield_error");
    return result.kind === "served" ? [result.source, result.ageMs, ...events] : result;
  };
  const old = (milliseconds: number, more: Partial<CachedResponse> = {}) =>
    cachedResponse({ storedAtMs: NOW_MS - milliseconds, ...more });
  const SERVED = ["stale", 5_000, "stale_served"];
  const UNAVAILABLE = { status: 503, retryAfterSeconds: 1, message: "No chain node answers at the moment." };

  test.each<[string, CachedResponse | null, bigint | null, unknown]>([
    ["what is in memory is served", old(5_000), null, SERVED],
    ["what is not in memory is unavailable", null, null, UNAVAILABLE],
    ["up to its maximum age", old(30_000), null, ["stale", 30_000, "stale_served"]],
    ["not beyond its maximum age", old(30_001), null, UNAVAILABLE],
    ["not a response that did not exist yet", old(5_000, { status: 404, seconds: 0.5 }), null, UNAVAILABLE],
    ["at what its caller has seen", old(5_000), 9n, SERVED],
    ["not below what its caller has seen", old(5_000), 10n, UNAVAILABLE],
    ["a timeless response, whatever its caller has seen", old(5_000, { retention: "ttl", seconds: 1 }), 10n, SERVED],
    ["a response without a ledger, whatever its caller has seen", old(5_000, { ledger: null }), 10n, SERVED],
  ])("%s", async (_what, value, version, expected) => {
    const result = await serve(value, version === null ? null : { epoch: 0, version });
    if (Array.isArray(expected)) expect(result).toEqual(expected);
    else expect(result).toMatchObject({ ...UNAVAILABLE });
  });

  test.each([
    [{ epoch: 0, version: 10n }, null],
    [null, { epoch: 0, version: 10n }],
  ])("seen in this isolate %o or elsewhere %o: an older response is not served", async (seenHere, floor) => {
    expect(await serve(old(5_000), seenHere, floor)).toMatchObject(UNAVAILABLE);
  });
});

test("the time at upstreams is that of all attempts, and an age is never negative", async () => {
  const attempts = [
    { upstream: "a", result: "timeout", milliseconds: 40 } as const,
    { upstream: "b", result: "ok", milliseconds: 2 } as const,
  ];
  const found = candidate(cachedResponse(), { attempts, ageMs: -5 });
  expect(resultOf(await requestFor("GET", PATH), found, null)).toMatchObject({ upstreamMs: 42, ageMs: 0 });
});
