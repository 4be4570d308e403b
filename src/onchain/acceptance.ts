import { DAY_MS, isFuture } from "../base/utc.ts";
import type { BaseUnits } from "../chain/amount.ts";
import { yearlyEmission } from "../chain/staking.ts";
import type { Held, NodeError } from "../families/chain-node.ts";
import { holdingKey, isBurned, type Wallet } from "../supply/wallets.ts";
import type { Sample } from "../swr/loader.ts";
import { type Agreed, type Agreement, UNREAD } from "./agreement.ts";
import { remedyOf } from "./outage.ts";
import { isRead, type Reading, type StakingState, type WalletState, withWhole } from "./reading.ts";
import type { ReadingRules } from "./rules.ts";

/** Amounts by the names of the members that they are in. */
type Amounts = readonly (readonly [name: string, amount: BaseUnits])[];

/** What is known of earlier readings. Plain data, to be stored. */
export interface Memory {
  /** The last accepted reading, of any age. */
  readonly good: Sample<Reading> | null;
  /** The last confirmed amounts and when they were read: unconfirmed ones do not move them, so that steps cannot add up. */
  readonly confirmed: readonly (readonly [name: string, amount: BaseUnits, readAtMs: number])[];
  /** The last confirmed version. */
  readonly floor: bigint;
  /** What the only node first reported beyond the step, since it reported anything else of that. */
  readonly doubt: { readonly amounts: Amounts; readonly ledgerVersion: bigint; readonly atMs: number } | null;
}

export const NOTHING_KNOWN: Memory = { good: null, confirmed: [], floor: 0n, doubt: null };

/** A reading that is accepted, or why it is not; and what is known after it. */
type Acceptance = { readonly memory: Memory } & ({ readonly good: Sample<Reading> } | { readonly reason: string });

/** What becomes of a member's amount: `repeated` is accepted, and confirmed, when a later reading repeats it. */
type Fate = "confirmed" | "accepted" | "repeated" | "waits";

/**
 * What becomes of an amount that one node alone reports, by the number of nodes that are configured and by its distance
 * from the confirmed amount. One that two nodes report alike is confirmed; where they differ, nothing gets here.
 */
const LONE_REPORT: Readonly<Record<"one" | "several", Readonly<Record<"first" | "near" | "far", Fate>>>> = {
  one: { first: "confirmed", near: "accepted", far: "repeated" },
  several: { first: "waits", near: "accepted", far: "waits" },
};

/** One member's amount with the nodes that report it. */
interface Member {
  readonly name: string;
  readonly amount: BaseUnits;
  readonly confirmedBy: readonly string[];
  /** How far a lone report moves what circulates: the supply without the wallets. */
  readonly moves: bigint;
  readonly fate: Fate;
}

/**
 * Accepts what nodes agree on (agreement.ts), or not; nodes that contradict one another never get here. A reading is
 * accepted as a whole: when it violates no invariant and no amount of supply and wallets waits. Terms of staking that
 * wait are missing in it alone.
 */
