import type { BaseUnits } from "../chain/amount.ts";
import type { Config } from "../config.ts";
import type { Schedule } from "../supply/schedule.ts";
import { isBurned, isOnChain, type Wallet, walletsOf } from "../supply/wallets.ts";
import { lockedAt, type Reading, sumOf, type WalletState } from "./reading.ts";

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
  readonly stepOf: (confirmed: BaseUnits) => BaseUnits;
  /** What the schedule unlocked from a wallet's bucket between two instants. */
  readonly unlocked: (wallet: Wallet, fromMs: number, toMs: number) => BaseUnits;
  /** The word of a single node beyond the step counts when one at least this much later repeats it. */
  readonly confirmMs: number;
}

type Thresholds = Pick<Config, "supplyStepPercent" | "aboveMaxPercent" | "confirmSeconds" | "staking">;

const U128_MAX = 2n ** 128n - 1n;

/** The native token, with the wallets of its schedule. */
export function nativeRules(schedule: Schedule, thresholds: Thresholds): ReadingRules {
  const { token, maxSupply } = schedule;
  const oneToken = 10n ** BigInt(token.decimals);
  const ceiling = maxSupply + percentOf(thresholds.aboveMaxPercent, maxSupply);
  const step = percentOf(thresholds.supplyStepPercent, maxSupply);
  const wallets = walletsOf(schedule).filter(isOnChain);
  const isBurning = new Set(wallets.filter(isBurned).map(({ address }) => address));
  const burnedIn = (states: readonly WalletState[]) => sumOf(states.filter(({ address }) => isBurning.has(address)));
  return {
    wallets,
    staking: thresholds.staking,
    decimals: token.decimals,
    brokenLaw: ({ decimals, minted, wallets: states }) => {
      if (decimals !== token.decimals) return `decimals differ: chain ${decimals}, schedule ${token.decimals}`;
      if (minted < oneToken) return "the supply of this asset on chain is zero";
      if (minted > ceiling) return "the total on chain is above the maximum supply";
      if (sumOf(states) > minted) return "the wallets hold more than exists on chain";
      return minted - burnedIn(states) < oneToken ? "all that exists is burned" : null;
    },
    stepOf: () => step,
    unlocked: ({ bucket }, fromMs, toMs) => lockedAt(schedule, bucket, fromMs) - lockedAt(schedule, bucket, toMs),
    confirmMs: thresholds.confirmSeconds * 1_000,
  };
}

/** A token without a schedule. */
export function stableRules({ supplyStepPercent, confirmSeconds }: Thresholds): ReadingRules {
  return {
    wallets: [],
    staking: false,
    decimals: null,
    brokenLaw: ({ minted, decimals }, before) => {
      if (minted === U128_MAX) return "the supply on chain is the largest that can be written";
      if (before === undefined || before.decimals === decimals) return null;
      return `the token's decimals changed from ${before.decimals} to ${decimals}`;
    },
    stepOf: (confirmed) => percentOf(supplyStepPercent, confirmed),
    unlocked: () => 0n,
    confirmMs: confirmSeconds * 1_000,
  };
}

function percentOf(percent: number, amount: BaseUnits): BaseUnits {
  return (amount * BigInt(percent)) / 100n;
}
