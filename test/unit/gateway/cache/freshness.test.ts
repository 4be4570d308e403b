import { expect, test } from "vitest";
import {
  ageMs,
  cacheKeyOf,
  isFresh,
  isLastGood,
  isNotBelow,
  isStorable,
  mayBeImmutable,
  mayBeTimeless,
} from "../../../../src/gateway/cache/freshness.ts";
import type { Tip } from "../../../../src/gateway/model/ledger.ts";
import type { CachedResponse, Retention } from "../../../../src/gateway/model/node-types.ts";
import { requestFor } from "../requests.ts";
import { ledgerAt } from "../upstream/nodes.ts";

const NOW_MS = 10_000_000;
const stored = (retention: Retention, more: Partial<CachedResponse> = {}): CachedResponse => ({
  status: 200,
  contentType: "application/json",
  body: new Uint8Array(),
  extras: {},
  etag: '"e"',
  ledger: ledgerAt(9n),
  retention,
  seconds: 60,
  storedAtMs: NOW_MS - 5_000,
  era: 3,
  timeless: false,
  point: { era: 3, version: 9n },
  revealed: { era: 3, version: 9n },
  ...more,
});
const tip = (version: bigint, confirmedMsAgo: number, era = 3): Tip => ({
  era,
  ledger: ledgerAt(version),
  confirmedAtMs: NOW_MS - confirmedMsAgo,
});
const storedAgo = (milliseconds: number) => ({ storedAtMs: NOW_MS - milliseconds });

test.each<[string, CachedResponse, Tip | null, boolean]>([
  ["immutable, within its time", stored("immutable", storedAgo(59_999)), tip(99n, 9_999_999), true],
  ["immutable, at the end of its time", stored("immutable", storedAgo(60_000)), null, false],
  ["immutable, stored before the clock was set back", stored("immutable", storedAgo(-1)), null, true],
  ["immutable, of another era", stored("immutable"), tip(9n, 0, 4), false],
  ["immutable, before anything is known", stored("immutable"), null, true],
  ["valid for seconds, within them", stored("ttl", storedAgo(59_999)), null, true],
  ["valid for seconds, after them", stored("ttl", storedAgo(60_000)), null, false],
  ["valid for seconds, stored this instant", stored("ttl", storedAgo(0)), null, true],
  ["valid for seconds, stored in the future", stored("ttl", storedAgo(-1)), null, false],
  ["valid at the tip, reported within the last second", stored("until-tip", storedAgo(999)), tip(12n, 0), true],
  ["valid at the tip, reported a second ago", stored("until-tip", storedAgo(1_000)), tip(12n, 0), false],
  ["valid at the tip, reported this instant", stored("until-tip", storedAgo(0)), tip(12n, 0), true],
  ["valid at the tip, reported in the future", stored("until-tip", storedAgo(-1)), tip(12n, 0), false],
  ["valid at the tip, of no known version", stored("until-tip", { ...storedAgo(0), point: null }), tip(9n, 0), false],
  ["valid at the tip, which was confirmed this instant", stored("until-tip"), tip(9n, 0), true],
  ["valid at the tip, which was confirmed within the last second", stored("until-tip"), tip(9n, 999), true],
  ["valid at the tip, which was confirmed a second ago", stored("until-tip"), tip(9n, 1_000), false],
  ["valid at the tip, confirmed in the future", stored("until-tip"), tip(9n, -1), false],
  ["below the tip", stored("until-tip"), tip(10n, 0), false],
  ["above the tip, which is impossible on one chain", stored("until-tip"), tip(8n, 0), false],
  ["at the tip of another era", stored("until-tip"), tip(9n, 0, 4), false],
  [
    "at the tip, but older than its time",
    stored("until-tip", { ...storedAgo(60_000), seconds: 60 }),
    tip(9n, 0),
    false,
  ],
  ["not to be stored", stored("no-store", storedAgo(0)), tip(9n, 0), false],
])("fresh or not: %s", (_what, value, known, expected) => {
  expect(isFresh(value, known, NOW_MS)).toBe(expected);
});

