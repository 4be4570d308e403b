import type { BaseUnits } from "../chain/amount.ts";
import { yearlyEmission } from "../chain/staking.ts";
import { holdingKey, isBurned, type Wallet } from "../supply/wallets.ts";
import type { Sample } from "../swr/loader.ts";
import { DAY_MS } from "../utc.ts";
import type { BalanceRead, BalanceResult, StakingResult } from "./chain-node.ts";
import type { Reading, StakingState, WalletState } from "./reading.ts";
import type { ReadingRules } from "./rules.ts";

/** What one node says of one asset at one ledger version. */
export interface Word {
  readonly node: string;
  readonly ledgerVersion: bigint;
  readonly decimals: number;
  readonly minted: BaseUnits;
  /** In the order of the wallets. */
  readonly balances: readonly BalanceResult[];
  /** null: it was not asked. */
  readonly staking: StakingResult | null;
}

/** Amounts by the names of the numbers in a reading. */
type Amounts = readonly (readonly [name: string, amount: BaseUnits])[];

/** What is known of earlier readings. Plain data, to be stored. */
export interface Memory {
  /** The last one that counted, of any age. */
  readonly good: Sample<Reading> | null;
  /** The last confirmed amounts: small steps of a single node do not move them, so that they cannot add up. */
  readonly confirmed: Amounts;
  /** The first word of a single node beyond the step, since none other was heard. */
  readonly doubt: { readonly amounts: Amounts; readonly ledgerVersion: bigint; readonly atMs: number } | null;
}

export const NOTHING_KNOWN: Memory = { good: null, confirmed: [], doubt: null };

/** A member of which two nodes say different things at one version. */
export interface Difference {
  readonly member: string;
  readonly values: readonly [string, string];
}

/** The first member that differs; null: the words are equal. What only one of them could read is no difference. */
export function differenceOf(left: Word, right: Word, wallets: readonly Wallet[]): Difference | null {
  const members = (word: Word): (readonly [string, string | null])[] => [
    ["decimals", String(word.decimals)],
    [MINTED, String(word.minted)],
    ...wallets.map((wallet, index) => [holdingKey(wallet), balanceText(word.balances[index])] as const),
    ["staking", stakingText(word.staking)],
  ];
  const others = members(right);
  for (const [index, [member, value]] of members(left).entries()) {
    const other = others[index]?.[1] ?? null;
    if (value !== null && other !== null && value !== other) return { member, values: [value, other] };
  }
  return null;
}

const MINTED = "minted";

function balanceText(balance: BalanceResult | undefined): string | null {
  if (balance === undefined || balance.kind === "failure") return null;
  const { baseUnits, stake } = balance;
  return stake === null ? String(baseUnits) : `${baseUnits} (${Object.values(stake).join(", ")})`;
}

function stakingText(staking: StakingResult | null): string | null {
  if (staking?.kind !== "staking") return null;
  const { numerator, denominator, epochSeconds, staked } = staking.terms;
  return `${numerator}/${denominator} of ${staked} every ${epochSeconds} s`;
}

export type Verdict =
  | { readonly kind: "counts"; readonly good: Sample<Reading>; readonly memory: Memory }
  /** The word of a single node is far from the confirmed amounts: it counts when it is repeated. */
  | { readonly kind: "doubtful"; readonly memory: Memory }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Judges a reading as a whole: the words are of one or two nodes, at one version, and equal. It counts when it breaks
 * no law and each of its amounts is the word of two nodes, or within a step of its confirmed amount, or was said at
 * least `confirmMs` before, at an earlier version, with nothing else in between. `isChain`: the only node is the chain.
 */
export function judge(
  before: Memory,
  words: readonly Word[],
  rules: ReadingRules,
  atMs: number,
  isChain: boolean,
): Verdict {
  const reading = readingOf(words, rules, before.good?.value, atMs);
  const reason = rules.brokenLaw(reading, before.good?.value);
  if (reason !== null) return { kind: "refused", reason };
  const saidBy = words.map((word) => amountsOf(word, rules.wallets));
  const said = new Map(saidBy.flatMap((amounts) => [...amounts]));
  const isSingle = (name: string): boolean => !isChain && saidBy.filter((amounts) => amounts.has(name)).length < 2;
  const isNear = (reference: Amounts): boolean =>
    reference.every(([name, from]) => {
      const change = (said.get(name) ?? from) - from;
      return !isSingle(name) || (change < 0n ? -change : change) <= rules.stepOf(from);
    });
  const counts = (confirmed: Amounts): Verdict => {
    const good = { kind: "observed", value: reading, observedAtMs: atMs } as const;
    return { kind: "counts", good, memory: { good, confirmed, doubt: null } };
  };
  if (isNear(before.confirmed)) {
    // What a single node says for the first time is the reference until something better is known.
    const stays = before.confirmed.filter(([name]) => isSingle(name));
    return counts([...new Map([...said, ...stays])]);
  }
  const { doubt } = before;
  const isRepeated = doubt !== null && isNear(doubt.amounts);
  const { ledgerVersion } = reading;
  if (isRepeated && atMs - doubt.atMs >= rules.confirmMs && ledgerVersion > doubt.ledgerVersion)
    return counts([...new Map([...before.confirmed, ...said])]);
  return {
    kind: "doubtful",
    memory: { ...before, doubt: isRepeated ? doubt : { amounts: [...said], ledgerVersion, atMs } },
  };
}

