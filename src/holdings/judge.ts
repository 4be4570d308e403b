import type { BaseUnits } from "../chain/amount.ts";
import { type StakingTerms, yearlyEmission } from "../chain/staking.ts";
import { holdingKey, isBurned, type Wallet } from "../supply/wallets.ts";
import type { Sample } from "../swr/loader.ts";
import { DAY_MS } from "../utc.ts";
import type { Held, NodeError } from "./chain-node.ts";
import type { Reading, StakingState, WalletState } from "./reading.ts";
import type { ReadingRules } from "./rules.ts";

/** What one node says of one asset at one ledger version. */
export interface Word {
  readonly node: string;
  readonly ledgerVersion: bigint;
  readonly decimals: number;
  readonly minted: BaseUnits;
  /** In the order of the wallets. */
  readonly balances: readonly (Held | NodeError)[];
  /** null: it was not asked. */
  readonly staking: StakingTerms | NodeError | null;
}

/** Of one node, or equal ones of two. */
export type Words = readonly [Word, ...Word[]];

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
  const others = membersOf(right, wallets);
  for (const [member, { text }] of membersOf(left, wallets)) {
    const other = others.get(member)?.text ?? text;
    if (other !== text) return { member, values: [text, other] };
  }
  return null;
}

/** A number in a word: as two nodes have to say it, and as a step measures it. */
interface Member {
  readonly text: string;
  /** null: it has no small steps. */
  readonly amount: BaseUnits | null;
}

/** What a node could read, by name. */
function membersOf(word: Word, wallets: readonly Wallet[]): ReadonlyMap<string, Member> {
  const { decimals, minted, balances, staking } = word;
  const members = new Map<string, Member>([
    ["decimals", { text: String(decimals), amount: null }],
    ["minted", { text: String(minted), amount: minted }],
  ]);
  for (const [index, wallet] of wallets.entries()) {
    const balance = balances[index];
    if (balance === undefined || "why" in balance) continue;
    const { baseUnits, stake } = balance;
    const text = stake === null ? String(baseUnits) : `${baseUnits} (${Object.values(stake).join(", ")})`;
    members.set(holdingKey(wallet), { text, amount: baseUnits });
  }
  if (staking !== null && !("why" in staking)) {
    const { numerator, denominator, epochSeconds, staked } = staking;
    const rate = `${numerator}/${denominator} every ${epochSeconds} s`;
    members.set("staked", { text: String(staked), amount: staked });
    members.set("yearly emission", { text: rate, amount: yearlyEmission(staking) });
  }
  return members;
}

/** A reading that counts, or why it does not; and what is known after it. */
type Verdict = { readonly memory: Memory } & ({ readonly good: Sample<Reading> } | { readonly reason: string });

/**
 * Judges a reading as a whole: the words are of one or two nodes, at one version, and equal. It counts when it breaks
 * no law and each of its amounts is the word of two nodes, or within a step of its confirmed amount, or was said at
 * least `confirmMs` before, at an earlier version, with nothing else in between.
 */
export function judge(before: Memory, words: Words, rules: ReadingRules, atMs: number): Verdict {
  const reading = readingOf(words, rules, before.good?.value, atMs);
  const reason = rules.brokenLaw(reading, before.good?.value);
  if (reason !== null) return { reason, memory: before };
  const saidBy = words.map((word) => amountsOf(word, rules.wallets));
  const said = new Map(saidBy.flatMap((amounts) => [...amounts]));
  const isSingle = (name: string): boolean =>
    !rules.isChain && saidBy.filter((amounts) => amounts.has(name)).length < 2;
  const isNear = (reference: Amounts): boolean =>
    reference.every(([name, from]) => {
      const change = (said.get(name) ?? from) - from;
      return !isSingle(name) || (change < 0n ? -change : change) <= rules.toleranceOf(from);
    });
  const counts = (confirmed: Amounts): Verdict => {
    const good = { kind: "observed", value: reading, observedAtMs: atMs } as const;
    return { good, memory: { good, confirmed, doubt: null } };
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
    reason: "one node alone says something far from the last confirmed reading; it awaits a second one",
    memory: { ...before, doubt: isRepeated ? doubt : { amounts: [...said], ledgerVersion, atMs } },
  };
}

/** What a word says that a step can measure. */
function amountsOf(word: Word, wallets: readonly Wallet[]): ReadonlyMap<string, BaseUnits> {
  const members = [...membersOf(word, wallets)];
  return new Map(members.flatMap(([name, { amount }]) => (amount === null ? [] : [[name, amount] as const])));
}

/** How long health and the feed name a wallet whose balance fell. */
const FELL_NOTICE_MS = DAY_MS;

function readingOf(words: Words, rules: ReadingRules, before: Reading | undefined, atMs: number): Reading {
  const [first] = words;
  const { ledgerVersion, decimals, minted } = first;
  const known = new Map(before?.wallets.map((state) => [state.holding, state]));
  const wallets = rules.wallets.map((wallet, index): WalletState => {
    const [holding, { address }] = [holdingKey(wallet), wallet];
    const last = known.get(holding);
    const read = firstRead(words.flatMap(({ balances }) => balances[index] ?? []));
    if ("why" in read)
      return { holding, address, balance: last?.balance ?? null, anomaly: { kind: "unreadable", reason: read.reason } };
    const balance = { ...read, ledgerVersion, readAtMs: atMs };
    return { holding, address, balance, anomaly: fallOf(wallet, last, read.baseUnits, rules, atMs) };
  });
  const staking = stakingIn(words, before?.staking ?? null, atMs);
  return { ledgerVersion, decimals, minted, wallets, staking, confirmedBy: words.map(({ node }) => node) };
}

/** What the first node says that could read it; else why the first one could not. */
function firstRead<T extends object>(results: readonly (T | NodeError)[]): T | NodeError {
  const [first = { why: "silent", reason: "it was not read" }] = results;
  return results.find((result) => !("why" in result)) ?? first;
}

/** The terms that count; those that cannot be read, or are none, leave the last good ones. */
function stakingIn(words: Words, before: StakingState | null, atMs: number): StakingState | null {
  const [{ ledgerVersion, minted }] = words;
  const results = words.flatMap(({ staking }) => staking ?? []);
  if (results.length === 0) return null;
  const terms = firstRead(results);
  if ("staked" in terms && terms.staked <= minted)
    return { good: { terms, ledgerVersion, readAtMs: atMs }, unreadable: null };
  const unreadable = "why" in terms ? terms.reason : "more is staked than exists on chain";
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