export function accept(before: Memory, agreement: Agreement, rules: ReadingRules, atMs: number): Acceptance {
  const members = membersOf(before, agreement, rules, atMs);
  const isWaiting = ({ fate }: Member) => fate === "waits";
  const [ofStaking, required] = [members.filter(isOfStaking), members.filter((member) => !isOfStaking(member))];
  const lacking = ofStaking.find(isWaiting);
  const staking: Agreement["staking"] =
    lacking === undefined ? agreement.staking : { why: "silent", reason: waitingReason([lacking], agreement, before) };
  const reading = readingOf({ ...agreement, staking }, rules, before.good, atMs);
  const violated = rules.brokenLaw(reading, before.good?.value);
  if (violated !== null) return { reason: violated, memory: { ...before, doubt: null } };
  const waiting = required.filter(isWaiting);
  if (waiting.length > 0)
    return { reason: waitingReason(waiting, agreement, before), memory: { ...before, doubt: null } };
  const used = lacking === undefined ? members : required;
  const confirmed = used.filter(({ fate }) => fate === "confirmed");
  const far = used.flatMap(({ name, amount, fate }) => (fate === "repeated" ? [[name, amount] as const] : []));
  const counts = (now: readonly Member[]): Acceptance => {
    const good = { kind: "observed", value: reading, observedAtMs: atMs } as const;
    const known = new Map(before.confirmed.map((each) => [each[0], each]));
    for (const { name, amount } of now) known.set(name, [name, amount, atMs]);
    const floor = now.some(({ name }) => name === MINTED) || isOnly(agreement) ? reading.ledgerVersion : before.floor;
    return { good, memory: { good, confirmed: [...known.values()], floor, doubt: null } };
  };
  if (far.length === 0) return counts(confirmed);
  const doubt = before.doubt !== null && !isFuture(before.doubt.atMs, atMs) ? before.doubt : null;
  const doubted = new Map(doubt?.amounts);
  const isRepeated = far.every(([name, amount]) => {
    const first = doubted.get(name);
    return first !== undefined && distance(first, amount) <= rules.toleranceOf(first);
  });
  const { ledgerVersion } = reading;
  if (isRepeated && doubt !== null && atMs - doubt.atMs >= rules.confirmMs && ledgerVersion > doubt.ledgerVersion)
    return counts(used);
  return {
    reason: "one node alone says something far from the last confirmed reading; it awaits a second one",
    memory: { ...before, doubt: isRepeated ? doubt : { amounts: far, ledgerVersion, atMs } },
  };
}

function isOnly({ configured }: Pick<Agreement, "configured">): boolean {
  return configured.length < 2;
}

/** Each member with its fate; lone ones of several nodes wait together where their sum would move a figure by more. */
function membersOf(before: Memory, agreement: Agreement, rules: ReadingRules, atMs: number): readonly Member[] {
  const known = new Map(before.confirmed.map(([name, amount, readAtMs]) => [name, { amount, readAtMs }]));
  const byKey = new Map(rules.wallets.map((wallet) => [holdingKey(wallet), wallet]));
  const isOne = isOnly(agreement);
  const row = LONE_REPORT[isOne ? "one" : "several"];
  // A share of the supply, also of a wallet: what it holds itself may be little.
  const step = rules.toleranceOf(known.get(MINTED)?.amount ?? 0n);
  const members = [...amountsOf(agreement, rules.wallets)].map(([name, { value: amount, confirmedBy }]): Member => {
    const member = { name, amount, confirmedBy, moves: 0n };
    if (confirmedBy.length > 1 || rules.isChain) return { ...member, fate: "confirmed" };
    const reference = known.get(name);
    if (reference === undefined) return { ...member, fate: row.first };
    // What the schedule unlocked may have left the wallet since.
    const wallet = isOne ? undefined : byKey.get(name);
    const unlocked = wallet === undefined ? 0n : rules.unlocked(wallet, reference.readAtMs, atMs);
    const beyond = beyondUnlock(amount - reference.amount, unlocked);
    const isNear = distance(0n, beyond) <= (isOne ? rules.toleranceOf(reference.amount) : step);
    const moves = isOfStaking(member) ? 0n : name === MINTED ? beyond : -beyond;
    return { ...member, moves, fate: isNear ? row.near : row.far };
  });
  if (isOne) return members;
  const sumOf = (isIn: (moves: bigint) => boolean) =>
    members.reduce((sum, { moves, fate }) => (fate === "accepted" && isIn(moves) ? sum + moves : sum), 0n);
  const isTooFar = sumOf((moves) => moves > 0n) > step || sumOf((moves) => moves < 0n) < -step;
  return members.map((member) => (isTooFar && member.moves !== 0n ? { ...member, fate: "waits" } : member));
}

/** A change without the part of a fall that an unlock explains. */
function beyondUnlock(change: bigint, unlocked: bigint): bigint {
  if (change >= 0n || unlocked <= 0n) return change;
  return -change > unlocked ? change + unlocked : 0n;
}

function distance(one: BaseUnits, other: BaseUnits): BaseUnits {
  return one < other ? other - one : one - other;
}

const [MINTED, STAKED, EMISSION] = ["minted", "staked", "yearly emission"] as const;

function isOfStaking({ name }: Pick<Member, "name">): boolean {
  return name === STAKED || name === EMISSION;
}

