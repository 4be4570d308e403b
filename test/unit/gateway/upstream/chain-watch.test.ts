import { beforeEach, describe, expect, test } from "vitest";
import {
  type Chain,
  type ChainReport,
  chainAfterReport,
  chainForSettings,
} from "../../../../src/chain/chain-record.ts";
import type { Ledger } from "../../../../src/gateway/model/ledger.ts";
import { ChainWatch } from "../../../../src/gateway/upstream/chain-watch.ts";
import { poolOf } from "../../../../src/gateway/upstream/upstreams.ts";
import { SimulatedTime } from "../simulated-time.ts";
import { ledgerAt } from "./nodes.ts";

const STORED: Chain = { era: 5, chainId: 4, servedBy: ["a"], replaced: null };

describe("the chain at the start of the home object", () => {
  test.each<[string, Chain | null, number | null, string[], Partial<Chain>]>([
    ["first start: the configured id", null, 9, ["a"], { era: 0, chainId: 9 }],
    ["first start without one: unknown", null, null, ["a"], { era: 0, chainId: null }],
    ["the same id: the stored chain", STORED, 4, ["b"], STORED],
    ["another id: a new era", STORED, 9, ["a"], { era: 1_000, chainId: 9, servedBy: [] }],
    ["no id, an upstream that served it: the stored chain", STORED, null, ["b", "a"], STORED],
    ["no id, only other upstreams: a new era", STORED, null, ["b"], { era: 1_000, chainId: null, servedBy: [] }],
    ["a clock before the stored era: a higher one", { ...STORED, era: 2_000 }, 9, ["a"], { era: 2_001 }],
  ])("%s", (_what, stored, chainId, origins, expected) => {
    expect(chainForSettings(stored, { chainId, origins }, 1_000)).toMatchObject(expected);
  });
});

test("of several objects that report the end of one era, the first begins the next one", () => {
  const ended = { era: 5, replaced: "why" };
  const next = chainAfterReport(STORED, { chainId: 4, servedBy: null, ended }, 1_000);
  expect(next).toEqual({ era: 1_000, chainId: 4, servedBy: [], replaced: "why" });
  expect(chainAfterReport(next, { chainId: 4, servedBy: null, ended }, 2_000)).toEqual(next);
});

