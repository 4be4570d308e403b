import { DAY_MS } from "../base/utc.ts";
import type { BaseUnits } from "../chain/amount.ts";
import { yearlyEmission } from "../chain/staking.ts";
import { holdingKey, isBurned, type Wallet } from "../supply/wallets.ts";
import type { Sample } from "../swr/loader.ts";
import type { Held, NodeError } from "./chain-node.ts";
import { type Reading, type StakingState, type WalletState, withWhole } from "./reading.ts";
import type { ReadingRules } from "./rules.ts";
import { type Said, type SaidWords, UNREAD } from "./words.ts";

/** Amounts by the names of the members that they are in. */
type Amounts = readonly (readonly [name: string, amount: BaseUnits])[];

/** What is known of earlier readings. Plain data, to be stored. */
export interface Memory {
  /** The last one that counted, of any age. */
  readonly good: Sample<Reading> | null;
  /** The last confirmed amounts: small steps of a single node do not move them, so that they cannot add up. */
  readonly confirmed: Amounts;
  /** What a single node first said beyond the step, since it said anything else of that. */
  readonly doubt: { readonly amounts: Amounts; readonly ledgerVersion: bigint; readonly atMs: number } | null;
}

export const NOTHING_KNOWN: Memory = { good: null, confirmed: [], doubt: null };

/** A reading that counts, or why it does not; and what is known after it. */
type Verdict = { readonly memory: Memory } & ({ readonly good: Sample<Reading> } | { readonly reason: string });

/**
 * Judges what `countOf` (words.ts) let through; a disagreement never gets here. A reading counts when it breaks no law
 * and each of its amounts was said by two nodes (or by the embedded one), is the first of its name, is within a step of
 * its confirmed amount, or was said at least `confirmMs` before, at an earlier version, with nothing else in between.
 */
export function judge(before: Memory, words: SaidWords, rules: ReadingRules, atMs: number): Verdict {
  const reading = readingOf(words, rules, before.good, atMs);
  const reason = rules.brokenLaw(reading, before.good?.value);
  if (reason !== null) return { reason, memory: { ...before, doubt: null } };
  const said = [...amountsOf(words, rules.wallets)];
  const amounts = said.map(([name, { value }]) => [name, value] as const);
  const twice = new Set(said.flatMap(([name, { by }]) => (by.length > 1 || rules.isChain ? [name] : [])));
  const confirmed = new Map(before.confirmed);
  const far = amounts.filter(([name, amount]) => !twice.has(name) && isFar(confirmed.get(name), amount, rules));
  const counts = (after: Amounts): Verdict => {
    const good = { kind: "observed", value: reading, observedAtMs: atMs } as const;
    return { good, memory: { good, confirmed: after, doubt: null } };
  };
  if (far.length === 0) {
    // What a single node says for the first time is the reference until something better is known.
    const stays = before.confirmed.filter(([name]) => !twice.has(name));
    return counts([...new Map([...amounts, ...stays])]);
  }
  // A doubt of a time to come is from before the clock was set back.
  const doubt = before.doubt !== null && before.doubt.atMs <= atMs ? before.doubt : null;
  const doubted = new Map(doubt?.amounts);
  const isRepeated = far.every(([name, amount]) => doubted.has(name) && !isFar(doubted.get(name), amount, rules));
  const { ledgerVersion } = reading;
  if (isRepeated && doubt !== null && atMs - doubt.atMs >= rules.confirmMs && ledgerVersion > doubt.ledgerVersion)
    return counts([...new Map([...confirmed, ...amounts])]);
  return {
    reason: "one node alone says something far from the last confirmed reading; it awaits a second one",
    memory: { ...before, doubt: isRepeated ? doubt : { amounts: far, ledgerVersion, atMs } },
  };
}

/** Whether an amount is further than a step from what is known of it; of what is not known none is. */
function isFar(known: BaseUnits | undefined, amount: BaseUnits, { toleranceOf }: ReadingRules): boolean {
  if (known === undefined) return false;
  const change = amount - known;
  return (change < 0n ? -change : change) > toleranceOf(known);
}