/** What a word says that a step can measure, by name. */
function amountsOf({ minted, balances, staking }: Word, wallets: readonly Wallet[]): ReadonlyMap<string, BaseUnits> {
  const amounts = new Map([[MINTED, minted]]);
  for (const [index, wallet] of wallets.entries()) {
    const balance = readable(balances[index]);
    if (balance !== undefined) amounts.set(holdingKey(wallet), balance.baseUnits);
  }
  if (staking?.kind === "staking")
    amounts.set("staked", staking.terms.staked).set("yearly emission", yearlyEmission(staking.terms));
  return amounts;
}

function readable(balance: BalanceResult | undefined): BalanceRead | undefined {
  return balance?.kind === "balance" ? balance : undefined;
}

/** How long health and the feed name a wallet whose balance fell. */
const FELL_NOTICE_MS = DAY_MS;

function readingOf(words: readonly Word[], rules: ReadingRules, before: Reading | undefined, atMs: number): Reading {
  const [first] = words;
  if (first === undefined) throw new RangeError("a reading needs a word");
  const { ledgerVersion, decimals, minted } = first;
  const known = new Map(before?.wallets.map((state) => [state.holding, state]));
  const wallets = rules.wallets.map((wallet, index): WalletState => {
    const [holding, { address }] = [holdingKey(wallet), wallet];
    const last = known.get(holding);
    const results = words.flatMap(({ balances }) => balances[index] ?? []);
    const read = results.map(readable).find((balance) => balance !== undefined);
    if (read === undefined) {
      const failure = results.find((result) => result.kind === "failure");
      const reason = failure?.kind === "failure" ? failure.reason : "it was not read";
      return { holding, address, balance: last?.balance ?? null, anomaly: { kind: "unreadable", reason } };
    }
    const balance = { baseUnits: read.baseUnits, stake: read.stake, ledgerVersion, readAtMs: atMs };
    return { holding, address, balance, anomaly: fallOf(wallet, last, balance.baseUnits, rules, atMs) };
  });
  const staking = stakingIn(words, first, before?.staking ?? null, atMs);
  return { ledgerVersion, decimals, minted, wallets, staking, confirmedBy: words.map(({ node }) => node) };
}

/** The terms that count; those that cannot be read, or are none, leave the last good ones. */
function stakingIn(
  words: readonly Word[],
  { ledgerVersion, minted }: Word,
  before: StakingState | null,
  atMs: number,
): StakingState | null {
  const results = words.flatMap(({ staking }) => staking ?? []);
  const read = results.find((result) => result.kind === "staking");
  if (read !== undefined && read.terms.staked <= minted)
    return { good: { terms: read.terms, ledgerVersion, readAtMs: atMs }, unreadable: null };
  const [failure] = results;
  if (failure === undefined) return null;
  const unreadable = failure.kind === "failure" ? failure.reason : "more is staked than exists on chain";
  return { good: before?.good ?? null, unreadable };
}

/** A fall by more than half beyond what the schedule unlocked: not an error, but worth a look. */
function fallOf(
  wallet: Wallet,
  last: WalletState | undefined,
  baseUnits: BaseUnits,
  { unlocked }: ReadingRules,
  atMs: number,
): WalletState["anomaly"] {
  const before = last?.balance ?? null;
  if (before === null || isBurned(wallet)) return null;
  const fall = before.baseUnits - baseUnits;
  if (baseUnits * 2n < before.baseUnits && fall > unlocked(wallet, before.readAtMs, atMs))
    return { kind: "fell", from: before.baseUnits, atMs };
  const noticed = last?.anomaly?.kind === "fell" ? last.anomaly : null;
  return noticed !== null && atMs - noticed.atMs < FELL_NOTICE_MS ? noticed : null;
}