/** Why members that one node alone reports wait: which ones, for which nodes, and what the operator can do. */
function waitingReason(waiting: readonly Member[], { configured }: Agreement, { confirmed }: Memory): string {
  const [first] = waiting;
  if (first === undefined) return "";
  const known = new Set(confirmed.map(([name]) => name));
  const names = waiting.map(memberText);
  const what = names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");
  const why = waiting.every(({ name }) => known.has(name))
    ? "more than a step from what was confirmed"
    : "which no two nodes have confirmed yet";
  const absent = configured.filter((label) => !first.confirmedBy.includes(label));
  return `only ${first.confirmedBy[0]} reports ${what}, ${why}; ${remedyOf(absent, configured)}`;
}

function memberText({ name }: Pick<Member, "name">): string {
  if (name === MINTED) return "the supply";
  return isOfStaking({ name }) ? "native staking" : `wallet ${name.split(" ")[1]}`;
}

/** What was reported that a step can measure. */
function amountsOf(
  { supply, balances, staking }: Agreement,
  wallets: readonly Wallet[],
): ReadonlyMap<string, Agreed<BaseUnits>> {
  const amounts = new Map<string, Agreed<BaseUnits>>([[MINTED, { ...supply, value: supply.value.minted }]]);
  for (const [index, wallet] of wallets.entries()) {
    const balance = balances[index];
    if (balance !== undefined && "confirmedBy" in balance)
      amounts.set(holdingKey(wallet), { ...balance, value: balance.value.baseUnits });
  }
  if (staking !== null && "confirmedBy" in staking) {
    amounts.set(STAKED, { ...staking, value: staking.value.staked });
    amounts.set(EMISSION, { ...staking, value: yearlyEmission(staking.value) });
  }
  return amounts;
}

function readingOf(agreement: Agreement, rules: ReadingRules, good: Memory["good"], atMs: number): Reading {
  const { ledgerVersion, supply } = agreement;
  const before = good?.value;
  const known = new Map(before?.wallets.map((state) => [state.holding, state]));
  const readable = balancesOf(agreement, rules.wallets);
  const wallets = rules.wallets.map((wallet, index): WalletState => {
    const [holding, { address }] = [holdingKey(wallet), wallet];
    const last = known.get(holding);
    const read = readable[index] ?? UNREAD;
    if ("why" in read) {
      const anomaly = { kind: "unreadable", reason: read.reason } as const;
      return { holding, address, saidBy: [], balance: last?.balance ?? null, anomaly };
    }
    const { value, confirmedBy: saidBy } = read;
    const balance = { ...value, ledgerVersion, readAtMs: atMs };
    return { holding, address, saidBy, balance, anomaly: fallOf(wallet, last, value.baseUnits, rules, atMs) };
  });
  const staking = stakingIn(agreement, before?.staking ?? null, atMs);
  const of = { ledgerVersion, readAtMs: atMs, saidBy: supply.confirmedBy, asked: agreement.configured.length };
  const { minted, block = null } = supply.value;
  const members = [...wallets.filter(isRead), ...(staking?.unreadable === null ? [staking] : [])];
  const confirmedBy = of.saidBy.filter((node) => members.every(({ saidBy }) => saidBy.includes(node)));
  const chain = { ...of, id: rules.chain.id, missing: null, block, minted, confirmedBy };
  return withWhole({ ...of, ...supply.value, wallets, staking, chains: [chain] }, good, atMs);
}

/** A stake pool that two holdings name is counted for neither of them: it would be subtracted twice. */
function balancesOf({ balances }: Agreement, wallets: readonly Wallet[]): readonly (Agreed<Held> | NodeError)[] {
  const pools = wallets.map((wallet, index) => {
    const balance = balances[index];
    const named = balance !== undefined && "confirmedBy" in balance ? balance.value.pool : null;
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
function stakingIn(agreement: Agreement, before: StakingState | null, atMs: number): StakingState | null {
  const { ledgerVersion, supply, staking } = agreement;
  if (staking === null) return null;
  if ("confirmedBy" in staking && staking.value.staked <= supply.value.minted)
    return {
      good: { terms: staking.value, ledgerVersion, readAtMs: atMs },
      saidBy: staking.confirmedBy,
      unreadable: null,
    };
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