/** What was said that a step can measure. */
function amountsOf(
  { supply, balances, staking }: SaidWords,
  wallets: readonly Wallet[],
): ReadonlyMap<string, Said<BaseUnits>> {
  const amounts = new Map([["minted", { ...supply, value: supply.value.minted }]]);
  for (const [index, wallet] of wallets.entries()) {
    const balance = balances[index];
    if (balance !== undefined && "by" in balance)
      amounts.set(holdingKey(wallet), { ...balance, value: balance.value.baseUnits });
  }
  if (staking !== null && "by" in staking) {
    amounts.set("staked", { ...staking, value: staking.value.staked });
    amounts.set("yearly emission", { ...staking, value: yearlyEmission(staking.value) });
  }
  return amounts;
}

function readingOf(words: SaidWords, rules: ReadingRules, good: Memory["good"], atMs: number): Reading {
  const { ledgerVersion, supply } = words;
  const before = good?.value;
  const known = new Map(before?.wallets.map((state) => [state.holding, state]));
  const readable = balancesOf(words, rules.wallets);
  const wallets = rules.wallets.map((wallet, index): WalletState => {
    const [holding, { address }] = [holdingKey(wallet), wallet];
    const last = known.get(holding);
    const read = readable[index] ?? UNREAD;
    if ("why" in read) {
      const anomaly = { kind: "unreadable", reason: read.reason } as const;
      return { holding, address, saidBy: [], balance: last?.balance ?? null, anomaly };
    }
    const { value, by: saidBy } = read;
    const balance = { ...value, ledgerVersion, readAtMs: atMs };
    return { holding, address, saidBy, balance, anomaly: fallOf(wallet, last, value.baseUnits, rules, atMs) };
  });
  const reading = {
    ledgerVersion,
    readAtMs: atMs,
    ...supply.value,
    saidBy: supply.by,
    asked: words.asked,
    wallets,
    staking: stakingIn(words, before?.staking ?? null, atMs),
  };
  return withWhole(reading, good, atMs);
}

/** A stake pool that two holdings name is counted for neither of them: it would be subtracted twice. */
function balancesOf({ balances }: SaidWords, wallets: readonly Wallet[]): readonly (Said<Held> | NodeError)[] {
  const pools = wallets.map((wallet, index) => {
    const balance = balances[index];
    const named = balance !== undefined && "by" in balance ? balance.value.pool : null;
    if (wallet.holds === "delegation") return wallet.pool;
    return wallet.holds === "stake_pool" ? wallet.address : named;
  });
  return balances.map((balance, index) => {
    const pool = pools[index] ?? null;
    const other = wallets.find(
      ({ holds }, at) =>
        at !== index &&
        pool !== null &&
        pools[at] === pool &&
        !(holds === "delegation" && isDelegation(wallets[index])),
    );
    if (other === undefined) return balance;
    return { why: "refused", reason: `its stake pool ${pool} is in the listed wallet ${other.address} too` };
  });
}

function isDelegation(wallet: Wallet | undefined): boolean {
  return wallet?.holds === "delegation";
}

/** The terms that count; those that cannot be read, or are none, leave the last good ones. */
function stakingIn(words: SaidWords, before: StakingState | null, atMs: number): StakingState | null {
  const { ledgerVersion, supply, staking } = words;
  if (staking === null) return null;
  if ("by" in staking && staking.value.staked <= supply.value.minted)
    return { good: { terms: staking.value, ledgerVersion, readAtMs: atMs }, saidBy: staking.by, unreadable: null };
  const unreadable = "why" in staking ? staking.reason : "more is staked than exists on chain";
  return { good: before?.good ?? null, saidBy: [], unreadable };
}

/** How long health and the feed name a wallet whose balance fell. */
const FELL_NOTICE_MS = DAY_MS;

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
