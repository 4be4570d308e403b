import { fnv1aHex } from "../base/hash/fnv1a.ts";
import { storedText } from "../base/json.ts";
import { DAY_MS, dayText, parseDay } from "../base/utc.ts";
import { CURRENT_VERSION } from "../http/api-version.ts";
import type { Outcome } from "../http/handler.ts";
import { publicFor } from "../http/reply.ts";
import { stepIndexAt, stepMs } from "./calendar.ts";
import type { SupplyStep } from "./circulating.ts";
import { hasUnlocks, type Schedule, type UnlockSchedule } from "./schedule.ts";

/** Makes the ETag of a response in one form. `step`: undefined if the response does not depend on it. */
export type EntityTags = (step: SupplyStep | undefined, form: string) => string;

/**
 * Makes strong tags of everything that can change a body: revision and content of the schedule, API version, step and
 * form.
 */
export function entityTags(schedule: Schedule): EntityTags {
  const hash = `r${schedule.revision}-${fnv1aHex(storedText(schedule))}`;
  return (step, form) => {
    const from = step === undefined ? "all" : dayText(step.effectiveFromMs);
    return `"${hash}-v${CURRENT_VERSION}-${from}-${form}"`;
  };
}

/** Maximum `max-age`: with it a new revision of the schedule reaches trackers within five minutes. */
const MAX_SECONDS = 300;

/** Computes `max-age` at an instant, so that no cached copy outlives the next step or the start. */
export function maxAgeAt(schedule: Schedule, nowMs: number, maxSeconds = MAX_SECONDS): number {
  if (!hasUnlocks(schedule)) return maxSeconds;
  const { calendar, lastIndex } = schedule;
  const index = stepIndexAt(calendar, nowMs);
  const nextMs = index < lastIndex ? stepMs(calendar, index + 1) : Number.POSITIVE_INFINITY;
  return Math.min(maxSeconds, Math.floor((nextMs - nowMs) / 1000));
}

/** Computes `max-age` of a figure that changes each day: no cached copy outlives the day. */
export function maxAgeOfDay(schedule: Schedule, nowMs: number): number {
  return Math.min(maxAgeAt(schedule, nowMs), Math.floor((DAY_MS - (nowMs % DAY_MS)) / 1000));
}

/**
 * Builds the caching headers of a response. `Last-Modified` is the time of the step. It is absent (RFC 9110 section
 * 8.8.2.1) for a future step, and before the start. It is also absent if the schedule was published on the step's day
 * or later: an older copy would have the same date.
 */
export function stepHeaders(
  schedule: UnlockSchedule,
  step: SupplyStep | undefined,
  nowMs: number,
  maxAgeSeconds = maxAgeAt(schedule, nowMs),
): Record<string, string> {
  const headers: Record<string, string> = { "Cache-Control": publicFor(maxAgeSeconds) };
  const atMs = step?.effectiveFromMs;
  if (atMs !== undefined && atMs <= nowMs && (parseDay(schedule.publishedAt) ?? 0) < atMs)
    headers["Last-Modified"] = new Date(atMs).toUTCString();
  return headers;
}

/**
 * Returns the last reply again while day and `max-age` are the same, so that a repeated request costs two comparisons.
 * Every step is the beginning of a day.
 */
export function replyMemo(
  schedule: UnlockSchedule,
  maxAge: typeof maxAgeOfDay = maxAgeAt,
): (nowMs: number, make: () => Outcome) => Outcome {
  let known: { readonly day: number; readonly seconds: number; readonly reply: Outcome } | undefined;
  return (nowMs, make) => {
    const [day, seconds] = [Math.floor(nowMs / DAY_MS), maxAge(schedule, nowMs)];
    if (known?.day !== day || known.seconds !== seconds) known = { day, seconds, reply: make() };
    return known.reply;
  };
}
