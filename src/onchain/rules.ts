import { HAS_EVM } from "../base/built-for.ts";
import type { BaseUnits } from "../chain/amount.ts";
import { UNSIGNED_MAX } from "../chain/integer.ts";
import type { Config } from "../config.ts";
import { NATIVE_CHAIN, type Schedule } from "../supply/schedule.ts";
import { holdingsOn, type Wallet } from "../supply/wallets.ts";
import { lockedAt, type Reading, rounded, sumOf } from "./reading.ts";

/** What decides whether a reading counts, besides what nodes say. */
export interface ReadingRules {
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

type StableSettings = Omit<Settings, "aboveMaxPercent" | "staking"> & Pick<Config, "chainFamily">;

/** The native token, with the wallets of its schedule. */
export function nativeRules(schedule: Schedule, settings: Settings): ReadingRules {
  const { token, maxSupply } = schedule;
  const oneToken = 10n ** BigInt(token.decimals);
  const ceiling = maxSupply + percentOf(settings.aboveMaxPercent, maxSupply);
  const step = percentOf(settings.supplyStepPercent, maxSupply);
  return {
    wallets: holdingsOn(schedule, NATIVE_CHAIN),
    staking: settings.staking,
    decimals: token.decimals,
    brokenLaw: ({ decimals, minted, wallets: states }) => {
      if (decimals !== token.decimals) return `decimals differ: chain ${decimals}, schedule ${token.decimals}`;
      if (minted < oneToken) return "the supply of this asset on chain is zero";
      if (minted > ceiling) return "the total on chain is above the maximum supply";
      return sumOf(states) > minted ? HELD_TOO_MUCH : null;
    },
    toleranceOf: () => step,
    unlocked: ({ bucket }, fromMs, toMs) => lockedAt(schedule, bucket, fromMs) - lockedAt(schedule, bucket, toMs),
    isChain: settings.chain === "embedded",
    confirmMs: settings.confirmSeconds * 1_000,
  };
}

const HELD_TOO_MUCH = "the wallets hold more than exists on chain";

/** The same token on a further chain, whose decimals may be others and whose supply may be zero. */
export function legRules(schedule: Schedule, id: string, settings: Settings): ReadingRules {
  return {
    ...nativeRules(schedule, settings),
    wallets: holdingsOn(schedule, id),
    staking: false,
    decimals: null,
    brokenLaw: ({ minted, decimals, saidBy, wallets }, before) => {
      // What two nodes have said stays: in other decimals every sum is another one.
      const isOpen = before === undefined || (before.saidBy.length < 2 && saidBy.length > 1);
      if (!isOpen && before.decimals !== decimals)
        return `the token's decimals changed from ${before.decimals} to ${decimals}`;
      return sumOf(wallets) > minted ? HELD_TOO_MUCH : null;
    },
    toleranceOf: (confirmed) => percentOf(settings.supplyStepPercent, confirmed),
    isChain: false,
  };
}

/** Why the sum of all chains cannot be true; null: it can. */
export function brokenSum(schedule: Schedule, percent: Settings["aboveMaxPercent"], reading: Reading): string | null {
  const ceiling = schedule.maxSupply + percentOf(percent, schedule.maxSupply);
  return rounded(reading.minted, reading) > ceiling ? "the total on all chains is above the maximum supply" : null;
}

/** A token without a schedule. */
export function stableRules({ chain, supplyStepPercent, confirmSeconds, chainFamily }: StableSettings): ReadingRules {
  return {
    wallets: [],
    staking: false,
    decimals: null,
    brokenLaw: ({ minted, decimals, saidBy }, before) => {
      // The largest of the Move family; on an EVM chain an amount like any other.
      if ((!HAS_EVM || chainFamily === "move") && minted === UNSIGNED_MAX.u128)
        return "the supply on chain is the largest that can be written";
      // Of a single word: what two nodes say counts, whatever one said before.
      if (before === undefined || before.decimals === decimals || saidBy.length > 1) return null;
      return `the token's decimals changed from ${before.decimals} to ${decimals}`;
    },
    toleranceOf: (confirmed) => percentOf(supplyStepPercent, confirmed),
    unlocked: () => 0n,
    isChain: chain === "embedded",
    confirmMs: confirmSeconds * 1_000,
  };
}

export function percentOf(percent: number, amount: BaseUnits): BaseUnits {
  return (amount * BigInt(percent)) / 100n;
}