describe("an object's view of the chain", () => {
  let time: SimulatedTime;
  let home: Chain | null;
  let reports: (ChainReport | null)[];
  let eras: number;
  const [first, second] = poolOf([
    { label: "upstream-1", origin: "a" },
    { label: "upstream-2", origin: "b" },
  ]).upstreams;
  if (first === undefined || second === undefined) throw new Error("two upstreams");

  const watchWith = (chainId: number | null): ChainWatch =>
    new ChainWatch({
      now: time.now,
      chainId,
      upstreams: [first, second],
      onEra: () => void eras++,
      report: async (report) => {
        reports.push(report);
        if (home !== null && report !== null) home = chainAfterReport(home, report, time.nowMs);
        return home;
      },
      background: (work) => void work,
    });
  const of = (chainId: number, version = 10n): Ledger => ledgerAt(version, { chainId });
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    time = new SimulatedTime();
    home = { era: 0, chainId: null, servedBy: [], replaced: null };
    [reports, eras] = [[], 0];
  });

  test("asks the home object once, unless an isolate knows a ledger confirmed a moment ago", async () => {
    home = STORED;
    const asked = watchWith(null);
    await Promise.all([asked.whenKnown(), asked.whenKnown()]);
    expect([asked.era, reports]).toEqual([5, [null]]);
    const told = watchWith(null);
    told.learn(5, of(4));
    await told.whenKnown();
    expect([told.era, reports.length]).toEqual([5, 1]);
  });

  test("without a configured id, the first upstream that answers decides for all objects", async () => {
    const chain = watchWith(null);
    expect([await chain.follows(first, of(4)), await chain.follows(second, of(9))]).toEqual([true, false]);
    expect(home).toMatchObject({ chainId: 4, servedBy: ["a"] });
    expect(await watchWith(null).follows(second, of(9))).toBe(false);
  });

  test("an upstream that never served the chain does not take over by being the only one left", async () => {
    const chain = watchWith(null);
    await chain.follows(first, of(4));
    for (let seconds = 0; seconds < 100; seconds += 1) {
      expect(await chain.follows(second, of(9))).toBe(false);
      await time.pass(1_000);
    }
    expect([chain.era, home?.chainId]).toEqual([0, 4]);
  });

  test("most upstreams that served it report another id, twice, a second apart: a new era", async () => {
    const chain = watchWith(null);
    for (const upstream of [first, second]) await chain.follows(upstream, of(4));
    await settle();
    const allReport = async () => {
      for (const upstream of [first, second]) await chain.follows(upstream, of(9, 3n));
      await settle();
    };
    await allReport();
    await time.pass(999);
    await allReport();
    expect(chain.era).toBe(0);
    await time.pass(1);
    await chain.follows(first, of(9, 3n));
    await settle();
    expect(chain.era, "one of two is not most").toBe(0);
    await allReport();
    expect([chain.era, home?.chainId, eras]).toEqual([time.nowMs, 9, 1]);
    expect(await chain.follows(first, of(9))).toBe(true);
  });

  test("so does an object that has the id from an isolate: who served it, the home object knows", async () => {
    home = { era: 0, chainId: 4, servedBy: ["a", "b"], replaced: null };
    const chain = watchWith(null);
    chain.learn(0, of(4));
    for (let round = 0; round < 3; round += 1) {
      for (const upstream of [first, second]) await chain.follows(upstream, of(9, 3n));
      await settle();
      await time.pass(1_000);
    }
    expect([chain.era > 0, home.chainId, eras]).toEqual([true, 9, 1]);
  });

  test("a configured id is never given up, but another one in the settings was taken at the start", async () => {
    const chain = watchWith(4);
    for (let seconds = 0; seconds < 5; seconds += 1) {
      expect(await chain.follows(first, of(9))).toBe(false);
      await time.pass(1_000);
    }
    expect(chain.era).toBe(0);
  });

  describe("every answering upstream below what reads need", () => {
    const lagFor = async (chain: ChainWatch, seconds: number) => {
      for (let second = 0; second <= seconds; second += 5) {
        chain.lagged(1_000n, of(4, 10n));
        if (second < seconds) await time.pass(5_000);
      }
      await settle();
    };

    test.each([
      [40, false],
      [45, true],
    ])("for %i s begins an era: %s", async (seconds, begins) => {
      const chain = watchWith(4);
      await lagFor(chain, seconds);
      expect(chain.era > 0).toBe(begins);
    });

    test("starts again when the version was reached meanwhile, or the clock set back", async () => {
      const chain = watchWith(4);
      await lagFor(chain, 40);
      chain.reached(1_000n);
      await lagFor(chain, 40);
      time.nowMs -= 3_600_000;
      await lagFor(chain, 40);
      expect(chain.era).toBe(0);
    });

    test("is not so when a later answer was above that version, though below another floor", async () => {
      const chain = watchWith(4);
      chain.lagged(1_000n, of(4, 999n));
      await time.pass(3_600_000);
      chain.lagged(6_000n, of(4, 5_990n));
      await settle();
      expect(chain.era).toBe(0);
    });

    test("is learned at once from the home object when another object found it out", async () => {
      const chain = watchWith(4);
      await chain.whenKnown();
      home = { era: 900, chainId: 4, servedBy: [], replaced: "why" };
      chain.lagged(100n, of(4, 20n));
      await settle();
      expect([chain.era, reports]).toEqual([900, [null, null]]);
    });

    test("is decided by the object alone while the home object does not respond", async () => {
      home = null;
      const chain = watchWith(4);
      await lagFor(chain, 45);
      expect(chain.era).toBe(time.nowMs);
    });
  });
});
