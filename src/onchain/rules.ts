import type { BaseUnits } from "../chain/amount.ts";
import { NATIVE_CHAIN } from "../chain/holding.ts";
import type { SharePrice } from "../chain/share-price.ts";
import type { Config } from "../config.ts";
import type { CirculatingView } from "../families/chain-node.ts";
import { familyOf } from "../families/family.ts";
import type { TokenChain } from "../families/token-chain.ts";
import { lockedAt } from "../supply/above-plan.ts";
import type { Schedule } from "../supply/schedule.ts";
import { pricesOn } from "../supply/share-prices.ts";
import { holdingsOn, type Wallet } from "../supply/wallets.ts";
import { excessConstants } from "./figure-sums.ts";
import { hasSeveralChains, type Reading, sumOfBalances, toTokenUnits, whyIncomplete } from "./reading.ts";

/** Rules by which a reading is accepted, besides the reports of the nodes. */
export interface ReadingRules {
  /** The token that is read, on one of its chains. */
  readonly chain: TokenChain;
  /** The wallets to read, in order. */
  readonly wallets: readonly Wallet[];
  /** Whether native staking is read too. */
  readonly staking: boolean;
  /** View that our circulating figure is compared with; null: none is read. */
  readonly circulatingView: CirculatingView | null;
  /** Shares whose prices are read too; absent: none. */
  readonly prices?: readonly SharePrice[];
  /** One step of a price, in percent of the confirmed one. */
  readonly stepPercent: number;
  /** Decimals that the schedule states; null: the nodes are asked for them. */
  readonly decimals: number | null;
  /** The invariant that a reading violates, as a clause; null: none. `before`: the last accepted reading. */
  readonly violatedInvariant: (reading: Reading, before: Reading | undefined) => string | null;
  /**
   * One step: how far an amount that only one node reports may be from the confirmed one. `total`: supply that was last
   * confirmed.
   */
  readonly toleranceOf: (confirmed: BaseUnits, total: BaseUnits) => BaseUnits;
  /** Amount that the schedule unlocked between two instants in the allocation that the wallet holds. */
  readonly unlockedBetween: (wallet: Wallet, fromMs: number, toMs: number) => BaseUnits;
  /** Whether one report confirms an amount. True for the embedded node, which is the whole chain. */
  readonly isTrusted: boolean;
  /** How much later a lone report beyond the step must be repeated to be accepted. */
  readonly confirmMs: number;
}

type Settings = Pick<Config, "chainSource" | "supplyStepPercent" | "aboveMaxPercent" | "confirmSeconds" | "staking">;

type StableSettings = Omit<Settings, "aboveMaxPercent" | "staking">;

/** Rules of the native token on its only chain. */
export function onlyChainRules(schedule: Schedule, chain: TokenChain, settings: Settings): ReadingRules {
  return {
    ...firstChainRules(schedule, chain, settings),
    violatedInvariant: (reading) =>
      differentDecimals(schedule, reading) ??
      violatedTokenInvariant(schedule, settings.aboveMaxPercent, reading) ??
      excessHoldings(reading),
  };
}

/** Rules of the native token on one of several chains. Invariants of the total are checked on the sum of the chains. */
export function chainRules(schedule: Schedule, chain: TokenChain, settings: Settings): ReadingRules {
  const rules = firstChainRules(schedule, chain, settings);
  if (chain.id === NATIVE_CHAIN) return rules;
  return {
    ...rules,
    staking: false,
    decimals: null,
    violatedInvariant: (reading, before) => changedDecimals(reading, before) ?? excessHoldings(reading),
    toleranceOf: (confirmed) => percentOf(settings.supplyStepPercent, confirmed),
    isTrusted: false,
  };
}

function firstChainRules(schedule: Schedule, chain: TokenChain, settings: Settings): ReadingRules {
  const { supplyStepPercent } = settings;
  return {
    chain,
    wallets: holdingsOn(schedule, chain.id),
    staking: settings.staking,
    circulatingView: chain.circulatingView ?? null,
    prices: pricesOn(schedule, chain.id),
    stepPercent: supplyStepPercent,
    decimals: schedule.token.decimals,
    violatedInvariant: (reading) => differentDecimals(schedule, reading) ?? excessHoldings(reading),
    toleranceOf: (_confirmed, total) => percentOf(supplyStepPercent, schedule.maxSupply ?? total),
    unlockedBetween: ({ bucket }, fromMs, toMs) =>
      lockedAt(schedule, bucket, fromMs) - lockedAt(schedule, bucket, toMs),
    isTrusted: settings.chainSource === "embedded",
    confirmMs: settings.confirmSeconds * 1_000,
  };
}

/** Checks an invariant of the first chain: its decimals are those of the schedule. */
function differentDecimals({ token }: Schedule, { decimals }: Reading): string | null {
  return decimals === token.decimals ? null : `decimals differ: chain ${decimals}, schedule ${token.decimals}`;
}

/** Checks an invariant of every chain: the wallets together hold at most what exists there. */
function excessHoldings({ minted, wallets }: Reading): string | null {
  return sumOfBalances(wallets) > minted ? "the wallets hold more than exists on chain" : null;
}

/** Checks that decimals did not change. A change that two nodes report is accepted. */
function changedDecimals({ decimals, confirmedBy }: Reading, before: Reading | undefined): string | null {
  if (before === undefined || before.decimals === decimals || confirmedBy.length > 1) return null;
  return `the token's decimals changed from ${before.decimals} to ${decimals}, which one node alone reports; a second node confirms it`;
}

/** Checks invariants of the total on all chains: at most the maximum, and not zero. null: both hold. */
export function violatedTokenInvariant(schedule: Schedule, percent: Settings["aboveMaxPercent"], reading: Reading) {
  const { token, maxSupply } = schedule;
  const where = hasSeveralChains(reading) ? "on all chains" : "on chain";
  const minted = toTokenUnits(reading.minted, reading);
  if (maxSupply !== null && minted > maxSupply + percentOf(percent, maxSupply))
    return `the total ${where} is above the maximum supply`;
  // A sum that lacks a chain may be below one token, or below the constants; it is never served.
  if (whyIncomplete(reading) !== undefined) return null;
  if (minted < 10n ** BigInt(token.decimals)) return `the supply of this asset ${where} is zero`;
  return excessConstants(schedule, reading) ?? null;
}

/** Rules of the stable token, which has no schedule. */
export function stableRules(
  chain: TokenChain,
  { chainSource, supplyStepPercent, confirmSeconds }: StableSettings,
): ReadingRules {
  const { impossibleSupply } = familyOf(chain.family);
  return {
    chain,
    wallets: [],
    staking: false,
    circulatingView: null,
    stepPercent: supplyStepPercent,
    decimals: null,
    violatedInvariant: (reading, before) => {
      if (reading.minted === impossibleSupply) return "the supply on chain is the largest that can be written";
      return changedDecimals(reading, before);
    },
    toleranceOf: (confirmed) => percentOf(supplyStepPercent, confirmed),
    unlockedBetween: () => 0n,
    isTrusted: chainSource === "embedded",
    confirmMs: confirmSeconds * 1_000,
  };
}

export function percentOf(percent: number, amount: BaseUnits): BaseUnits {
  return (amount * BigInt(percent)) / 100n;
}
