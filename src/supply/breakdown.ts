import type { BaseUnits } from "../chain/amount.ts";
import { memoByObject } from "../memo.ts";
import type { Question, Verdict } from "../swr/gate.ts";
import type { Seen } from "../swr/loader.ts";
import { lockedOf, stepAt } from "./circulating.ts";
import { isExplained, percentOf, type Thresholds } from "./plausibility.ts";
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
  /** The balance fell by more than half, or awaits confirmation; `observed` is the new balance. */
  | { readonly kind: "fell" | "unconfirmed"; readonly observed: BaseUnits };

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
 * A wallet that cannot be read, or whose balance does not count, keeps its last good balance and is flagged. The flag is
 * cleared when a balance counts again, or when the operator publishes the next revision of the schedule.
 */
export function nextWalletState(
  wallet: Wallet,
  before: WalletState | undefined,
  result: BalanceResult,
  verdict: Verdict | undefined,
  { ledgerVersion, atMs }: ReadAt,
): WalletState {
  const identity = { holding: holdingKey(wallet), address: wallet.address };
  const flagged = (anomaly: WalletAnomaly): WalletState => {
    return { ...identity, balance: before?.balance ?? null, anomaly };
  };
  if (result.kind === "failure") return flagged({ kind: "unreadable", reason: result.reason });
  const { baseUnits, stake } = result;
  if (verdict?.kind === "doubtful") return flagged({ kind: "unconfirmed", observed: baseUnits });
  if (verdict?.kind === "refused")
    return flagged(
      verdict.reason === FELL ? { kind: "fell", observed: baseUnits } : { kind: "unreadable", reason: verdict.reason },
    );
  return { ...identity, balance: { baseUnits, stake, ledgerVersion, readAtMs: atMs }, anomaly: null };
}

/** Where and when the wallets were read. */
export interface ReadAt {
  readonly ledgerVersion: bigint;
  readonly atMs: number;
}

/**
 * The law of CoinGecko that a wallet may break: a fall by more than half beyond what the schedule unlocked. Not one for
 * burned tokens: they are destroyed, and the total, which does without them, must agree.
 */
const FELL = "the balance fell by more than half";

/**
 * How a wallet's balance is judged: against its last good one or, at first, against what its bucket may and, with no
 * other wallet, must hold.
 */
export function walletQuestion(schedule: Schedule, { supplyStepPercent }: Thresholds) {
  const step = percentOf(supplyStepPercent, schedule.maxSupply);
  const listed = walletsOf(schedule);
  return (
    wallet: Wallet,
    read: { readonly baseUnits: BaseUnits },
    { atMs }: ReadAt,
    before?: WalletState,
  ): Question => {
    const seen: Seen = { value: read.baseUnits, atMs };
    const last = before?.balance && { value: before.balance.baseUnits, atMs: before.balance.readAtMs };
    const locked = (instantMs: number): BaseUnits => lockedAt(schedule, wallet.bucket, instantMs);
    const fell =
      last &&
      !isBurned(wallet) &&
      seen.value * 2n < last.value &&
      last.value - seen.value > locked(last.atMs) - locked(atMs);
    const isOnly = listed.filter(({ bucket }) => bucket === wallet.bucket).length === 1;
    return {
      seen,
      last: last ?? undefined,
      broken: fell ? FELL : null,
      isNear: (reference) =>
        reference === undefined
          ? seen.value <= allocationOf(schedule, wallet.bucket) + step && (!isOnly || seen.value + step >= locked(atMs))
          : isExplained(seen.value - reference.value, locked(atMs) - locked(reference.atMs), step),
    };
  };
}

/** The amount of a bucket, or the maximum where there is none. */
function allocationOf({ plan, maxSupply }: Schedule, bucketId: string | null): BaseUnits {
  const bucket = plan.kind === "buckets" ? plan.buckets.find(({ id }) => id === bucketId) : undefined;
  return bucket?.allocation ?? maxSupply;
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
    if (state?.anomaly?.kind === "unconfirmed" && state.balance === null)
      return `${name} was read once, and awaits confirmation`;
    if (state === undefined || state.balance === null)
      return `${name} was never read${state?.anomaly?.kind === "unreadable" ? `: ${state.anomaly.reason}` : ""}`;
  }
  return undefined;
}
