import { isFuture } from "../base/utc.ts";
import type { BaseUnits } from "../chain/amount.ts";
import { yearlyEmission } from "../chain/staking.ts";
import { holdingKey, type Wallet } from "../supply/wallets.ts";
import type { Sample } from "../swr/loader.ts";
import { readingOf } from "./agreed-reading.ts";
import { type Agreement, hasOneNode, type Uncontradicted } from "./agreement.ts";
import { type AmountDecision, distance, LONE_REPORT } from "./lone-report.ts";
import { remedyOf } from "./outage.ts";
import type { Reading } from "./reading.ts";
import type { ReadingRules } from "./rules.ts";

/** Amounts by name: `minted`, a holding's key, or one of the staking terms. */
type NamedAmounts = readonly (readonly [name: string, amount: BaseUnits])[];

/** Results of earlier readings that decide about the next one. Plain data, to be stored. */
export interface ReadingHistory {
  /** The last accepted reading, of any age; null: none was ever accepted. */
  readonly good: Sample<Reading> | null;
  /**
   * The last confirmed amounts, each with the time of its reading. Amounts that were accepted without confirmation are
   * not in it, so that a lone node cannot move a figure by many small steps.
   */
  readonly confirmed: readonly (readonly [name: string, amount: BaseUnits, readAtMs: number])[];
  /** The ledger version of the last confirmed supply. */
  readonly floor: bigint;
  /**
   * Amounts that the only configured node reported first and that lie beyond the step. They are accepted only when a
   * later reading repeats them.
   */
  readonly unconfirmed: {
    readonly amounts: NamedAmounts;
    readonly ledgerVersion: bigint;
    readonly atMs: number;
  } | null;
}

export const NO_HISTORY: ReadingHistory = { good: null, confirmed: [], floor: 0n, unconfirmed: null };

/** The accepted reading, or the reason why none is accepted; and the history after it. */
type Acceptance = { readonly history: ReadingHistory } & (
  | { readonly good: Sample<Reading> }
  | { readonly reason: string }
);

/** One reported amount with the decision about it. */
interface DecidedAmount {
  readonly name: string;
  readonly amount: BaseUnits;
  readonly confirmedBy: readonly string[];
  /** Change of the circulating supply by a lone report: a higher supply or a lower balance raises it. */
  readonly circulatingChange: bigint;
  readonly decision: AmountDecision;
}

/**
 * Accepts or rejects a reading as a whole. The nodes agree (agreement.ts); here the reading must violate no invariant,
 * and no amount of the supply or a wallet may wait. If staking terms wait, only they are missing in the reading.
 */
export function accept(before: ReadingHistory, agreement: Agreement, rules: ReadingRules, atMs: number): Acceptance {
  const amounts = decideAmounts(before, agreement, rules, atMs);
  const isWaiting = ({ decision }: DecidedAmount) => decision === "waits";
  const required = amounts.filter((amount) => !isStakingAmount(amount));
  const waitingStaking = amounts.find((amount) => isStakingAmount(amount) && isWaiting(amount));
  const staking: Agreement["staking"] =
    waitingStaking === undefined
      ? agreement.staking
      : { why: "silent", reason: waitingReason([waitingStaking], agreement, before) };
  const reading = readingOf({ ...agreement, staking }, rules, before.good, atMs);
  const violated = rules.violatedInvariant(reading, before.good?.value);
  if (violated !== null) return { reason: violated, history: { ...before, unconfirmed: null } };
  const waiting = required.filter(isWaiting);
  if (waiting.length > 0)
    return { reason: waitingReason(waiting, agreement, before), history: { ...before, unconfirmed: null } };
  const usable = waitingStaking === undefined ? amounts : required;
  const far = usable.filter(({ decision }) => decision === "accepted_if_repeated");
  const acceptConfirming = (confirmed: readonly DecidedAmount[]): Acceptance => {
    const good = { kind: "observed", value: reading, observedAtMs: atMs } as const;
    const references = new Map(before.confirmed.map((each) => [each[0], each]));
    for (const { name, amount } of confirmed) references.set(name, [name, amount, atMs]);
    const isSupplyConfirmed = confirmed.some(({ name }) => name === MINTED);
    const floor = isSupplyConfirmed || hasOneNode(agreement) ? reading.ledgerVersion : before.floor;
    return { good, history: { good, confirmed: [...references.values()], floor, unconfirmed: null } };
  };
  if (far.length === 0) return acceptConfirming(usable.filter(({ decision }) => decision === "confirmed"));
  const first = before.unconfirmed !== null && !isFuture(before.unconfirmed.atMs, atMs) ? before.unconfirmed : null;
  const firstAmounts = new Map(first?.amounts);
  const total = confirmedTotal(before) ?? firstAmounts.get(MINTED) ?? 0n;
  const isRepeated = far.every(({ name, amount }) => {
    const firstAmount = firstAmounts.get(name);
    return firstAmount !== undefined && distance(firstAmount, amount) <= rules.toleranceOf(firstAmount, total);
  });
  const { ledgerVersion } = reading;
  if (isRepeated && first !== null && atMs - first.atMs >= rules.confirmMs && ledgerVersion > first.ledgerVersion)
    return acceptConfirming(usable);
  const farAmounts = far.map(({ name, amount }) => [name, amount] as const);
  return {
    reason: "one node alone reports an amount far from the last confirmed reading; it awaits a second reading",
    history: { ...before, unconfirmed: isRepeated ? first : { amounts: farAmounts, ledgerVersion, atMs } },
  };
}

