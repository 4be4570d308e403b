import { instantText } from "../base/utc.ts";
import { type BaseUnits, tokenText } from "../chain/amount.ts";
import type { Config } from "../config.ts";
import type { Problem } from "../problems.ts";
import { allowanceAt, isPlanWatched, lockedAt } from "../supply/above-plan.ts";
import { stepMs } from "../supply/calendar.ts";
import { circulatingAt, stepAt } from "../supply/circulating.ts";
import { type Bucket, bucketsOf, hasUnlocks, type Schedule } from "../supply/schedule.ts";
import { type Wallet, walletsOf } from "../supply/wallets.ts";
import { abovePlanIn, chainFigures } from "./chain-figures.ts";
import { crossChainProblems, isOnMissingChain } from "./chain-problems.ts";
import { circulatingViewProblems } from "./circulating-view.ts";
import { reportsByChain } from "./confirmation.ts";
import { exceeds } from "./figure-sums.ts";
import {
  amountDecimals,
  anomalyText,
  hasCurrentBalance,
  type Reading,
  stateOf,
  sumOfBalances,
  toTokenUnits,
} from "./reading.ts";

/** An allocation with the amount that must be locked, and the balance of its wallets. */
interface BucketRow extends Pick<Bucket, "id" | "label" | "category"> {
  readonly locked: BaseUnits;
  /** null: the allocation lists no wallet, or one of its wallets has no balance in this reading. */
  readonly onChain: BaseUnits | null;
  readonly wallets: readonly Wallet[];
}

/** Compares each allocation's locked amount with the balance of its wallets. */
export function bucketRows(
  schedule: Schedule,
  reading: Pick<Reading, "wallets" | "extraDecimals">,
  nowMs: number,
): BucketRow[] {
  return bucketsOf(schedule).map(({ id, label, category }) => {
    const listed = walletsOf(schedule).filter(({ bucket }) => bucket === id);
    const read = listed.flatMap((wallet) => stateOf(wallet, reading.wallets) ?? []).filter(hasCurrentBalance);
    const onChain =
      read.length === 0 || read.length < listed.length ? null : toTokenUnits(sumOfBalances(read), reading);
    return { id, label, category, locked: lockedAt(schedule, id, nowMs), onChain, wallets: listed };
  });
}

/** Finds contradictions between a reading and the schedule. `tolerance`: share of the plan, in basis points. */
export function figureProblems(
  schedule: Schedule,
  nowMs: number,
  reading: Reading,
  tolerance: Config["planToleranceBasisPoints"],
): Problem[] {
  const { decimals } = schedule.token;
  const text = (amount: BaseUnits) => tokenText(amount, decimals);
  const problems: Problem[] = totalProblems(schedule, nowMs, reading, text);
  for (const state of reading.wallets) {
    const { address, anomaly } = state;
    // A missing chain is reported once, not once for each of its wallets.
    if (anomaly === null || isOnMissingChain(state, reading)) continue;
    const code = anomaly.kind === "dropped" ? "wallet_balance_fell" : "wallet_unreadable";
    const message = `Wallet ${address}: ${anomalyText(state, amountDecimals(reading))}`;
    problems.push({ code, subject: address, message });
  }
  const short = shortBuckets(schedule, nowMs, reading, text);
  const above = abovePlan(schedule, nowMs, reading, tolerance, text);
  if (above === null) problems.push(...short);
  else {
    // One alarm for one cause: tokens that left the locked wallets are those that circulate above the plan.
    const message = [...short, above].map((each) => each.message).join(" ");
    problems.push({ ...above, message });
  }
  const unreadable = reading.staking?.unreadable ?? null;
  if (unreadable !== null) {
    const message = `Native staking cannot be read: ${unreadable}.`;
    problems.push({ code: "staking_unreadable", subject: "native-staking", message });
  }
  return [
    ...problems,
    ...unreadablePrices(schedule, reading),
    ...crossChainProblems(schedule, reading, nowMs),
    ...circulatingViewProblems(schedule, reading, tolerance),
    ...reportsByChain(reading).flatMap(loneReports),
  ];
}

