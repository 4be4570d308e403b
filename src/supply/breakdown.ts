import type { BaseUnits } from "../chain/amount.ts";
import { lockedOf, stepAt } from "./circulating.ts";
import type { Schedule } from "./schedule.ts";
import type { BalanceResult, StakeParts, Wallet } from "./wallets.ts";

/** The balance that counts for one wallet, and what is unusual about it. */
export interface WalletState {
  readonly chain: string;
  readonly address: string;
  /** The last good balance; null: never read. */
  readonly balance: Balance | null;
  readonly anomaly: WalletAnomaly | null;
}

export interface Balance {
  readonly baseUnits: BaseUnits;
  readonly stake: StakeParts | null;
  readonly ledgerVersion: bigint;
  readonly readAtMs: number;
}

export type WalletAnomaly =
  | { readonly kind: "unreadable"; readonly reason: string }
  /** The balance fell by more than half; `observed` is the new balance. */
  | { readonly kind: "fell"; readonly observed: BaseUnits };

/** Total and wallets, all read at one ledger version. */
export interface Breakdown {
  readonly ledgerVersion: bigint;
  readonly total: BaseUnits;
  /** Wallets on this chain, in the schedule's order. */
  readonly wallets: readonly WalletState[];
}

/** A wallet's state; undefined for a wallet on another chain, or one that was not listed yet. */
export function stateOf(
  { chain, address }: Pick<Wallet, "chain" | "address">,
  states: readonly WalletState[],
): WalletState | undefined {
  return states.find((state) => state.chain === chain && state.address === address);
}

/**
 * CoinGecko's rule: a wallet whose balance fell by more than half, or that cannot be read, keeps its last good balance
 * and is flagged. A fall is not flagged when the schedule has unlocked at least as much since. The flag is cleared when
 * the balance returns, or when the operator publishes the next revision of the schedule.
 */
export function nextWalletState(
  wallet: Pick<Wallet, "chain" | "address">,
  before: WalletState | undefined,
  result: BalanceResult,
  read: {
    readonly ledgerVersion: bigint;
    readonly atMs: number;
    readonly unlockedSince: (sinceMs: number) => BaseUnits;
  },
): WalletState {
  const { chain, address } = wallet;
  const last = before?.balance ?? null;
  if (result.kind === "failure")
    return { chain, address, balance: last, anomaly: { kind: "unreadable", reason: result.reason } };
  const { baseUnits, stake } = result;
  const fell = last !== null && baseUnits * 2n < last.baseUnits;
  if (fell && last.baseUnits - baseUnits > read.unlockedSince(last.readAtMs))
    return { chain, address, balance: last, anomaly: { kind: "fell", observed: baseUnits } };
  const balance = { baseUnits, stake, ledgerVersion: read.ledgerVersion, readAtMs: read.atMs };
  return { chain, address, balance, anomaly: null };
}

/** The amount of a bucket that must be locked at an instant. */
export function lockedAt(schedule: Schedule, bucketId: string, instantMs: number): BaseUnits {
  const buckets = schedule.plan.kind === "buckets" ? schedule.plan.buckets : [];
  const bucket = buckets.find(({ id }) => id === bucketId);
  return bucket === undefined ? 0n : lockedOf(bucket, schedule, stepAt(schedule, instantMs)?.index ?? -1);
}
