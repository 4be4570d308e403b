import { type BaseUnits, tokenText } from "../chain/amount.ts";
import { type StakingTerms, stakedShare, yearlyEmission } from "../chain/staking.ts";
import type { ChainFigureRow } from "../figures.ts";
import { memoByObject } from "../memo.ts";
import { lockedOf, stepAt } from "../supply/circulating.ts";
import { bucketsOf, type Schedule } from "../supply/schedule.ts";
import { holdingKey, isBurned, isOnChain, type Wallet, walletsOf } from "../supply/wallets.ts";
import { type CachedValue, readSince, type Unavailable } from "../swr/cached-value.ts";
import { instantText } from "../utc.ts";
import type { Held } from "./chain-node.ts";

/** One asset at one ledger version: what exists, and what the listed wallets hold. It counts as a whole, or not. */
export interface Reading {
  readonly ledgerVersion: bigint;
  readonly decimals: number;
  /** All that exists, burned tokens included. */
  readonly minted: BaseUnits;
  /** Wallets on this chain, in the schedule's order. */
  readonly wallets: readonly WalletState[];
  /** null: this deployment does not read it. */
  readonly staking: StakingState | null;
  /** Labels of the nodes that say so. */
  readonly confirmedBy: readonly string[];
}

/** The terms of native staking, and whether they are of this reading. */
export interface StakingState {
  /** The last good ones; null: never read. */
  readonly good: { readonly terms: StakingTerms; readonly ledgerVersion: bigint; readonly readAtMs: number } | null;
  /** Why this reading has none; null: it has. */
  readonly unreadable: string | null;
}

/** The balance that counts for one wallet, and what is unusual about it. */
export interface WalletState {
  /** {@link holdingKey} of the wallet. */
  readonly holding: string;
  readonly address: string;
  /** The last good balance; null: never read. */
  readonly balance: Balance | null;
  readonly anomaly: WalletAnomaly | null;
}

export interface Balance extends Held {
  readonly ledgerVersion: bigint;
  readonly readAtMs: number;
}

export type WalletAnomaly =
  /** No node could read it: the balance is an earlier one. */
  | { readonly kind: "unreadable"; readonly reason: string }
  /** The balance fell by more than half beyond what the schedule unlocked, not long ago. */
  | { readonly kind: "fell"; readonly from: BaseUnits; readonly atMs: number };

/** What is wrong with a wallet, in words; null: nothing. */
export function anomalyText({ anomaly, balance }: Pick<WalletState, "anomaly" | "balance">, decimals: number) {
  if (anomaly === null) return null;
  if (anomaly.kind === "fell")
    return `The balance fell by more than half at ${instantText(anomaly.atMs)}; it was ${tokenText(anomaly.from, decimals)} before.`;
  const known = balance === null ? "and never was" : "the balance is an earlier one";
  return `It could not be read, ${known}: ${anomaly.reason}.`;
}

/** A wallet's state; undefined for a wallet on another chain. */
export function stateOf(wallet: Wallet, states: readonly WalletState[]): WalletState | undefined {
  return byHolding(states).get(holdingKey(wallet));
}

const byHolding = memoByObject(
  (states: readonly WalletState[]) => new Map(states.map((state) => [state.holding, state])),
);

/** The sum of the known balances. */
export function sumOf(wallets: readonly WalletState[]): BaseUnits {
  return wallets.reduce((sum, { balance }) => sum + (balance?.baseUnits ?? 0n), 0n);
}

/** The amount of a bucket that must be locked at an instant. */
export function lockedAt(schedule: Schedule, bucketId: string | null, instantMs: number): BaseUnits {
  const bucket = bucketsOf(schedule).find(({ id }) => id === bucketId);
  return bucket === undefined ? 0n : lockedOf(bucket, schedule, stepAt(schedule, instantMs)?.index ?? -1);
}

export interface Figure {
  readonly baseUnits: BaseUnits;
  /** Of the balances in it that could not be read now, the one that was read first; null: all are of this reading. */
  readonly carried: { readonly readAtMs: number; readonly reason: string } | null;
}

/** A figure, or why it cannot be named. */
export type Amount = Figure | Unavailable;

/** What a reading of the native token says. Circulating, non-circulating and burned add up to what was minted. */
export type ChainFigures = Readonly<Record<ChainFigureRow<"native">["name"], Amount>>;

/** One figure of a reading of its token. */
export function figureIn(reading: Reading, row: ChainFigureRow, schedule: Schedule): Amount {
  return row.source === "native" ? chainFigures(schedule)(reading)[row.name] : read(reading.minted);
}