/** Finds the share prices that the reading lacks. Their products keep the prices of earlier days. */
function unreadablePrices({ sharePrices = [] }: Schedule, { prices = [] }: Reading): Problem[] {
  return sharePrices.flatMap((share): Problem[] => {
    const state = prices.find(({ id }) => id === share.id);
    if (state?.unreadable === null) return [];
    const reason = state?.unreadable ?? "its chain is not read";
    const last = state?.price ? `its last price is of ${instantText(state.price.atMs)}` : "it never had a price";
    const message = `The price of ${share.id} is not renewed by ${share.view}: ${reason}; ${last}.`;
    return [{ code: "share_price_unreadable", subject: share.id, message }];
  });
}

/** Finds members that only one of several configured nodes reported: one problem for each such node. */
function loneReports({
  nodeCount,
  confirmedBy,
  wallets,
  staking,
  prices,
}: ReturnType<typeof reportsByChain>[number]): Problem[] {
  if (nodeCount < 2) return [];
  const members = [
    { name: "the supply", nodes: confirmedBy },
    ...wallets.map((wallet) => ({ name: `wallet ${wallet.address}`, nodes: wallet.confirmedBy })),
    { name: "native staking", nodes: staking?.confirmedBy ?? [] },
    ...prices.map((price) => ({ name: `the price of ${price.id}`, nodes: price.confirmedBy })),
  ];
  const lone = members.filter(({ nodes }) => nodes.length === 1);
  return [...Map.groupBy(lone, ({ nodes }) => nodes[0] ?? "")].map(([node, reported]) => {
    const what = firstNames(reported.map(({ name }) => name));
    return { code: "one_word", subject: node, message: `Only ${node} could read ${what}: no other node confirms it.` };
  });
}

function firstNames(names: readonly string[]): string {
  return names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");
}

/** Finds the allocations whose wallets hold less than must be locked. */
function shortBuckets(
  schedule: Schedule,
  nowMs: number,
  reading: Reading,
  text: (amount: BaseUnits) => string,
): Problem[] {
  return bucketRows(schedule, reading, nowMs).flatMap(({ id, locked, onChain, wallets }): Problem[] => {
    if (onChain === null || onChain >= locked) return [];
    const named = firstNames(wallets.map(({ address }) => address));
    const held = `${text(onChain)} ${schedule.token.symbol}`;
    const message = `The wallets of ${id} (${named}) hold ${held}; ${text(locked)} must be locked.`;
    return [{ code: "locked_below_schedule", subject: id, message }];
  });
}

/**
 * Finds circulation above the plan of this instant. It finds nothing unless an allocation with locked tokens lists a
 * wallet. The check does not run before the start, because the plan does not contain the first day's tokens yet.
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
  if ("reason" in above || !exceeds(above.baseUnits, plan, tolerance)) return null;
  const circulating = `${text(plan + unseen + above.baseUnits)} ${schedule.token.symbol}`;
  const locked = unseen === 0n ? "" : `, and ${text(unseen)} are locked in allocations that list no wallet`;
  const message = `${circulating} circulate on chain; the schedule allows ${text(plan)}${locked}.`;
  return { code: "circulating_above_plan", subject: "circulating_supply_above_plan", message };
}

/** Finds a total above the maximum, and a scheduled circulating supply above the total. */
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
  const problems: Problem[] = [];
  if (maxSupply !== null && total > maxSupply) {
    const message = `${text(total)} tokens exist on chain; the published maximum is ${text(maxSupply)}.`;
    problems.push({ code: "total_above_max", subject: "total_supply", message });
  }
  if (circulating > total) {
    const message = `The schedule has ${text(circulating)} circulating tokens; ${text(total)} exist on chain.`;
    problems.push({ code: "circulating_above_total", subject: "circulating_supply", message });
  }
  return problems;
}

/** Finds a schedule table that has ended while tokens are locked. Its last figure stays in force. */
export function scheduleEnded(schedule: Schedule, nowMs: number): Problem[] {
  if (!hasUnlocks(schedule)) return [];
  const { plan, maxSupply, calendar, lastIndex } = schedule;
  if (plan.kind !== "table" || (plan.figures[lastIndex] ?? 0n) >= maxSupply) return [];
  if (nowMs < stepMs(calendar, lastIndex + 1)) return [];
  const message = "The schedule's table has ended and tokens are still locked.";
  return [{ code: "schedule_ended", subject: "circulating_supply", message }];
}
