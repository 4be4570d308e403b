import { describe, expect, test } from "vitest";
import { NATIVE_CHAIN } from "../../../src/chain/holding.ts";
import type { StakingTerms } from "../../../src/chain/staking.ts";
import { chainFigures } from "../../../src/onchain/chain-figures.ts";
import { crossChainProblems } from "../../../src/onchain/chain-problems.ts";
import { combineChains, type RoundResult } from "../../../src/onchain/combine-chains.ts";
import type { LastWalletBalance, Reading } from "../../../src/onchain/reading.ts";
import { chainRules } from "../../../src/onchain/rules.ts";
import type { Schedule } from "../../../src/supply/schedule.ts";
import { holdingKey, holdingsOn } from "../../../src/supply/wallets.ts";
import type { Sample } from "../../../src/swr/loader.ts";
import { configOf } from "../../support/app.ts";
import { bridgedSchedule, EVM_FACTOR, UNIT } from "../../support/bridged-world.ts";
import { readingOfOne, tokenChain } from "../../support/token-chain.ts";

const NOW_MS = Date.parse("2026-11-21T02:00:00Z");
const HOUR_MS = 3_600_000;
const TWO = ["a", "b"];
const EVM = 10n ** 18n;
const SCHEDULE = bridgedSchedule();

interface ChainChanges {
  readonly minted?: bigint;
  readonly decimals?: number;
  readonly confirmedBy?: readonly string[];
  /** By {@link holdingKey}; 0 for a holding that is not named. */
  readonly held?: Readonly<Record<string, bigint>>;
  readonly wallets?: readonly LastWalletBalance[];
  readonly staking?: Reading["staking"];
  readonly failed?: string | null;
}

/** A chain of the schedule at the end of a round, confirmed by two nodes unless it says otherwise. */
function chainOf(schedule: Schedule, id: string, changes: ChainChanges = {}): RoundResult {
  const decimals = changes.decimals ?? (id === "native" ? 8 : 18);
  // Nothing is bridged.
  const usual = id === "eth" ? 0n : 300_000_000n * 10n ** BigInt(decimals);
  const { minted = usual, confirmedBy = TWO, held = {}, staking = null } = changes;
  const wallets = holdingsOn(schedule, id).map((wallet): LastWalletBalance => {
    const holding = holdingKey(wallet);
    const amount = { baseUnits: held[holding] ?? 0n, stake: null, pool: null };
    const balance = { ...amount, ledgerVersion: 7n, readAtMs: NOW_MS };
    return { holding, address: wallet.address, confirmedBy: TWO, balance, anomaly: null };
  });
  const value = readingOfOne(
    {
      ledgerVersion: 7n,
      readAtMs: NOW_MS,
      decimals,
      minted,
      confirmedBy,
      nodeCount: 2,
      staking,
      lastComplete: null,
      wallets: changes.wallets ?? wallets,
    },
    id,
  );
  return { id, good: { kind: "observed", value, observedAtMs: NOW_MS }, failure: changes.failed ?? null };
}

interface RoundChanges {
  readonly before?: Sample<Reading> | null;
  readonly atMs?: number;
  readonly schedule?: Schedule;
}

function roundOf(
  chains: Readonly<Record<string, ChainChanges>>,
  { before = null, atMs = NOW_MS, schedule = SCHEDULE }: RoundChanges = {},
): Sample<Reading> {
  const ids = ["native", ...(schedule.chains ?? []).map(({ id }) => id)];
  const states = ids.map((id) => chainOf(schedule, id, chains[id]));
  return combineChains(schedule, states, before, 1, atMs) ?? expect.fail();
}

const problemsOf = ({ value, observedAtMs }: Sample<Reading>, schedule = SCHEDULE) =>
  crossChainProblems(schedule, value, observedAtMs).map(({ code }) => code);

test("what a contract states is in the units of all chains, and is not of a round that lacks its chain", () => {
  const roundWith = (failed: string | null) => {
    const of = (id: string, changes: ChainChanges) => chainOf(SCHEDULE, id, changes);
    const base = of("base", { decimals: 6, failed });
    const value = base.good?.value ?? expect.fail();
    const stating = { ...value, chains: value.chains.map((chain) => ({ ...chain, circulating: { baseUnits: 7n } })) };
    const states = [of("native", {}), of("eth", {}), { ...base, good: { ...base.good, value: stating } }];
    const round = combineChains(SCHEDULE, states as readonly RoundResult[], null, 1, NOW_MS) ?? expect.fail();
    return round.value.chains.map(({ circulating }) => circulating);
  };
  expect(roundWith(null)).toEqual([undefined, undefined, { baseUnits: 7n * 10n ** 12n }]);
  expect(roundWith("it is away")).toEqual([undefined, undefined, { reason: "base is not read: it is away" }]);
});

