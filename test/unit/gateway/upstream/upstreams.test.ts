import { expect, test } from "vitest";
import type { AttemptError } from "../../../../src/gateway/model/outcomes.ts";
import {
  isProven,
  LEDGER_INFO,
  poolOf,
  recordAttempts,
  type Upstream,
  upstreamsInOrder,
} from "../../../../src/gateway/upstream/upstreams.ts";
import { reportsOf } from "../../../../src/home/upstream-reports.ts";
import { ledgerAt } from "./nodes.ts";

type State = Upstream["state"];
const NOW_MS = 1_000_000;
const reportOf = (state: Partial<State>, newest: bigint | null = 100n) => {
  const pool = poolOf([
    { label: "upstream-1", origin: "a" },
    { label: "upstream-2", origin: "b" },
  ]);
  const [upstream, other] = pool.upstreams;
  if (upstream === undefined || other === undefined) throw new Error("two upstreams");
  upstream.state = { ...upstream.state, respondedAtMs: NOW_MS - 9_999, ledger: ledgerAt(90n), ...state };
  upstream.state = { ...upstream.state, reported: upstream.state.ledger };
  other.state = { ...other.state, reported: newest === null ? null : ledgerAt(newest) };
  pool.tip = newest === null ? null : { era: 0, ledger: ledgerAt(newest), confirmedAtMs: NOW_MS };
  return reportsOf(pool, NOW_MS)[0];
};

test("a healthy upstream is reported by its label, with its lag", () => {
  expect(reportOf({})).toEqual({
    label: "upstream-1",
    reachable: true,
    ledgerVersion: "90",
    lag: "10",
    breaker: "closed",
    exclusion: null,
    cause: null,
    isOutdated: false,
    readsAtMs: null,
  });
});

test.each<[string, Partial<State>, bigint | null, object]>([
  ["ahead of the tip lags by nothing", {}, 80n, { lag: "0" }],
  ["one version behind the tip lags by one", {}, 91n, { lag: "1" }],
  ["at the tip lags by nothing", {}, 90n, { lag: "0" }],
  ["lags by an unknown number of versions while no newest is known", {}, null, { lag: null, ledgerVersion: "90" }],
  ["is outdated", { ledger: ledgerAt(90n, { timestampMicros: 989_999_999n }) }, 100n, { isOutdated: true }],
  ["is ten seconds behind", { ledger: ledgerAt(90n, { timestampMicros: 990_000_000n }) }, 100n, { isOutdated: false }],
  ["has reported no ledger", { ledger: null }, 100n, { lag: null, ledgerVersion: null }],
  ["answered ten seconds ago", { respondedAtMs: NOW_MS - 10_000 }, 100n, { reachable: false }],
  ["answered just now", { respondedAtMs: NOW_MS }, 100n, { reachable: true }],
  ["answered in the future, for a clock that was set back", { respondedAtMs: NOW_MS + 1 }, 100n, { reachable: false }],
  ["never answered", { respondedAtMs: null }, 100n, { reachable: false }],
  ["failed a probe", { failedProbes: 1 }, 100n, { reachable: false, breaker: "open" }],
  ["limits us", { excluded: { why: "throttled", atMs: NOW_MS } }, 100n, { breaker: "open", exclusion: "throttled" }],
  [
    "limits us for eight seconds",
    {
      excluded: { why: "throttled", atMs: NOW_MS - 7_999, forMs: 8_000 },
      failure: { error: "throttled", status: 429 },
    },
    100n,
    { exclusion: "throttled", cause: "limits our requests until 1970-01-01T00:16:40Z (status 429)" },
  ],
  [
    "did so until now",
    { excluded: { why: "throttled", atMs: NOW_MS - 8_000, forMs: 8_000 } },
    100n,
    { exclusion: null, breaker: "closed" },
  ],
  ["is of another chain", { excluded: { why: "wrong_chain", atMs: NOW_MS } }, 100n, { exclusion: "wrong_chain" }],
  ["was contradicted", { excluded: { why: "contradicts", atMs: NOW_MS - 29_999 } }, 100n, { exclusion: "contradicts" }],
  ["was so half a minute ago", { excluded: { why: "contradicts", atMs: NOW_MS - 30_000 } }, 100n, { exclusion: null }],
])("one that %s", (_what, state, tip, expected) => {
  expect(reportOf(state, tip)).toMatchObject(expected);
});

test.each<[AttemptError, number | null, RegExp]>([
  ["refused", 401, /^answers with status 401: it wants a key, or another one \(NODE_API_KEY\)$/],
  ["refused", 402, /^answers with status 402: its operator wants to be paid$/],
  ["refused", 403, /^answers with status 403: its firewall or plan /],
  ["refused", 301, /^answers with status 301: it has moved, name its new address in NODE_URLS$/],
  ["refused", 404, /^answers with status 404: the path of its address in NODE_URLS is wrong$/],
  ["refused", 405, /^answers with status 405$/],
  ["headerless", 200, /^sends no ledger headers: a proxy may drop them$/],
  ["invalid", 200, /^answers something else than its ledger$/],
  ["failed", 502, /^answers with status 502$/],
  ["unavailable", 503, /^is unavailable \(status 503\)$/],
  ["silent", 408, /^answers with status 408$/],
  ["timeout", null, /^did not answer in 1.5 s$/],
  ["connect", null, /^cannot be connected$/],
  ["truncated", null, /^breaks off its answers$/],
])("health says of a node whose probe ended with %s %s what it does and what helps", (error, status, expected) => {
  expect(reportOf({ failedProbes: 1, failure: { error, status } })?.cause).toMatch(expected);
});

const twoAfter = (state: Partial<State>) => {
  const pool = poolOf(["first", "second"].map((label) => ({ label, origin: label })));
  const [first] = pool.upstreams;
  if (first === undefined) throw new Error("two upstreams");
  first.state = { ...first.state, ...state };
  return { pool, first };
};

test.each<[string, Partial<State>, string]>([
  ["one probe", { failedProbes: 1 }, "second"],
  ["no probe", {}, "first"],
])("an upstream that failed %s is called last or not", (_what, state, expected) => {
  expect(upstreamsInOrder(LEDGER_INFO, twoAfter(state).pool, NOW_MS)[0]?.label).toBe(expected);
});

test.each<[Parameters<typeof recordAttempts>[1][number]["result"], boolean, boolean]>([
  ["ok", true, true],
  ["pruned", true, true],
  ["lagging", true, true],
  ["no_connection", true, false],
  ["timeout", false, false],
  ["contradicts", false, false],
])(
  "after an attempt with the result %s a proven upstream is proven: %s, an unproven one: %s",
  (result, kept, gained) => {
    const afterwards = [NOW_MS - 1_000, null].map((respondedAtMs) => {
      const { pool, first } = twoAfter({ respondedAtMs });
      recordAttempts(pool, [{ upstream: "first", result, milliseconds: 5 }], null, NOW_MS);
      return isProven(first.state, NOW_MS);
    });
    expect(afterwards).toEqual([kept, gained]);
  },
);
