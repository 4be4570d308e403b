import { dayText, instantText, parseDay } from "../base/utc.ts";
import { type Failure, invalidParameter } from "../http/failure.ts";
import type { QueryParams } from "../http/query-params.ts";
import { monthEndMs, monthText } from "./calendar.ts";
import { type dayAt, type SupplyStep, stepAt } from "./circulating.ts";
import type { UnlockSchedule } from "./schedule.ts";

const FORMS = {
  month: "a month as YYYY-MM, for example 2026-03",
  date: "a day that exists as YYYY-MM-DD, for example 2026-03-31",
} as const;

/**
 * Finds the figures of the requested period by `at`: in force at the end of `month`, or at the first instant of `date`.
 */
export function requestedStep(
  schedule: UnlockSchedule,
  { month, date }: QueryParams,
  at: typeof dayAt = stepAt,
): SupplyStep | Failure {
  if (month !== undefined && date !== undefined)
    return invalidParameter("Parameters month and date exclude one another: give one of them.");
  const name = month === undefined ? "date" : "month";
  const instantMs = month === undefined ? parseDay(date ?? "") : monthEndMs(month);
  if (instantMs === undefined) return invalidParameter(`Parameter ${name} must be ${FORMS[name]}.`);
  const { startMs } = schedule.calendar;
  const first = name === "month" ? monthText(startMs) : dayText(startMs);
  return (
    at(schedule, instantMs) ?? invalidParameter(`Parameter ${name} must not be before the schedule's start, ${first}.`)
  );
}

const DAY_SECONDS = 86_400;

/** Answers that there is no figure yet. The caller may retry after at most a day, because a start may be moved. */
export function notStarted({ calendar }: UnlockSchedule, nowMs: number): Extract<Failure, { kind: "unavailable" }> {
  return {
    kind: "unavailable",
    message: `The schedule starts at ${instantText(calendar.startMs)}; there is no figure before.`,
    retryAfterSeconds: Math.min(DAY_SECONDS, Math.ceil((calendar.startMs - nowMs) / 1000)),
  };
}
