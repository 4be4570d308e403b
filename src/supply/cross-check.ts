import { tokenText } from "../chain/amount.ts";
import { type Breakdown, stateOf } from "./breakdown.ts";
import { anomalyText, bucketRows } from "./breakdown-handlers.ts";
import { stepMs } from "./calendar.ts";
import { stepAt } from "./circulating.ts";
import { exceeds, type Supply } from "./onchain.ts";
import type { Schedule } from "./schedule.ts";
import { isOnChain, walletsOf } from "./wallets.ts";

/** A contradiction between published figures and the chain, for the operator. */
export interface Contradiction {
  readonly code:
    | "circulating_above_total"
    | "decimals_differ"
    | "total_above_max"
    | "locked_below_schedule"
    | "wallet_unreadable"
    | "wallet_balance_fell"
    | "schedule_ended";
  readonly subject: string;
  readonly message: string;
}

/**
 * Compares the schedule with the chain's total: the total must not exceed the maximum, and the circulating supply must
 * not exceed the total.
 */
export function totalContradictions(schedule: Schedule, nowMs: number, total: Supply): Contradiction[] {
  const { token, maxSupply } = schedule;
  const { decimals } = token;
  const circulating = stepAt(schedule, nowMs)?.circulating;
  const existing = tokenText(total.baseUnits, total.decimals);
  const found: Contradiction[] = [];
  if (total.decimals !== decimals)
    found.push({
      code: "decimals_differ",
      subject: "total_supply",
      message: `The schedule counts ${decimals} decimals of the token, the chain ${total.decimals}.`,
    });
  if (exceeds(total, { baseUnits: maxSupply, decimals }))
    found.push({
      code: "total_above_max",
      subject: "total_supply",
      message: `${existing} tokens exist on chain; the published maximum is ${tokenText(maxSupply, decimals)}.`,
    });
  if (circulating !== undefined && exceeds({ baseUnits: circulating, decimals }, total))
    found.push({
      code: "circulating_above_total",
      subject: "circulating_supply",
      message: `The schedule has ${tokenText(circulating, decimals)} circulating tokens; ${existing} exist on chain.`,
    });
  return found;
}

/** Compares the schedule with its wallets: each must be readable, and each bucket must contain what is still locked. */
export function walletContradictions(schedule: Schedule, nowMs: number, breakdown: Breakdown): Contradiction[] {
  const { decimals, symbol } = schedule.token;
  const wallets = breakdown.wallets.flatMap(({ address, anomaly }): Contradiction[] => {
    // An unconfirmed balance is reported with every other number that awaits confirmation.
    if (anomaly === null || anomaly.kind === "unconfirmed") return [];
    const code = anomaly.kind === "fell" ? "wallet_balance_fell" : "wallet_unreadable";
    return [{ code, subject: address, message: `Wallet ${address}: ${anomalyText(anomaly)}` }];
  });
  const verifiable = verifiableBuckets(schedule, breakdown);
  const below = bucketRows(schedule, observed(breakdown), nowMs).flatMap(({ id, locked, onChain }) => {
    if (onChain === null || onChain >= locked || !verifiable.has(id)) return [];
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

/** Buckets whose wallets are all on this chain and were all read once: others may contain more than is known. */
function verifiableBuckets(schedule: Schedule, { wallets }: Breakdown): Set<string | null> {
  const listed = walletsOf(schedule);
  const unknown = listed.filter((wallet) => !isOnChain(wallet) || (stateOf(wallet, wallets)?.balance ?? null) === null);
  return new Set(listed.map(({ bucket }) => bucket).filter((id) => !unknown.some(({ bucket }) => bucket === id)));
}

/** Uses the observed balance of fallen wallets instead of the last good one, to detect tokens that have left. */
function observed(breakdown: Breakdown): Breakdown {
  const wallets = breakdown.wallets.map((state) =>
    state.anomaly?.kind === "fell" && state.balance !== null
      ? { ...state, balance: { ...state.balance, baseUnits: state.anomaly.observed } }
      : state,
  );
  return { ...breakdown, wallets };
}