test.each<[string, CachedResponse, Tip | null, number]>([
  ["immutable: since it was stored", stored("immutable"), tip(9n, 300), 5_000],
  ["at the tip: since that was confirmed", stored("until-tip"), tip(9n, 300), 300],
  ["at the tip, stored since", stored("until-tip", storedAgo(100)), tip(9n, 300), 100],
  ["below the tip: since it was stored", stored("until-tip"), tip(10n, 300), 5_000],
  ["above the tip: since it was stored", stored("until-tip"), tip(8n, 300), 5_000],
  ["no tip known: since it was stored", stored("until-tip"), null, 5_000],
  ["stored in the future: none", stored("ttl", storedAgo(-5)), null, 0],
  ["at a tip confirmed in the future: none", stored("until-tip"), tip(9n, -5), 0],
  ["at the tip of another era: since it was stored", stored("until-tip"), tip(9n, 300, 4), 5_000],
])("age, %s", (_what, value, known, expected) => {
  expect(ageMs(value, known, NOW_MS)).toBe(expected);
});

test.each<[string, CachedResponse, number, boolean]>([
  ["a successful response within its bound", stored("until-tip"), 30_000, true],
  ["a successful response after it", stored("until-tip"), 30_001, false],
  ["an absence at the tip", stored("until-tip", { status: 404 }), 0, true],
  ["what does not exist yet", stored("until-tip", { status: 404, seconds: 0.5 }), 0, false],
  ["pruned history", stored("ttl", { status: 410 }), 0, false],
  ["a response below the floor", stored("until-tip", { point: { era: 3, version: 8n } }), 0, false],
])("while no upstream answers, %s may be served after %i ms: %s", (_what, value, age, expected) => {
  expect(isLastGood(value, { era: 3, version: 9n }, age, 30)).toBe(expected);
});

test.each([
  ["/v1/accounts/0x1?ledger_version=9", true],
  ["/v1/transactions?start=9", true],
  ["/v1/transactions/by_version/9", true],
  ["/v1/blocks/by_height/9", true],
  ["/v1/blocks/by_version/9", true],
  [`/v1/transactions/by_hash/${"a".repeat(64)}`, true],
  ["/v1/transactions", false],
  ["/v1/accounts/0x1", false],
])("%s names what may be immutable: %s", async (path, expected) => {
  expect(mayBeImmutable(await requestFor("GET", path))).toBe(expected);
});

test("wait_by_hash is answered from the cached response of by_hash", async () => {
  const hash = "a".repeat(64);
  const [wait, look] = [
    await requestFor("GET", `/v1/transactions/wait_by_hash/${hash}`),
    await requestFor("GET", `/v1/transactions/by_hash/${hash}`),
  ];
  expect([cacheKeyOf(wait), cacheKeyOf(look)]).toEqual([look.key, look.key]);
});

test.each<[string, CachedResponse, boolean]>([
  ["a response for any time", stored("until-tip"), true],
  ["one that is not to be stored", stored("no-store"), false],
  ["one that is passed on as it arrives", stored("ttl", { large: { length: 9, stream: new ReadableStream() } }), false],
])("%s may be stored: %s", (_what, value, expected) => {
  expect(isStorable(value)).toBe(expected);
});

test.each([
  ["/v1/estimate_gas_price", true],
  ["/v1/transactions/by_version/9", true],
  ["/v1/accounts/0x1", false],
])("the response of %s may be valid at any point of the chain: %s", async (path, expected) => {
  expect(mayBeTimeless(await requestFor("GET", path))).toBe(expected);
});

const TIMELESS = { timeless: true };
test.each<[string, CachedResponse, { era: number; version: bigint } | null, boolean]>([
  ["timeless, below the floor's version", stored("immutable", TIMELESS), { era: 3, version: 99n }, true],
  ["timeless, of an older era than the floor", stored("immutable", TIMELESS), { era: 4, version: 0n }, false],
  ["timeless, of a newer era than the floor", stored("immutable", TIMELESS), { era: 2, version: 99n }, true],
  ["at the tip, at the floor", stored("until-tip"), { era: 3, version: 9n }, true],
  ["at the tip, below the floor", stored("until-tip"), { era: 3, version: 10n }, false],
  ["anything, without a floor", stored("until-tip"), null, true],
])("a response that is %s may be sent: %4$s", (_what, value, floor, expected) => {
  expect(isNotBelow(value, floor)).toBe(expected);
});