test("beside a chain of finer units, the parts of a stake pool are in them as its balance is", () => {
  const stake = { active: 1n, inactive: 2n, pendingActive: 3n, pendingInactive: 4n };
  const balance = { baseUnits: 10n, stake, pool: null, ledgerVersion: 7n, readAtMs: NOW_MS };
  const wallet = { holding: "native 0x1 stake_pool", address: "0x1", confirmedBy: TWO, balance, anomaly: null };
  const times = (amount: bigint) => amount * EVM_FACTOR;
  expect(roundOf({ native: { wallets: [wallet] } }).value.wallets[0]?.balance).toMatchObject({
    baseUnits: times(10n),
    stake: { active: times(1n), inactive: times(2n), pendingActive: times(3n), pendingInactive: times(4n) },
  });
});

describe("a supply drop", () => {
  const [step] = [10_000_000n * EVM];
  const dropBy = (amount: bigint) => {
    const before = roundOf({});
    return roundOf({ base: { minted: 300_000_000n * EVM - amount } }, { before, atMs: NOW_MS + 60_000 });
  };

  test("is one of more than a step, in the finest units", () => {
    expect(problemsOf(dropBy(step))).toEqual([]);
    expect(problemsOf(dropBy(step + 1n))).toEqual(["supply_fell"]);
  });

  test("is none where the units have changed: two nodes report other decimals of a chain", () => {
    const before = roundOf({});
    const after = roundOf({ eth: { decimals: 8 }, base: { decimals: 8 } }, { before, atMs: NOW_MS + 60_000 });
    expect(after.value.extraDecimals).toBe(0);
    expect(problemsOf(after)).toEqual([]);
    // An earlier reported drop is converted too, because its amount is in other units.
    const fell = dropBy(step * 2n);
    expect(problemsOf(roundOf({ eth: { decimals: 8 }, base: { decimals: 8 } }, { before: fell }))).toEqual([]);
  });

  test("is none where the units have changed while a chain was away", () => {
    const [coarse, complete] = [{ eth: { decimals: 8 }, base: { decimals: 8 } }, roundOf({})];
    const away = roundOf({ ...coarse, eth: { decimals: 8, failed: "silent" } }, { before: complete });
    const after = roundOf(coarse, { before: away, atMs: NOW_MS + 60_000 });
    expect([away.value.lastComplete?.reading, after.value.extraDecimals]).toEqual([complete.value, 0]);
    expect(problemsOf(after)).toEqual([]);
  });

  test("is named while a chain is away, with the sum of the last complete round", () => {
    const fell = dropBy(step * 2n);
    const away = roundOf({ eth: {}, base: { failed: "silent" } }, { before: fell, atMs: NOW_MS + 120_000 });
    expect(crossChainProblems(SCHEDULE, away.value, away.observedAtMs)).toMatchObject([
      { code: "supply_fell", message: expect.stringContaining("fell from 600000000 XYZ to 580000000 XYZ") },
    ]);
  });
});

describe("the last complete round", () => {
  const dated = ({ value }: Sample<Reading>) =>
    value.lastComplete && { atMs: value.lastComplete.observedAtMs, from: value.lastComplete.reading };

  test("is kept while chains are away, one after the other, and goes with the next complete one", () => {
    const complete = roundOf({});
    const first = roundOf({ base: { failed: "silent" } }, { before: complete, atMs: NOW_MS + 30_000 });
    const second = roundOf({ eth: { failed: "silent" } }, { before: first, atMs: NOW_MS + 60_000 });
    expect(dated(first)).toEqual({ atMs: NOW_MS, from: complete.value });
    expect(dated(second)).toEqual({ atMs: NOW_MS, from: complete.value });
    expect(roundOf({}, { before: second, atMs: NOW_MS + 90_000 }).value.lastComplete).toBe(null);
  });

  test("of a time to come is as old as the round: the clock was set back", () => {
    const ahead = roundOf({}, { atMs: NOW_MS + HOUR_MS });
    expect(dated(roundOf({ base: { failed: "silent" } }, { before: ahead }))).toEqual({
      atMs: NOW_MS,
      from: ahead.value,
    });
  });
});

const TERMS: StakingTerms = { numerator: 1n, denominator: 1_000n, epochSeconds: 7_200n, staked: 5n * UNIT };
const STAKING = { good: { terms: TERMS, ledgerVersion: 7n, readAtMs: NOW_MS }, confirmedBy: TWO, unreadable: null };

test("native staking is absent in a round without the first chain, whose last terms are another round's", () => {
  const figuresIn = (failed: string | null) =>
    chainFigures(SCHEDULE)(roundOf({ native: { staking: STAKING, failed } }).value);
  const { staked_supply, yearly_emission, staked_percent } = figuresIn("silent");
  for (const figure of [staked_supply, yearly_emission, staked_percent])
    expect(figure).toMatchObject({ reason: "native staking cannot be read: native is not read: silent" });
  // Control.
  expect(figuresIn(null).staked_supply).toEqual({ baseUnits: 5n * UNIT, witnesses: 2 });
});

