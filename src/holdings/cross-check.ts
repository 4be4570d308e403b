import { tokenText } from "../chain/amount.ts";
import { stepMs } from "../supply/calendar.ts";
import { stepAt } from "../supply/circulating.ts";
import type { Schedule } from "../supply/schedule.ts";
import { anomalyText, bucketRows } from "./breakdown-handlers.ts";
import { chainFigures, type Reading } from "./reading.ts";

/** A contradiction between published figures and the chain, for the operator. */
export interface Contradiction {
  readonly code:
    | "circulating_above_total"
    | "total_above_max"
    | "locked_below_schedule"
    | "wallet_unreadable"
    | "wallet_balance_fell"
    | "staking_unreadable"
    | "schedule_ended";
  readonly subject: string;
  readonly message: string;
}

/** Where one reading of the chain contradicts the schedule. */
export function contradictions(schedule: Schedule, nowMs: number, reading: Reading): Contradiction[] {
  return [
    ...totalContradictions(schedule, nowMs, reading),
    ...walletContradictions(schedule, nowMs, reading),
    ...stakingUnreadable(reading),
  ];
}

function stakingUnreadable({ staking }: Reading): Contradiction[] {
  if (staking === null || staking.unreadable === null) return [];
  const message = `Native staking cannot be read: ${staking.unreadable}. STAKING=off is for a chain without it.`;
  return [{ code: "staking_unreadable", subject: "native-staking", message }];
}

/** The total must not exceed the maximum, and the circulating supply must not exceed the total. */
function totalContradictions(schedule: Schedule, nowMs: number, reading: Reading): Contradiction[] {
  const { decimals } = schedule.token;
  const { maxSupply } = schedule;
  const { total_supply: total } = chainFigures(schedule)(reading);
  if (typeof total !== "bigint") return [];
  const circulating = stepAt(schedule, nowMs)?.circulating;
  const existing = tokenText(total, decimals);
  const found: Contradiction[] = [];
  if (total > maxSupply)
    found.push({
      code: "total_above_max",
      subject: "total_supply",
      message: `${existing} tokens exist on chain; the published maximum is ${tokenText(maxSupply, decimals)}.`,
    });
  if (circulating !== undefined && circulating > total)
    found.push({
      code: "circulating_above_total",
      subject: "circulating_supply",
      message: `The schedule has ${tokenText(circulating, decimals)} circulating tokens; ${existing} exist on chain.`,
    });
  return found;
}

/** Each wallet must be readable, and each bucket must contain what is still locked. */
function walletContradictions(schedule: Schedule, nowMs: number, reading: Reading): Contradiction[] {
  const { decimals, symbol } = schedule.token;
  const wallets = reading.wallets.flatMap(({ address, anomaly }): Contradiction[] => {
    if (anomaly === null) return [];
    const code = anomaly.kind === "fell" ? "wallet_balance_fell" : "wallet_unreadable";
    return [{ code, subject: address, message: `Wallet ${address}: ${anomalyText(anomaly, decimals)}` }];
  });
  const below = bucketRows(schedule, reading, nowMs).flatMap(({ id, locked, onChain, isWhole }) => {
    if (onChain === null || onChain >= locked || !isWhole) return [];
    const amounts = `${tokenText(onChain, decimals)} ${symbol}; ${tokenText(locked, decimals)} must be locked`;
    const message = `The wallets of ${id} hold ${amounts}.`;
    return [{ code: "locked_below_schedule" as const, subject: id, message }];
  });
  return [...wallets, ...below];
}

/** A table without a figure for the current month while tokens are still locked: the last figure stays in force. */
export function scheduleEnded({ plan, maxSupply, calendar, lastIndex }: Schedule, nowMs: number): Contradiction[] {
  if (plan.kind !== "table" || (plan.figures[lastIndex] ?? 0n) >= maxSupply) return [];
  if (nowMs < stepMs(calendar, lastIndex + 1)) return [];
  const message = "The schedule's table has ended and tokens are still locked; publish the months that follow.";
  return [{ code: "schedule_ended", subject: "circulating_supply", message }];
}
