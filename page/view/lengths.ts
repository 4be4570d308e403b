import { DAY_MS } from "../../src/base/utc.ts";

/** Length of a period, as people write it. */
export interface Length {
  readonly count: number;
  readonly unit: "month" | "day";
}

/** Shortest time without an unlock that is named. */
export const MIN_WAIT_MS = 28 * DAY_MS;
/** Length up to which a period that is not whole months is in days. */
const MAX_DAYS = 60;

/** Returns the length of a period in months, rounded to the nearest; a short one that is not whole months in days. */
export function lengthOf(fromMs: number, toMs: number): Length {
  const days = Math.round((toMs - fromMs) / DAY_MS);
  const isWhole = days >= 28 && new Date(fromMs).getUTCDate() === new Date(toMs).getUTCDate();
  if (days < MAX_DAYS && !isWhole) return { count: days, unit: "day" };
  return { count: monthsBetween(fromMs, toMs + 15 * DAY_MS), unit: "month" };
}

export const lengthText = ({ count, unit }: Length): string => `${count} ${unit}${count === 1 ? "" : "s"}`;

function monthsBetween(fromMs: number, toMs: number): number {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return months - (to.getUTCDate() < from.getUTCDate() ? 1 : 0);
}