describe("the witnesses of a figure are the nodes that reported each amount in it, at least", () => {
  const LONE = { confirmedBy: ["a"] };
  const TWO_BRIDGED = bridgedSchedule({
    chains: (SCHEDULE.chains ?? []).map(({ id, family, chainId: chain_id, asset }) => ({
      id,
      family,
      chain_id,
      asset: asset.text,
      supply: "bridged",
      escrow: { chain: "native", address: "0xe5c" },
    })),
  });

  test.each([
    ["a chain that is issued, in the total", SCHEDULE, { base: LONE }, { total_supply: 1, minted_supply: 1 }],
    ["a chain that is bridged, not in the total", SCHEDULE, { eth: LONE }, { total_supply: 2, escrow_shortfall: 1 }],
    ["one of two chains on one escrow", TWO_BRIDGED, { eth: LONE }, { escrow_shortfall: 1 }],
    ["the other one of them", TWO_BRIDGED, { base: LONE }, { escrow_shortfall: 1 }],
    ["no chain", TWO_BRIDGED, {}, { total_supply: 2, escrow_shortfall: 2 }],
    ["the total, in the staked share", SCHEDULE, { base: LONE, native: { staking: STAKING } }, { staked_percent: 1 }],
  ] as const)("%s", (_what, schedule, chains, expected) => {
    const figures = chainFigures(schedule)(roundOf(chains, { schedule }).value);
    const found = Object.keys(expected).map((name) => [name, figures[name as keyof typeof figures]]);
    expect(Object.fromEntries(found)).toMatchObject(
      Object.fromEntries(Object.entries(expected).map(([name, witnesses]) => [name, { witnesses }])),
    );
  });
});

test("what one escrow has to spare covers none of another's", () => {
  const places = { eth: "0xe5c", base: "0xe5d" } as const;
  const schedule = bridgedSchedule({
    chains: (SCHEDULE.chains ?? []).map(({ id, family, chainId: chain_id, asset }) => ({
      id,
      family,
      chain_id,
      asset: asset.text,
      supply: "bridged",
      escrow: { chain: "native", address: places[id as keyof typeof places] },
    })),
  });
  const held = { "native 0xe5c account": 60n * UNIT, "native 0xe5d account": 45n * UNIT };
  const chains = { native: { held }, eth: { minted: 50n * EVM }, base: { minted: 50n * EVM } };
  const round = roundOf(chains, { schedule });
  expect(chainFigures(schedule)(round.value).escrow_shortfall).toMatchObject({ baseUnits: 5n * UNIT });
  const again = roundOf(chains, { schedule, before: round, atMs: NOW_MS + 30_000 });
  expect(crossChainProblems(schedule, again.value, again.observedAtMs)).toMatchObject([
    { code: "escrow_short", subject: "base" },
  ]);
});

describe("a chain's own invariants", () => {
  const BASE = SCHEDULE.chains?.find(({ id }) => id === "base") ?? expect.fail();
  const rules = chainRules(SCHEDULE, BASE, configOf({}));
  const reading = (changes: ChainChanges) => chainOf(SCHEDULE, "base", changes).good?.value ?? expect.fail();
  const changed = "the token's decimals changed from 18 to 6, which one node alone reports; a second node confirms it";

  test.each([
    ["one node, after one", ["a"], ["a"], changed],
    ["one node, after two", TWO, ["b"], changed],
    ["two nodes, after one", ["a"], TWO, null],
    ["two nodes, after two", TWO, TWO, null],
  ])("other decimals by %s", (_what, before, confirmedBy, violated) => {
    expect(rules.violatedInvariant(reading({ decimals: 6, confirmedBy }), reading({ confirmedBy: before }))).toBe(
      violated,
    );
    expect(rules.violatedInvariant(reading({ decimals: 6, confirmedBy }), undefined)).toBe(null);
  });

  test.each([NATIVE_CHAIN, "base"])("its wallets hold no more than exists there: %s", (id) => {
    const [wallet] = holdingsOn(SCHEDULE, id);
    const holding = wallet === undefined ? expect.fail() : holdingKey(wallet);
    const violatedBy = (held: bigint) => {
      const read = chainOf(SCHEDULE, id, { minted: 5n, held: { [holding]: held } }).good?.value ?? expect.fail();
      return chainRules(SCHEDULE, tokenChain({ id }), configOf({})).violatedInvariant(read, undefined);
    };
    expect([violatedBy(5n), violatedBy(6n)]).toEqual([null, "the wallets hold more than exists on chain"]);
  });

  test("nothing may exist there, nor more than the maximum of the token", () => {
    for (const minted of [0n, 10n ** 40n]) expect(rules.violatedInvariant(reading({ minted }), undefined)).toBe(null);
  });
});
