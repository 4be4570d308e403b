import { memoByObject } from "../base/memo.ts";
import { instantText, isFuture } from "../base/utc.ts";
import { type BaseUnits, tokenText } from "../chain/amount.ts";
import { type StakingTerms, stakedShare, yearlyEmission } from "../chain/staking.ts";
import type { Held } from "../families/chain-node.ts";
import type { ChainFigureRow } from "../figures.ts";
import { abovePlan, allowanceAt, lockedIn } from "../supply/above-plan.ts";
import { bucketsOf, type Schedule } from "../supply/schedule.ts";
import { escrowWallet, holdingKey, isGone, isOnChain, type Wallet, walletsOf } from "../supply/wallets.ts";
import { type CachedValue, type Unavailable, withOlderPart } from "../swr/cached-value.ts";
import type { Sample } from "../swr/loader.ts";

/** One asset at one ledger version: what exists, and what the listed wallets hold. It counts as a whole, or not. */
export interface Reading {
  readonly ledgerVersion: bigint;
  readonly readAtMs: number;
  /** The hash of the block, where nodes may have different blocks of one number. */
  readonly block?: string;
  readonly decimals: number;
  /** All that exists, burned tokens included. */
  readonly minted: BaseUnits;
  /** Labels of the nodes that said so. */
  readonly saidBy: readonly string[];
  /** How many nodes are configured. */
  readonly asked: number;
  /** Wallets on this chain, in the schedule's order. */
  readonly wallets: readonly WalletState[];
  /** null: this deployment does not read it. */
  readonly staking: StakingState | null;
  /** The last one that had every wallet, where this one has not; null: this one has, or there was none. */
  readonly whole: { readonly reading: Reading; readonly observedAtMs: number } | null;
  /** The token on each of its chains that is read, the first one first. */
  readonly chains: readonly ChainReading[];
  /** How many more digits its amounts have than `decimals`, because the base units of a chain are finer. */
  readonly finer?: number;
  /** What the sum of the chains fell from, not long ago; null: it did not, or came back. */
  readonly fell?: { readonly from: BaseUnits; readonly atMs: number } | null;
  /** The escrows, by {@link holdingKey}, that held too little in the round before this one. */
  readonly shortBefore?: readonly string[];
}

/** A token on one of its chains: what was last read there. */
export interface ChainReading extends Pick<Reading, "saidBy" | "asked"> {
  readonly id: string;
  /** Why that is not from the reading that it is in; null when it is. */
  readonly missing: string | null;
  /** null: it was never read. */
  readonly ledgerVersion: bigint | null;
  /** The hash of that block; null: a version has one content alone. */
  readonly block: string | null;
  readonly readAtMs: number;
  /** In the units of the reading. */
  readonly minted: BaseUnits;
  /** The nodes that said everything of it. */
  readonly confirmedBy: readonly string[];
}

/** The terms of native staking, and whether they are of this reading. */
export interface StakingState {
  /** The last good ones; null: never read. */
  readonly good: { readonly terms: StakingTerms; readonly ledgerVersion: bigint; readonly readAtMs: number } | null;
  /** The nodes that said them; none: they are not of this reading. */
  readonly saidBy: readonly string[];
  /** Why this reading has none; null: it has. */
  readonly unreadable: string | null;
}

