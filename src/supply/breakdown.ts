import type { BaseUnits } from "../chain/amount.ts";
import { memoByObject } from "../memo.ts";
import { lockedOf, stepAt } from "./circulating.ts";
import type { Schedule } from "./schedule.ts";
import {
  type BalanceResult,
  holdingKey,
  isBurned,
  isOnChain,
  type StakeParts,
  type Wallet,
  walletsOf,
} from "./wallets.ts";

/** The balance that counts for one wallet, and what is unusual about it. */
export interface WalletState {
  /** {@link holdingKey} of the wallet. */
  readonly holding: string;
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

/** What exists on chain and where it is, all read at one ledger version. */
export interface Breakdown {
  readonly ledgerVersion: bigint;
  /** All that exists, burned tokens included. */
  readonly minted: BaseUnits;
  /** Wallets on this chain, in the schedule's order. */
  readonly wallets: readonly WalletState[];
}

/** A wallet's state; undefined for a wallet on another chain, or one that was not listed yet. */
export function stateOf(wallet: Wallet, states: readonly WalletState[]): WalletState | undefined {
  return byHolding(states).get(holdingKey(wallet));
}

const byHolding = memoByObject(
  (states: readonly WalletState[]) => new Map(states.map((state) => [state.holding, state])),
);

/**
 * CoinGecko's rule: a wallet whose balance fell by more than half, or that cannot be read, keeps its last good balance
 * and is flagged. A fall is not flagged when the schedule has unlocked at least as much since. The flag is cleared when
 * the balance returns, or when the operator publishes the next revision of the schedule.
 */
export function nextWalletState(
  wallet: Wallet,
  before: WalletState | undefined,
  result: BalanceResult,
  read: {
    readonly ledgerVersion: bigint;
    readonly atMs: number;
    readonly unlockedSince: (sinceMs: number) => BaseUnits;
  },
): WalletState {
  const identity = { holding: holdingKey(wallet), address: wallet.address };
  const last = before?.balance ?? null;
  if (result.kind === "failure")
    return { ...identity, balance: last, anomaly: { kind: "unreadable", reason: result.reason } };
  const { baseUnits, stake } = result;
  const fell = last !== null && baseUnits * 2n < last.baseUnits;
  if (fell && last.baseUnits - baseUnits > read.unlockedSince(last.readAtMs))
    return { ...identity, balance: last, anomaly: { kind: "fell", observed: baseUnits } };
  const balance = { baseUnits, stake, ledgerVersion: read.ledgerVersion, readAtMs: read.atMs };
  return { ...identity, balance, anomaly: null };
}

/** The amount of a bucket that must be locked at an instant. */
export function lockedAt(schedule: Schedule, bucketId: string | null, instantMs: number): BaseUnits {
  const buckets = schedule.plan.kind === "buckets" ? schedule.plan.buckets : [];
  const bucket = buckets.find(({ id }) => id === bucketId);
  return bucket === undefined ? 0n : lockedOf(bucket, schedule, stepAt(schedule, instantMs)?.index ?? -1);
}

/** Circulating, held and burned amounts add up to what was minted. */
export interface ChainAmounts {
  readonly minted: BaseUnits;
  /** In the wallets of category `burn`. */
  readonly burned: BaseUnits;
  /** Minted less burned. */
  readonly total: BaseUnits;
  /** In all other wallets of the schedule. */
  readonly held: BaseUnits;
  readonly circulating: BaseUnits;
}

export function chainAmounts(schedule: Schedule, { minted, wallets }: Breakdown): ChainAmounts {
  const sumIn = (listed: readonly Wallet[]): BaseUnits =>
    sumOf(listed.flatMap((wallet) => stateOf(wallet, wallets) ?? []));
  const burned = sumIn(walletsOf(schedule).filter(isBurned));
  const held = sumIn(walletsOf(schedule).filter((wallet) => !isBurned(wallet)));
  return { minted, burned, total: minted - burned, held, circulating: minted - burned - held };
}

/** The sum of the balances that count. */
export function sumOf(wallets: readonly WalletState[]): BaseUnits {
  return wallets.reduce((sum, { balance }) => sum + (balance?.baseUnits ?? 0n), 0n);
}

/** Why a sum of these wallets would be wrong, naming the first that is missing; undefined: none is. */
export function missingWallet(listed: readonly Wallet[], { wallets }: Breakdown): string | undefined {
  for (const wallet of listed) {
    const name = `wallet ${wallet.address} (${wallet.label})`;
    if (!isOnChain(wallet))
      return `${name} is on ${wallet.chain}, and only this chain is read; the operator can take it out of the schedule`;
    const state = stateOf(wallet, wallets);
    if (state === undefined || state.balance === null)
      return `${name} was never read${state?.anomaly?.kind === "unreadable" ? `: ${state.anomaly.reason}` : ""}`;
  }
  return undefined;
}
