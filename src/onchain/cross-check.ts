import { type BaseUnits, tokenText } from "../chain/amount.ts";
import type { Config } from "../config.ts";
import type { Problem } from "../problems.ts";
import { allowanceAt, isPlanWatched } from "../supply/above-plan.ts";
import { stepMs } from "../supply/calendar.ts";
import { circulatingAt, stepAt } from "../supply/circulating.ts";
import { type Bucket, bucketsOf, type Schedule } from "../supply/schedule.ts";
import { type Wallet, walletsOf } from "../supply/wallets.ts";
import { chainProblems, isOnMissingChain } from "./chain-problems.ts";
import { reportsByChain } from "./confirmation.ts";
import {
  abovePlanIn,
  anomalyText,
  chainFigures,
  digitsOf,
  isRead,
  lockedAt,
  type Reading,
  rounded,
  stateOf,
  sumOf,
} from "./reading.ts";

interface BucketRow extends Pick<Bucket, "id" | "label" | "category"> {
  readonly locked: BaseUnits;
  /** null: it lists no wallet, or not every one is of this reading. */
  readonly onChain: BaseUnits | null;
  readonly wallets: readonly Wallet[];
}

/** Per bucket, the amount that must be locked and the balance of its wallets. */
export function bucketRows(
  schedule: Schedule,
  reading: Pick<Reading, "wallets" | "finer">,
  nowMs: number,
): BucketRow[] {
  return bucketsOf(schedule).map(({ id, label, category }) => {
    const listed = walletsOf(schedule).filter(({ bucket }) => bucket === id);
    const read = listed.flatMap((wallet) => stateOf(wallet, reading.wallets) ?? []).filter(isRead);
    const onChain = read.length === 0 || read.length < listed.length ? null : rounded(sumOf(read), reading);
    return { id, label, category, locked: lockedAt(schedule, id, nowMs), onChain, wallets: listed };
  });
}

const BASIS_POINTS = 10_000n;

/** Where one reading of the chain contradicts the schedule; `tolerance`: of the plan, in basis points. */
export function figureProblems(
  schedule: Schedule,
  nowMs: number,
  reading: Reading,
  tolerance: Config["planToleranceBasisPoints"],
): Problem[] {
  const { decimals } = schedule.token;
  const text = (amount: BaseUnits) => tokenText(amount, decimals);
  const found: Problem[] = totalProblems(schedule, nowMs, reading, text);
  for (const state of reading.wallets) {
    const { address, anomaly } = state;
    // A missing chain is one problem, not one of each of its wallets.
    if (anomaly === null || isOnMissingChain(state, reading)) continue;
    const said = {
      subject: address,
      message: `Wallet ${address}: ${anomalyText(state, digitsOf(reading))}`,
    };
    found.push(
      anomaly.kind === "fell" ? { code: "wallet_balance_fell", ...said } : { code: "wallet_unreadable", ...said },
    );
  }
  const short = shortBuckets(schedule, nowMs, reading, text);
  const above = abovePlan(schedule, nowMs, reading, tolerance, text);
  if (above === null) found.push(...short);
  else {
    // One condition, one alarm: what was locked is why more circulates.
    const message = [...short, above].map((each) => each.message).join(" ");
    found.push({ ...above, message });
  }
  const unreadable = reading.staking?.unreadable ?? null;
  if (unreadable !== null) {
    const message = `Native staking cannot be read: ${unreadable}. STAKING=off is for a chain without it.`;
    found.push({ code: "staking_unreadable", subject: "native-staking", message });
  }
  return [...found, ...chainProblems(schedule, reading, nowMs), ...reportsByChain(reading).flatMap(oneWords)];
}

