import type { BaseUnits } from "../chain/amount.ts";
import { NATIVE_CHAIN } from "../chain/holding.ts";
import type { Config } from "../config.ts";
import { familyOf } from "../families/family.ts";
import type { TokenChain } from "../families/token-chain.ts";
import type { Schedule } from "../supply/schedule.ts";
import { holdingsOn, type Wallet } from "../supply/wallets.ts";
import { isOnSeveral, lockedAt, type Reading, rounded, sumOf, whyIncomplete } from "./reading.ts";

/** What decides whether a reading counts, besides what nodes say. */
export interface ReadingRules {
  /** The token that is read, on one of its chains. */
  readonly chain: TokenChain;
  /** The wallets to read, in order. */
  readonly wallets: readonly Wallet[];
  /** Whether native staking is read with it. */
  readonly staking: boolean;
  /** The token's decimals, where the schedule names them. */
  readonly decimals: number | null;
  /** Why a reading cannot be true, as a clause; null: it can. `before`: the one that counted last. */
  readonly brokenLaw: (reading: Reading, before: Reading | undefined) => string | null;
  /** How far the word of a single node may be from a confirmed amount. */
  readonly toleranceOf: (confirmed: BaseUnits) => BaseUnits;
  /** What the schedule unlocked from a wallet's bucket between two instants. */
  readonly unlocked: (wallet: Wallet, fromMs: number, toMs: number) => BaseUnits;
  /** The only node is the chain itself, as the embedded one is: its word is enough. */
  readonly isChain: boolean;
  /** The word of a single node beyond the step counts when one at least this much later repeats it. */
  readonly confirmMs: number;
}

type Settings = Pick<Config, "chain" | "supplyStepPercent" | "aboveMaxPercent" | "confirmSeconds" | "staking">;

type StableSettings = Omit<Settings, "aboveMaxPercent" | "staking">;

/** The native token, on its only chain. */
export function nativeRules(schedule: Schedule, chain: TokenChain, settings: Settings): ReadingRules {
  return {
    ...firstChainRules(schedule, chain, settings),
    brokenLaw: (reading) =>
      otherDecimals(schedule, reading) ??
      violatedByToken(schedule, settings.aboveMaxPercent, reading) ??
      heldTooMuch(reading),
  };
}

/** The native token on one of its several chains. What only its sum must keep is asked of the sum. */
export function chainRules(schedule: Schedule, chain: TokenChain, settings: Settings): ReadingRules {
  const rules = firstChainRules(schedule, chain, settings);
  if (chain.id === NATIVE_CHAIN) return rules;
  return {
    ...rules,
    staking: false,
    decimals: null,
    brokenLaw: (reading, before) => changedDecimals(reading, before) ?? heldTooMuch(reading),
    toleranceOf: (confirmed) => percentOf(settings.supplyStepPercent, confirmed),
    isChain: false,
  };
}

function firstChainRules(schedule: Schedule, chain: TokenChain, settings: Settings): ReadingRules {
  const step = percentOf(settings.supplyStepPercent, schedule.maxSupply);
  return {
    chain,
    wallets: holdingsOn(schedule, chain.id),
    staking: settings.staking,
    decimals: schedule.token.decimals,
    brokenLaw: (reading) => otherDecimals(schedule, reading) ?? heldTooMuch(reading),
    toleranceOf: () => step,
    unlocked: ({ bucket }, fromMs, toMs) => lockedAt(schedule, bucket, fromMs) - lockedAt(schedule, bucket, toMs),
    isChain: settings.chain === "embedded",
    confirmMs: settings.confirmSeconds * 1_000,
  };
}

/** An invariant of the first chain: its decimals are the schedule's. */
function otherDecimals({ token }: Schedule, { decimals }: Reading): string | null {
  return decimals === token.decimals ? null : `decimals differ: chain ${decimals}, schedule ${token.decimals}`;
}

/** An invariant of a chain: no wallets hold more than exists there. */
function heldTooMuch({ minted, wallets }: Reading): string | null {
  return sumOf(wallets) > minted ? "the wallets hold more than exists on chain" : null;
}

/** An invariant about the past binds the report of a single node; what two report alike counts whatever was before. */
function changedDecimals({ decimals, saidBy }: Reading, before: Reading | undefined): string | null {
  if (before === undefined || before.decimals === decimals || saidBy.length > 1) return null;
  return `the token's decimals changed from ${before.decimals} to ${decimals}, which one node alone reports; a second node confirms it`;
}

/** Why what exists of the token, on all of its chains together, cannot be true; null: it can. */
export function violatedByToken(schedule: Schedule, percent: Settings["aboveMaxPercent"], reading: Reading) {
  const { token, maxSupply } = schedule;
  const where = isOnSeveral(reading) ? "on all chains" : "on chain";
  const minted = rounded(reading.minted, reading);
  if (minted > maxSupply + percentOf(percent, maxSupply)) return `the total ${where} is above the maximum supply`;
  // Without one of its chains a sum may be too small, and is served nowhere.
  const isComplete = whyIncomplete(reading) === undefined;
  return isComplete && minted < 10n ** BigInt(token.decimals) ? `the supply of this asset ${where} is zero` : null;
}

/** A token without a schedule. */
export function stableRules(
  chain: TokenChain,
  { chain: source, supplyStepPercent, confirmSeconds }: StableSettings,
): ReadingRules {
  const { impossibleSupply } = familyOf(chain.family);
  return {
    chain,
    wallets: [],
    staking: false,
    decimals: null,
    brokenLaw: (reading, before) => {
      if (reading.minted === impossibleSupply) return "the supply on chain is the largest that can be written";
      return changedDecimals(reading, before);
    },
    toleranceOf: (confirmed) => percentOf(supplyStepPercent, confirmed),
    unlocked: () => 0n,
    isChain: source === "embedded",
    confirmMs: confirmSeconds * 1_000,
  };
}

export function percentOf(percent: number, amount: BaseUnits): BaseUnits {
  return (amount * BigInt(percent)) / 100n;
}
