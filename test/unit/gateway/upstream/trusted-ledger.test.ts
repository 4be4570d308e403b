import { describe, expect, test } from "vitest";
import { poolOf, type TrustedLedger } from "../../../../src/gateway/upstream/pool.ts";
import { exclusionOf } from "../../../../src/gateway/upstream/state.ts";
import {
  contradict,
  isOutdated,
  isPlausible,
  learnTip,
  trustReports,
  verifyReport,
  withReport,
} from "../../../../src/gateway/upstream/trusted-ledger.ts";
import { errorOf, ledgerAt, NodeWorld } from "./nodes.ts";

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
  ["four times the speed, for one second and half a second since", trusted(500, 100), 1_800n, true],
  ["one version more than that in half a second", trusted(500, 100), 1_801n, false],
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
  ["in half a minute, per second", trusted(30_000), 4_000n, { versionsPerSecond: 100 }],
  [
    "the same version again is a sample",
    trusted(2_000, 10),
    1_000n,
    { sample: { version: 1_000n, atMs: NOW_MS }, versionsPerSecond: 9 },
  ],
  [
    "a clock that was set back begins a sample",
    trusted(-1, 9),
    1_500n,
    { sample: { version: 1_500n, atMs: NOW_MS }, versionsPerSecond: 9 },
  ],
  ["at one instant nothing is measured", trusted(0, 9), 1_500n, trusted(0, 9)],
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

describe("of the ledgers that upstreams report", () => {
  const known = trusted(0);
  test.each<[string, TrustedLedger | null, Parameters<typeof trustReports>[1], bigint | null]>([
    ["none: what was trusted stays", known, [], 1_000n],
    ["none, and nothing was trusted", null, [], null],
    ["a single one, first: it is trusted", null, [at(5n, 100)], 5n],
    ["a single one, plausible: it is trusted", known, [at(1_200n, 100)], 1_200n],
    ["a single one, not plausible: what was trusted stays", known, [at(1_201n, 100)], 1_000n],
    ["two: the higher is trusted", known, [at(40_000n, 100), at(30_000n, 100)], 40_000n],
    ["two, in the other order", known, [at(30_000n, 100), at(40_000n, 100)], 40_000n],
    ["two that contradict one another: the lower is trusted", null, [at(90_000n, 100), at(5n, 100)], 5n],
    ["two that contradict one another, in the other order", null, [at(5n, 100), at(90_000n, 100)], 5n],
    ["two equal ones", null, [at(5n, 100), at(5n, 100)], 5n],
    ["two at version 0", null, [at(0n, 100), at(0n, 100)], 0n],
    ["three: the third does not count", null, [at(5n, 100), at(6n, 100), at(7n, 100)], 6n],
  ])("%s", (_what, before, reports, version) => {
    expect(trustReports(before, reports, NOW_MS)?.ledger.version ?? null).toBe(version);
  });
});

describe("an isolate learns from the shield's tip", () => {
  const tip = (epoch: number, version: bigint) => ({ epoch, ledger: ledgerAt(version), confirmedAtMs: NOW_MS });

  test.each([
    [null, null],
    [9, { epoch: 0, chainId: 9 }],
  ])("the configured chain %s while there is none", (configured, chain) => {
    const pool = poolOf([], null);
    learnTip(pool, null, configured, NOW_MS);
    expect(pool.chain).toEqual(chain);
    expect(pool.trusted).toBeNull();
  });

  test("nothing new while there is none", () => {
    const pool = poolOf([], { epoch: 7, chainId: 4 });
    learnTip(pool, null, 9, NOW_MS);
    expect(pool.chain).toEqual({ epoch: 7, chainId: 4 });
  });

  test("the chain, and the newest ledger of its epoch", () => {
    const pool = poolOf([], null);
    const learned: (bigint | undefined)[] = [];
    for (const each of [tip(0, 9n), tip(0, 8n), tip(7, 3n)]) {
      learnTip(pool, each, null, NOW_MS);
      learned.push(pool.trusted?.ledger.version);
    }
    expect([learned, pool.chain]).toEqual([[9n, 9n, 3n], { epoch: 7, chainId: 4 }]);
  });
});

describe("the ledger of a response", () => {
  /** What is trusted of a report by the first of two upstreams, and whether that excluded the first. */
  async function verified(report: bigint, own: bigint | null, other: bigint | null, known: TrustedLedger | null) {
    const world = new NodeWorld(2);
    for (const [index, version] of [own, other].entries()) {
      const node = world.node(index);
      if (version === null) node.fault = () => errorOf("connect");
      else node.version = version;
    }
    world.pool.trusted = known === null ? null : { ...known, sample: { version: 1_000n, atMs: world.time.nowMs } };
    const [upstream] = world.pool.upstreams;
    if (upstream === undefined) throw new Error("the world has two upstreams");
    const ledger = await world.time.run(verifyReport(upstream, ledgerAt(report), world.ports));
    return {
      version: ledger?.version ?? null,
      trusted: world.pool.trusted?.ledger.version ?? null,
      excluded: exclusionOf(upstream.state, world.time.nowMs),
      hasContradicted: upstream.state.contradictedAtMs !== null,
      calls: world.nodes.map((node) => node.requests.length),
    };
  }
  const FAR = 10n ** 9n;
  const OK = { excluded: null, hasContradicted: false };

  test.each<[string, bigint, bigint | null, bigint | null, TrustedLedger | null, object]>([
    [
      "that is plausible needs no call",
      ...([1_200n, 1_200n, 1_200n, trusted(0)] as const),
      { ...OK, version: 1_200n, trusted: 1_200n, calls: [0, 0] },
    ],
    [
      "that its upstream repeats and another one confirms is trusted",
      ...([FAR, FAR, FAR, trusted(0)] as const),
      { ...OK, version: FAR, trusted: FAR, calls: [1, 1] },
    ],
    [
      "that its upstream repeats and another one contradicts is not",
      ...([FAR, FAR, 1_000n, trusted(0)] as const),
      { excluded: "contradicts", version: null, trusted: 1_000n, calls: [1, 1] },
    ],
    [
      "that its upstream does not repeat is replaced by what it reports",
      ...([FAR, 1_100n, 1_100n, trusted(0)] as const),
      { excluded: null, hasContradicted: true, version: 1_100n, trusted: 1_100n, calls: [1, 0] },
    ],
    [
      "that its upstream cannot confirm is not trusted",
      ...([FAR, null, FAR, trusted(0)] as const),
      { ...OK, version: null, trusted: 1_000n, calls: [1, 0] },
    ],
    [
      "that its upstream cannot confirm is trusted while nothing is known",
      ...([FAR, null, FAR, null] as const),
      { ...OK, version: FAR, trusted: FAR, calls: [1, 0] },
    ],
    [
      "that is the first, is confirmed",
      ...([1_000n, 1_000n, 1_000n, null] as const),
      { ...OK, version: 1_000n, trusted: 1_000n, calls: [1, 1] },
    ],
    [
      "that is the first, from the only upstream that responds, is trusted",
      ...([FAR, FAR, null, null] as const),
      { ...OK, version: FAR, trusted: FAR, calls: [1, 1] },
    ],
    [
      "far below another upstream's is not contradicted by it",
      ...([1_000n, 1_000n, FAR, null] as const),
      { ...OK, version: 1_000n, trusted: 1_000n, calls: [1, 1] },
    ],
  ])("%s", async (_what, report, own, other, known, expected) => {
    expect(await verified(report, own, other, known)).toMatchObject(expected);
  });
});