/** A figure of a reading as it may be served: as old as the oldest balance in it, within the same bound. */
export function served(current: CachedValue<Reading>, amount: Amount): CachedValue<BaseUnits> | Unavailable {
  if ("reason" in amount) return amount;
  const { baseUnits, carried } = amount;
  if (carried === null) return { ...current, value: baseUnits };
  const dated = readSince({ ...current, value: baseUnits }, carried.readAtMs);
  return dated.ageSeconds > dated.policy.maxStaleSeconds ? missing(carried.reason) : dated;
}

function read(baseUnits: BaseUnits): Figure {
  return { baseUnits, carried: null };
}

/** The figures of one reading of the native token; a sum with a wallet missing is no figure. */
export const chainFigures = memoByObject((schedule: Schedule): ((reading: Reading) => ChainFigures) =>
  memoByObject(({ minted, wallets, staking }: Reading): ChainFigures => {
    const listed = walletsOf(schedule);
    const burned = heldBy(listed.filter(isBurned), wallets);
    const held = heldBy(
      listed.filter((wallet) => !isBurned(wallet)),
      wallets,
    );
    const total = notZero(less(read(minted), burned), schedule, "burn wallets");
    return {
      total_supply: total,
      burned_supply: burned,
      non_circulating_supply: held,
      circulating_supply_on_chain: notZero(less(total, held), schedule, "wallets"),
      ...stakingFigures(staking, total),
    };
  }),
);

/** Terms of an earlier reading are no figure of this one. */
function stakingFigures(staking: StakingState | null, total: Amount) {
  const good = staking?.unreadable === null ? staking.good : null;
  if (good === null) {
    const none = missing(`native staking cannot be read: ${staking?.unreadable ?? "it is not read"}`);
    return { staked_supply: none, staked_percent: none, yearly_emission: none };
  }
  const { staked } = good.terms;
  return {
    staked_supply: read(staked),
    staked_percent: "reason" in total ? total : { ...total, baseUnits: stakedShare(staked, total.baseUnits) },
    yearly_emission: read(yearlyEmission(good.terms)),
  };
}

/** The operator has to change the schedule, or a node to answer again. */
export const MISSING_RETRY_SECONDS = 60;

function missing(reason: string): Unavailable {
  return { kind: "unavailable", reason, retryAfterSeconds: MISSING_RETRY_SECONDS };
}

/** The difference, or why there is none. */
export function less(from: Amount, amount: Amount): Amount {
  if ("reason" in from) return from;
  if ("reason" in amount) return amount;
  return { baseUnits: from.baseUnits - amount.baseUnits, carried: older(from.carried, amount.carried) };
}

function older(one: Figure["carried"], other: Figure["carried"]): Figure["carried"] {
  return one === null || (other !== null && other.readAtMs < one.readAtMs) ? other : one;
}

/** No tracker is ever given a zero. */
function notZero(amount: Amount, { token }: Schedule, holders: string): Amount {
  if ("reason" in amount || amount.baseUnits >= 10n ** BigInt(token.decimals)) return amount;
  return missing(`the listed ${holders} hold all that exists`);
}

/** What these wallets hold together; names the first that is missing, without which a sum would be wrong. */
function heldBy(listed: readonly Wallet[], states: readonly WalletState[]): Amount {
  let sum = read(0n);
  for (const wallet of listed) {
    const { balance = null, anomaly } = stateOf(wallet, states) ?? {};
    const unreadable = anomaly?.kind === "unreadable" ? `: ${anomaly.reason}` : null;
    const name = `wallet ${wallet.address} (${wallet.label})`;
    if (!isOnChain(wallet))
      return missing(
        `${name} is on ${wallet.chain}, and only this chain is read; the operator can take it out of the schedule`,
      );
    if (balance === null) return missing(`${name} was never read${unreadable ?? ""}`);
    const { baseUnits, readAtMs } = balance;
    const reason = `${name} was last read at ${instantText(readAtMs)}${unreadable}`;
    sum = {
      baseUnits: sum.baseUnits + baseUnits,
      carried: unreadable === null ? sum.carried : older(sum.carried, { readAtMs, reason }),
    };
  }
  return sum;
}

/** Which nodes said so, at which version, when. */
export function confirmationView({ value, observedAtMs }: CachedValue<Reading>) {
  return { nodes: value.confirmedBy, ledger_version: String(value.ledgerVersion), at: instantText(observedAtMs) };
}
