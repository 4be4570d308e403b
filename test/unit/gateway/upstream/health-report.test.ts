import { expect, test } from "vitest";
import { upstreamReports } from "../../../../src/gateway/upstream/health-report.ts";
import { UNKNOWN, type UpstreamState, upstreamAt } from "../../../../src/gateway/upstream/state.ts";
import { ledgerAt } from "./nodes.ts";

const NOW_MS = 1_000_000;
const GOOD: UpstreamState = { ...UNKNOWN, respondedAtMs: NOW_MS - 9_999, ledger: ledgerAt(90n) };
const reportOf = (state: Partial<UpstreamState>, tip: bigint | null = 100n) => {
  const upstream = upstreamAt(0, "upstream-1");
  upstream.state = { ...GOOD, ...state };
  return upstreamReports([upstream], tip === null ? null : ledgerAt(tip), NOW_MS)[0];
};
const opened = (untilMs: number) => ({ failedProbes: 3, pauses: { down: { fromMs: 0, untilMs } } });

test("a healthy upstream is reported by its label, with its lag", () => {
  expect(reportOf({})).toEqual({
    label: "upstream-1",
    reachable: true,
    ledgerVersion: "90",
    lag: "10",
    breaker: "closed",
    distrust: null,
    isOutdated: false,
  });
});

test.each<[string, Partial<UpstreamState>, bigint | null, object]>([
  ["ahead of the tip lags by nothing", {}, 80n, { lag: "0" }],
  ["one version behind the tip lags by one", {}, 91n, { lag: "1" }],
  ["at the tip lags by nothing", {}, 90n, { lag: "0" }],
  ["lags by an unknown number of versions while no tip is known", {}, null, { lag: null, ledgerVersion: "90" }],
  ["is outdated", { ledger: ledgerAt(90n, { timestampMicros: 989_999_999n }) }, 100n, { isOutdated: true }],
  ["is ten seconds behind", { ledger: ledgerAt(90n, { timestampMicros: 990_000_000n }) }, 100n, { isOutdated: false }],
  ["has reported no ledger", { ledger: null }, 100n, { lag: null, ledgerVersion: null }],
  ["answered ten seconds ago", { respondedAtMs: NOW_MS - 10_000 }, 100n, { reachable: false }],
  ["answered just now", { respondedAtMs: NOW_MS }, 100n, { reachable: true }],
  [
    "answered in the future, as a clock that was set back has it",
    { respondedAtMs: NOW_MS + 1 },
    100n,
    { reachable: false },
  ],
  ["never answered", { respondedAtMs: null }, 100n, { reachable: false }],
  ["failed a probe", { failedProbes: 1 }, 100n, { reachable: false, breaker: "closed" }],
  ["is not called", opened(NOW_MS + 1), 100n, { reachable: false, breaker: "open" }],
  ["is probed", opened(NOW_MS), 100n, { reachable: false, breaker: "half_open" }],
  [
    "is of another chain",
    { pauses: { wrong_chain: { fromMs: 0, untilMs: NOW_MS + 1 } }, contradictedAtMs: NOW_MS },
    100n,
    { distrust: "wrong_chain" },
  ],
  ["was of another chain", { pauses: { wrong_chain: { fromMs: 0, untilMs: NOW_MS } } }, 100n, { distrust: null }],
  ["contradicted itself within a minute", { contradictedAtMs: NOW_MS - 59_999 }, 100n, { distrust: "contradicts" }],
  ["contradicted itself a minute ago", { contradictedAtMs: NOW_MS - 60_000 }, 100n, { distrust: null }],
])("one that %s", (_what, state, tip, expected) => {
  expect(reportOf(state, tip)).toMatchObject(expected);
});