/** Supply that was last confirmed; undefined when none was. */
function confirmedTotal({ confirmed }: ReadingHistory): bigint | undefined {
  return confirmed.find(([name]) => name === MINTED)?.[1];
}

/**
 * Decides about each reported amount. With several nodes configured, amounts that only one node reported are held back
 * together when their sum would move the circulating supply by more than `SUPPLY_STEP_PERCENT`.
 */
function decideAmounts(
  before: ReadingHistory,
  agreement: Agreement,
  rules: ReadingRules,
  atMs: number,
): readonly DecidedAmount[] {
  const references = new Map(before.confirmed.map(([name, amount, readAtMs]) => [name, { amount, readAtMs }]));
  const walletsByKey = new Map(rules.wallets.map((wallet) => [holdingKey(wallet), wallet]));
  const isOnlyNode = hasOneNode(agreement);
  const decisions = LONE_REPORT[isOnlyNode ? "one" : "several"];
  // A step is a share of the supply, for wallets too: a share of a small balance would be next to nothing.
  const total = confirmedTotal(before) ?? 0n;
  const step = rules.toleranceOf(total, total);
  const reported = [...comparableAmounts(agreement, rules.wallets)];
  const amounts = reported.map(([name, { value: amount, confirmedBy }]): DecidedAmount => {
    const unmoved = { name, amount, confirmedBy, circulatingChange: 0n };
    if (confirmedBy.length > 1 || rules.isTrusted) return { ...unmoved, decision: "confirmed" };
    const reference = references.get(name);
    if (reference === undefined) return { ...unmoved, decision: decisions.first };
    // Tokens that the schedule has unlocked since may have left the wallet.
    const wallet = isOnlyNode ? undefined : walletsByKey.get(name);
    const unlocked = wallet === undefined ? 0n : rules.unlockedBetween(wallet, reference.readAtMs, atMs);
    const unexplained = changeBeyondUnlock(amount - reference.amount, unlocked);
    const isNear = distance(0n, unexplained) <= (isOnlyNode ? rules.toleranceOf(reference.amount, total) : step);
    const circulatingChange = isStakingAmount({ name }) ? 0n : name === MINTED ? unexplained : -unexplained;
    return { ...unmoved, circulatingChange, decision: isNear ? decisions.near : decisions.far };
  });
  if (isOnlyNode) return amounts;
  const sumOfChanges = (isIncluded: (change: bigint) => boolean) =>
    amounts.reduce(
      (sum, { circulatingChange, decision }) =>
        decision === "accepted" && isIncluded(circulatingChange) ? sum + circulatingChange : sum,
      0n,
    );
  const isTooFar = sumOfChanges((change) => change > 0n) > step || sumOfChanges((change) => change < 0n) < -step;
  return amounts.map((each) => (isTooFar && each.circulatingChange !== 0n ? { ...each, decision: "waits" } : each));
}

/** Removes from a fall the part that an unlock explains. */
function changeBeyondUnlock(change: bigint, unlocked: bigint): bigint {
  if (change >= 0n || unlocked <= 0n) return change;
  return -change > unlocked ? change + unlocked : 0n;
}

const [MINTED, STAKED, EMISSION] = ["minted", "staked", "yearly emission"] as const;

function isStakingAmount({ name }: Pick<DecidedAmount, "name">): boolean {
  return name === STAKED || name === EMISSION;
}

/** States which amounts wait because only one node reports them, and what the operator can do. */
function waitingReason(
  waiting: readonly DecidedAmount[],
  { configured }: Agreement,
  { confirmed }: ReadingHistory,
): string {
  const [first] = waiting;
  if (first === undefined) return "";
  const confirmedNames = new Set(confirmed.map(([name]) => name));
  const texts = waiting.map(amountText);
  const what = texts.slice(0, 3).join(", ") + (texts.length > 3 ? ` and ${texts.length - 3} more` : "");
  const why = waiting.every(({ name }) => confirmedNames.has(name))
    ? "more than a step from what was confirmed"
    : "which no two nodes have confirmed yet";
  const absent = configured.filter((label) => !first.confirmedBy.includes(label));
  return `only ${first.confirmedBy[0]} reports ${what}, ${why}; ${remedyOf(absent, configured)}`;
}

function amountText({ name }: Pick<DecidedAmount, "name">): string {
  if (name === MINTED) return "the supply";
  return isStakingAmount({ name }) ? "native staking" : `wallet ${name.split(" ")[1]}`;
}

/** Collects the reported amounts that are compared with confirmed ones. */
function comparableAmounts(
  { supply, balances, staking }: Agreement,
  wallets: readonly Wallet[],
): ReadonlyMap<string, Uncontradicted<BaseUnits>> {
  const amounts = new Map<string, Uncontradicted<BaseUnits>>([[MINTED, { ...supply, value: supply.value.minted }]]);
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