/** What one node alone reported, although more are configured. */
function oneWords({
  asked,
  saidBy,
  wallets,
  staking,
}: Pick<Reading, "asked" | "saidBy" | "wallets" | "staking">): Problem[] {
  if (asked < 2) return [];
  const members = [
    { name: "the supply", saidBy },
    ...wallets.map((wallet) => ({ name: `wallet ${wallet.address}`, saidBy: wallet.saidBy })),
    { name: "native staking", saidBy: staking?.saidBy ?? [] },
  ];
  const alone = members.filter((member) => member.saidBy.length === 1);
  return [...Map.groupBy(alone, (member) => member.saidBy[0] ?? "")].map(([node, said]) => {
    const what = firstOf(said.map(({ name }) => name));
    return { code: "one_word", subject: node, message: `Only ${node} could read ${what}: no other node confirms it.` };
  });
}

function firstOf(names: readonly string[]): string {
  return names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");
}

/** The allocations whose wallets hold less than must be locked. */
function shortBuckets(
  schedule: Schedule,
  nowMs: number,
  reading: Reading,
  text: (amount: BaseUnits) => string,
): Problem[] {
  return bucketRows(schedule, reading, nowMs).flatMap(({ id, locked, onChain, wallets }): Problem[] => {
    if (onChain === null || onChain >= locked) return [];
    const named = firstOf(wallets.map(({ address }) => address));
    const held = `${text(onChain)} ${schedule.token.symbol}`;
    const message = `The wallets of ${id} (${named}) hold ${held}; ${text(locked)} must be locked.`;
    return [{ code: "locked_below_schedule", subject: id, message }];
  });
}

/**
 * The alarm compares a reading with the plan of now. It needs a wallet of an allocation that has locked tokens; before
 * the start the tokens of the first day are nobody's yet.
 */
function abovePlan(
  schedule: Schedule,
  nowMs: number,
  reading: Reading,
  tolerance: bigint,
  text: (amount: BaseUnits) => string,
): Problem | null {
  if (!isPlanWatched(schedule) || stepAt(schedule, nowMs) === undefined) return null;
  const above = abovePlanIn(reading, schedule, nowMs);
  const { plan, unseen } = allowanceAt(schedule, nowMs);
  if ("reason" in above || above.baseUnits * BASIS_POINTS <= plan * tolerance) return null;
  const circulating = `${text(plan + unseen + above.baseUnits)} ${schedule.token.symbol}`;
  const locked = unseen === 0n ? "" : `, and ${text(unseen)} are locked in allocations that list no wallet`;
  const message = `${circulating} circulate on chain; the schedule allows ${text(plan)}${locked}.`;
  return { code: "circulating_above_plan", subject: "circulating_supply_above_plan", message };
}

/** The total must not exceed the maximum, and the circulating supply must not exceed the total. */
function totalProblems(
  schedule: Schedule,
  nowMs: number,
  reading: Reading,
  text: (amount: BaseUnits) => string,
): Problem[] {
  const { total_supply } = chainFigures(schedule)(reading);
  if ("reason" in total_supply) return [];
  const { baseUnits: total } = total_supply;
  const { maxSupply } = schedule;
  const circulating = circulatingAt(schedule, nowMs);
  const found: Problem[] = [];
  if (total > maxSupply) {
    const message = `${text(total)} tokens exist on chain; the published maximum is ${text(maxSupply)}.`;
    found.push({ code: "total_above_max", subject: "total_supply", message });
  }
  if (circulating > total) {
    const message = `The schedule has ${text(circulating)} circulating tokens; ${text(total)} exist on chain.`;
    found.push({ code: "circulating_above_total", subject: "circulating_supply", message });
  }
  return found;
}

/** A table without a figure for the current month while tokens are still locked: the last figure stays in force. */
export function scheduleEnded({ plan, maxSupply, calendar, lastIndex }: Schedule, nowMs: number): Problem[] {
  if (plan.kind !== "table" || (plan.figures[lastIndex] ?? 0n) >= maxSupply) return [];
  if (nowMs < stepMs(calendar, lastIndex + 1)) return [];
  const message = "The schedule's table has ended and tokens are still locked; publish the months that follow.";
  return [{ code: "schedule_ended", subject: "circulating_supply", message }];
}