/** The balance that counts for one wallet, and what is unusual about it. */
export interface WalletState {
  /** {@link holdingKey} of the wallet. */
  readonly holding: string;
  readonly address: string;
  /** The nodes that said the balance; none: it is not of this reading. */
  readonly saidBy: readonly string[];
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

/** Whether a balance is of its own reading. */
export function isRead({ balance, anomaly }: WalletState): boolean {
  return balance !== null && anomaly?.kind !== "unreadable";
}

/** Whether a reading has every wallet, and every chain. */
function isWhole(reading: Pick<Reading, "wallets" | "chains">): boolean {
  return reading.wallets.every(isRead) && whyIncomplete(reading) === undefined;
}

/** Whether it is a reading of several chains. */
export function isOnSeveral({ chains }: Pick<Reading, "chains">): boolean {
  return chains.length > 1;
}

/** Why a reading lacks the first of the chains that it lacks; undefined when it has all. */
export function whyIncomplete({ chains }: Pick<Reading, "chains">): string | undefined {
  return chains.find(({ missing }) => missing !== null)?.missing ?? undefined;
}

/** Why its amounts have no sum; undefined when they have one. A part of a token's chains has none. */
function whyNoSum({ chains = [] }: Schedule, reading: Reading): string | undefined {
  const isPart = chains.some(({ id }) => reading.chains.every((chain) => chain.id !== id));
  return isPart ? "the token's other chains are not read" : whyIncomplete(reading);
}

/** A reading with the last one that had everything, where it has not. */
export function withWhole(reading: Omit<Reading, "whole">, good: Sample<Reading> | null, atMs: number): Reading {
  if (good === null || isWhole(reading)) return { ...reading, whole: null };
  const { value, observedAtMs } = good;
  const kept = { reading: value, observedAtMs: isFuture(observedAtMs, atMs) ? atMs : observedAtMs };
  return { ...reading, whole: isWhole(value) ? kept : value.whole };
}

/** How many digits after the point its amounts have. */
export function digitsOf({ decimals, finer = 0 }: Pick<Reading, "decimals" | "finer">): number {
  return decimals + finer;
}

/** An amount of a reading in the units of its figures, rounded down. */
export function rounded(amount: BaseUnits, { finer = 0 }: Pick<Reading, "finer">): BaseUnits {
  return amount / 10n ** BigInt(finer);
}

/** The sum of the balances of one reading: earlier ones may have moved to another wallet since. */
export function sumOf(wallets: readonly WalletState[]): BaseUnits {
  return wallets.filter(isRead).reduce((sum, { balance }) => sum + (balance?.baseUnits ?? 0n), 0n);
}

/** The amount of a bucket that must be locked at an instant. */
export function lockedAt(schedule: Schedule, bucketId: string | null, instantMs: number): BaseUnits {
  const bucket = bucketsOf(schedule).find(({ id }) => id === bucketId);
  return bucket === undefined ? 0n : lockedIn(bucket, schedule, instantMs);
}

export interface Figure {
  readonly baseUnits: BaseUnits;
  /** How many nodes said each amount in it, at least. */
  readonly witnesses: number;
}

/** A figure, or why it cannot be named. */
export type Amount = Figure | Unavailable;

/** The figure that changes with the schedule too, while the reading stays the same. */
const ABOVE_PLAN = "circulating_supply_above_plan";

/**
 * What a reading of the native token says. Circulating, non-circulating and burned add up to what was minted. `left`:
 * what circulates, which beside the other sums may be zero.
 */
export type ChainFigures = Readonly<
  Record<Exclude<ChainFigureRow<"native">["name"], typeof ABOVE_PLAN> | "minted_supply" | "left", Amount>
>;

/** One figure of a reading of its token, compared with the schedule of an instant. */
export function figureIn(reading: Reading, row: ChainFigureRow, schedule: Schedule, instantMs: number): Amount {
  if (row.name === ABOVE_PLAN) return abovePlanIn(reading, schedule, instantMs);
  if (row.source === "native") return chainFigures(schedule)(reading)[row.name];
  const { minted: baseUnits, saidBy } = reading;
  return { stable_supply: { baseUnits, witnesses: saidBy.length } }[row.name];
}

/** These figures of one reading: the newest, or, where that lacks one of them, the last that had every wallet, if it has. */
export function readingWith(current: CachedValue<Reading>, figuresIn: (reading: Reading) => readonly Amount[]) {
  const { value } = current;
  const lacks = figuresIn(value).some((amount) => "reason" in amount);
  if (!lacks || value.whole === null) return current;
  const { reading, observedAtMs } = value.whole;
  if (figuresIn(reading).some((amount) => "reason" in amount)) return current;
  const dated = withOlderPart({ ...current, value: reading }, observedAtMs);
  return dated.ageSeconds > dated.policy.maxStaleSeconds ? current : dated;
}

/** A figure as it is served: as old as its reading. */
export function served(current: CachedValue<Reading>, amount: Amount): CachedValue<BaseUnits> | Unavailable {
  return "reason" in amount ? amount : { ...current, value: amount.baseUnits };
}

/** The figures of one reading of the native token; a sum with a wallet or a chain missing is no figure. */
export const chainFigures = memoByObject((schedule: Schedule): ((reading: Reading) => ChainFigures) =>
  memoByObject((reading: Reading): ChainFigures => {
    const { minted: baseUnits, saidBy, staking } = reading;
    const reason = whyNoSum(schedule, reading);
    const minted: Amount = reason !== undefined ? missing(reason) : { baseUnits, witnesses: saidBy.length };
    const listed = walletsOf(schedule);
    const gone = isGone(schedule);
    const held = (wallets: readonly Wallet[]) => ("reason" in minted ? minted : heldBy(wallets, schedule, reading));
    // Each figure is rounded once, after its sum.
    const round = (amount: Amount): Amount =>
      "reason" in amount ? amount : { ...amount, baseUnits: rounded(amount.baseUnits, reading) };
    const burned = held(listed.filter(gone));
    const kept = held(listed.filter((wallet) => !gone(wallet)));
    const exact = less(minted, burned);
    const total = notZero(round(exact), schedule, "burn wallets");
    const left = !("reason" in total) ? round(less(exact, kept)) : less(total, kept);
    return {
      total_supply: total,
      burned_supply: round(burned),
      non_circulating_supply: round(kept),
      circulating_supply_on_chain: notZero(left, schedule, "wallets"),
      left,
      minted_supply: round(minted),
      escrow_shortfall: round(shortfall(schedule, reading)),
      ...stakingFigures(staking, total),
    };
  }),
);

/** How much more circulates on chain in a reading than the schedule of an instant allows. */
export function abovePlanIn(reading: Reading, schedule: Schedule, instantMs: number): Amount {
  const { left } = chainFigures(schedule)(reading);
  if ("reason" in left) return left;
  return { ...left, baseUnits: abovePlan(left.baseUnits, allowanceAt(schedule, instantMs)) };
}

/** Terms of an earlier reading are no figure of this one. */
function stakingFigures(staking: StakingState | null, total: Amount) {
  const { good = null, saidBy = [] } = staking?.unreadable === null ? staking : {};
  if (good === null) {
    const none = missing(`native staking cannot be read: ${staking?.unreadable ?? "it is not read"}`);
    return { staked_supply: none, staked_percent: none, yearly_emission: none };
  }
  const { staked } = good.terms;
  const of = (baseUnits: BaseUnits): Figure => ({ baseUnits, witnesses: saidBy.length });
  return {
    staked_supply: of(staked),
    staked_percent: "reason" in total ? total : leastOf(of(stakedShare(staked, total.baseUnits)), total),
    yearly_emission: of(yearlyEmission(good.terms)),
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
  return leastOf({ ...from, baseUnits: from.baseUnits - amount.baseUnits }, amount);
}

/** By how much a figure is above an amount; 0: it is not. */
function excess(figure: Amount, amount: BaseUnits): Amount {
  if ("reason" in figure) return figure;
  const above = figure.baseUnits - amount;
  return { ...figure, baseUnits: above > 0n ? above : 0n };
}

/** A figure with another one in it, which fewer nodes may have said. */
function leastOf(figure: Figure, { witnesses }: Pick<Figure, "witnesses">): Figure {
  return { ...figure, witnesses: Math.min(figure.witnesses, witnesses) };
}

/** No tracker is ever given a zero. */
function notZero(amount: Amount, { token }: Schedule, holders: string): Amount {
  if ("reason" in amount || amount.baseUnits >= 10n ** BigInt(token.decimals)) return amount;
  return missing(`the listed ${holders} hold all that exists`);
}

/** What these wallets hold together; names the first that is missing, without which a sum would be wrong. */
function heldBy(listed: readonly Wallet[], schedule: Schedule, { wallets, saidBy }: Reading): Amount {
  let sum: Figure = { baseUnits: 0n, witnesses: saidBy.length };
  for (const wallet of listed) {
    const name = `wallet ${wallet.address} (${wallet.label})`;
    if (!isOnChain(schedule)(wallet))
      return missing(
        `${name} is on ${wallet.chain}, and only this chain is read; the operator can take it out of the schedule`,
      );
    const state = stateOf(wallet, wallets);
    if (state?.balance == null || !isRead(state)) return missing(`${name} ${whyMissing(state)}`);
    sum = leastOf({ ...sum, baseUnits: sum.baseUnits + state.balance.baseUnits }, { witnesses: state.saidBy.length });
  }
  return sum;
}

function whyMissing({ balance, anomaly }: Partial<WalletState> = {}): string {
  const known = balance ? `was last read at ${instantText(balance.readAtMs)}` : "was never read";
  return anomaly?.kind === "unreadable" ? `${known}: ${anomaly.reason}` : known;
}

/** An escrow with what is minted for it: on one chain, or on several that share it. */
export interface Escrow {
  /** {@link holdingKey} of the wallet. */
  readonly key: string;
  readonly wallet: Wallet;
  readonly chains: readonly string[];
  readonly minted: Amount;
  readonly held: Amount;
}

export function escrowsIn(schedule: Schedule, reading: Reading): readonly Escrow[] {
  const bridged = (schedule.chains ?? []).flatMap(({ id, escrow }) =>
    escrow === null ? [] : [{ id, key: holdingKey(escrowWallet(escrow)), wallet: escrowWallet(escrow) }],
  );
  const wallets = new Map(bridged.map(({ key, wallet }) => [key, wallet]));
  return [...wallets].map(([key, wallet]) => {
    const chains = bridged.flatMap((chain) => (chain.key === key ? [chain.id] : []));
    const backed = reading.chains.filter(({ id }) => chains.includes(id));
    const reason = whyIncomplete({ chains: backed });
    const baseUnits = backed.reduce((sum, { minted }) => sum + minted, 0n);
    const witnesses = Math.min(...backed.map(({ saidBy }) => saidBy.length));
    const minted = reason === undefined ? { baseUnits, witnesses } : missing(reason);
    return { key, wallet, chains, minted, held: heldBy([wallet], schedule, reading) };
  });
}

/** How much more is minted than the escrows hold; what one has to spare covers none of another's. */
function shortfall(schedule: Schedule, reading: Reading): Amount {
  let sum: Figure = { baseUnits: 0n, witnesses: reading.saidBy.length };
  for (const { minted, held } of escrowsIn(schedule, reading)) {
    const short = excess(less(minted, held), 0n);
    if ("reason" in short) return short;
    sum = leastOf({ ...sum, baseUnits: sum.baseUnits + short.baseUnits }, short);
  }
  return sum;
}
