import { expect, test } from "vitest";
import type { TrustedLedger } from "../../../../src/gateway/upstream/pool.ts";
import { contradict, isOutdated, isPlausible, withReport } from "../../../../src/gateway/upstream/trusted-ledger.ts";
import { ledgerAt } from "./nodes.ts";

const NOW_MS = 1_000_000;
/** Sampled at version 1,000 some time ago, at a known speed. */
const trusted = (sampledMsAgo: number, versionsPerSecond = 0): TrustedLedger => ({
  ledger: ledgerAt(1_000n),
  sample: { version: 1_000n, atMs: NOW_MS - sampledMsAgo },
  versionsPerSecond,
});

test.each<[string, TrustedLedger, bigint, boolean]>([
  ["the same version", trusted(0), 1_000n, true],
  ["a lower one", trusted(0), 1n, true],
  ["the slack of an idle chain", trusted(0), 1_200n, true],
  ["one version more", trusted(0), 1_201n, false],
  ["an idle chain gains no slack over time", trusted(3_600_000), 1_201n, false],
  ["four times the speed, for one second and the time since", trusted(2_000, 100), 2_400n, true],
  ["one version more than that", trusted(2_000, 100), 2_401n, false],
  ["no slack for a clock that was set back", trusted(-5_000, 100), 1_600n, true],
  ["one version more than that slack", trusted(-5_000, 100), 1_601n, false],
  ["the far future", trusted(86_400_000, 50_000), 2n ** 63n - 1n, false],
])("plausible or not: %s", (_what, known, version, expected) => {
  expect(isPlausible(known, version, NOW_MS)).toBe(expected);
});

test.each<[string, TrustedLedger | null, bigint, Partial<TrustedLedger>]>([
  ["the first is trusted as it is", null, 7n, { sample: { version: 7n, atMs: NOW_MS }, versionsPerSecond: 0 }],
  ["a lower one changes nothing", trusted(2_000, 9), 999n, trusted(2_000, 9)],
  ["within a second of the sample only the ledger moves", trusted(999, 9), 1_100n, trusted(999, 9)],
  [
    "after a second the speed is measured",
    trusted(1_000),
    1_500n,
    { sample: { version: 1_500n, atMs: NOW_MS }, versionsPerSecond: 500 },
  ],
  ["a slower second lowers it by a tenth", trusted(1_000, 500), 1_001n, { versionsPerSecond: 450 }],
  ["it has an upper bound", trusted(1_000), 10_000_000n, { versionsPerSecond: 50_000 }],
  ["a clock that was set back measures nothing", trusted(-1, 9), 1_500n, { versionsPerSecond: 9 }],
])("a reported ledger: %s", (_what, known, version, expected) => {
  const { ledger: _ledger, ...rest } = expected;
  expect(withReport(known, ledgerAt(version), NOW_MS)).toMatchObject(rest);
});

test("the newest trusted version never decreases", () => {
  expect(withReport(trusted(5_000), ledgerAt(999n), NOW_MS).ledger.version).toBe(1_000n);
  expect(withReport(trusted(500), ledgerAt(1_100n), NOW_MS).ledger.version).toBe(1_100n);
});

const at = (version: bigint, seconds: number) => ledgerAt(version, { timestampMicros: BigInt(seconds) * 1_000_000n });

test.each([
  ["at one time, 50,000 versions apart", at(0n, 100), at(50_000n, 100), false],
  ["at one time, further apart", at(0n, 100), at(50_001n, 100), true],
  ["a second apart, 100,000 versions", at(0n, 100), at(100_000n, 101), false],
  ["a second apart, more", at(0n, 100), at(100_001n, 101), true],
  ["where the later one has the earlier time", at(0n, 100), at(50_001n, 90), true],
  ["where one lags by a minute", at(0n, 100), at(10_000_000n, 160), true],
  ["where one lags by more: it does not count", at(0n, 100), at(10_000_000n, 161), false],
])("two ledgers contradict one another or not: %s", (_what, left, right, expected) => {
  expect([contradict(left, right), contradict(right, left)]).toEqual([expected, expected]);
});

test.each([
  ["ten seconds behind", at(1n, 100), at(2n, 110), false],
  ["further behind", at(1n, 100), { ...at(2n, 110), timestampMicros: 110_000_001n }, true],
  ["at the same version, with an older time", at(2n, 100), at(2n, 200), false],
  ["above the newest, with an older time", at(3n, 100), at(2n, 200), false],
  ["compared with a time in the future", at(1n, NOW_MS / 1_000), at(2n, NOW_MS), false],
])("a ledger is outdated or not: %s", (_what, ledger, newest, expected) => {
  expect(isOutdated(ledger, newest, NOW_MS)).toBe(expected);
});
