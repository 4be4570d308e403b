import { memoByObject } from "../base/memo.ts";
import { instantText } from "../base/utc.ts";
import { type BaseUnits, tokenText } from "../chain/amount.ts";
import { type StakingTerms, stakedShare, yearlyEmission } from "../chain/staking.ts";
import type { ChainFigureRow } from "../figures.ts";
import { lockedOf, stepAt } from "../supply/circulating.ts";
import { bucketsOf, type Schedule } from "../supply/schedule.ts";
import { holdingKey, isBurned, isOnChain, type Wallet, walletsOf } from "../supply/wallets.ts";
import { type CachedValue, readSince, type Unavailable } from "../swr/cached-value.ts";
import type { Held } from "./chain-node.ts";

/** One asset at one ledger version: what exists, and what the listed wallets hold. It counts as a whole, or not. */
export interface Reading {
  readonly ledgerVersion: bigint;
  /** The hash of the block, where nodes may have different blocks of one number. */
  readonly block?: string;
  readonly decimals: number;
  /** All that exists, burned tokens included. */
  readonly minted: BaseUnits;
  /** Labels of the nodes that said so. */
  readonly saidBy: readonly string[];
  /** How many nodes were asked. */
  readonly asked: number;
  /** Wallets on this chain, in the schedule's order. */
  readonly wallets: readonly WalletState[];
  /** null: this deployment does not read it. */
  readonly staking: StakingState | null;
  /** The last one that had every wallet, where this one has not; null: this one has, or there was none. */
  readonly whole: { readonly reading: Reading; readonly observedAtMs: number } | null;
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

/** Whether a reading has every wallet. */
export function isWhole({ wallets }: Pick<Reading, "wallets">): boolean {
  return wallets.every(isRead);
}

/** The sum of the balances of one reading: earlier ones may have moved to another wallet since. */
export function sumOf(wallets: readonly WalletState[]): BaseUnits {
  return wallets.filter(isRead).reduce((sum, { balance }) => sum + (balance?.baseUnits ?? 0n), 0n);
}

/** The amount of a bucket that must be locked at an instant. */
export function lockedAt(schedule: Schedule, bucketId: string | null, instantMs: number): BaseUnits {
  const bucket = bucketsOf(schedule).find(({ id }) => id === bucketId);
  return bucket === undefined ? 0n : lockedOf(bucket, schedule, stepAt(schedule, instantMs)?.index ?? -1);
}

export interface Figure {
  readonly baseUnits: BaseUnits;
  /** How many nodes said each amount in it, at least. */
  readonly witnesses: number;
}

/** A figure, or why it cannot be named. */
export type Amount = Figure | Unavailable;

/** What a reading of the native token says. Circulating, non-circulating and burned add up to what was minted. */
export type ChainFigures = Readonly<Record<ChainFigureRow<"native">["name"], Amount>>;

/** One figure of a reading of its token. */
export function figureIn(reading: Reading, row: ChainFigureRow, schedule: Schedule): Amount {
  const { minted: baseUnits, saidBy } = reading;
  return row.source === "native" ? chainFigures(schedule)(reading)[row.name] : { baseUnits, witnesses: saidBy.length };
}

/** These figures of one reading: the newest, or, where that lacks one of them, the last that had every wallet, if it has. */
export function readingWith(current: CachedValue<Reading>, figuresIn: (reading: Reading) => readonly Amount[]) {
  const { value } = current;
  const lacks = figuresIn(value).some((amount) => "reason" in amount);
  if (!lacks || value.whole === null) return current;
  const { reading, observedAtMs } = value.whole;
  if (figuresIn(reading).some((amount) => "reason" in amount)) return current;
  const dated = readSince({ ...current, value: reading }, observedAtMs);
  return dated.ageSeconds > dated.policy.maxStaleSeconds ? current : dated;
}

/** A figure as it is served: as old as its reading. */
export function served(current: CachedValue<Reading>, amount: Amount): CachedValue<BaseUnits> | Unavailable {
  return "reason" in amount ? amount : { ...current, value: amount.baseUnits };
}

/** The figures of one reading of the native token; a sum with a wallet missing is no figure. */
export const chainFigures = memoByObject((schedule: Schedule): ((reading: Reading) => ChainFigures) =>
  memoByObject((reading: Reading): ChainFigures => {
    const { minted, saidBy, staking } = reading;
    const listed = walletsOf(schedule);
    const burned = heldBy(listed.filter(isBurned), reading);
    const held = heldBy(
      listed.filter((wallet) => !isBurned(wallet)),
      reading,
    );
    const total = notZero(less({ baseUnits: minted, witnesses: saidBy.length }, burned), schedule, "burn wallets");
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
function heldBy(listed: readonly Wallet[], { wallets, saidBy }: Reading): Amount {
  let sum: Figure = { baseUnits: 0n, witnesses: saidBy.length };
  for (const wallet of listed) {
    const name = `wallet ${wallet.address} (${wallet.label})`;
    if (!isOnChain(wallet))
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

/** The nodes that said every member of a reading. */
function confirmedBy({ saidBy, wallets, staking }: Reading): readonly string[] {
  const members = [...wallets.filter(isRead), ...(staking?.unreadable === null ? [staking] : [])];
  return saidBy.filter((node) => members.every((member) => member.saidBy.includes(node)));
}

/** Which nodes said so, at which version, when. */
export function confirmationView({ value, observedAtMs }: CachedValue<Reading>) {
  return { nodes: confirmedBy(value), ledger_version: String(value.ledgerVersion), at: instantText(observedAtMs) };
}
