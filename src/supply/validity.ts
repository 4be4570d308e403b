import { fnv1aHex } from "../hash/fnv1a.ts";
import { CURRENT_VERSION } from "../http/api-version.ts";
import { publicFor, type Reply } from "../http/reply.ts";
import { storedText } from "../json.ts";
import { dayText, parseDay } from "../utc.ts";
import { stepIndexAt, stepMs } from "./calendar.ts";
import type { SupplyStep } from "./circulating.ts";
import type { Schedule } from "./schedule.ts";

/** The tag of a response in one form; `step` is undefined where the response does not depend on it. */
export type EntityTags = (step: SupplyStep | undefined, form: string) => string;

/**
 * A strong tag of everything that can change the body: revision and content of the schedule, API version, step, form.
 */
export function entityTags(schedule: Schedule): EntityTags {
  const hash = `r${schedule.revision}-${fnv1aHex(storedText(schedule))}`;
  return (step, form) => {
    const from = step === undefined ? "all" : dayText(step.effectiveFromMs);
    return `"${hash}-v${CURRENT_VERSION}-${from}-${form}"`;
  };
}

/** Trackers poll every minute; a new revision of the schedule reaches them within five. */
const MAX_SECONDS = 300;

/** `max-age` of a response of this instant: no cached copy outlives the next step, or the start. */
export function maxAgeAt({ calendar, lastIndex }: Schedule, nowMs: number, maxSeconds = MAX_SECONDS): number {
  const index = stepIndexAt(calendar, nowMs);
  const nextMs = index < lastIndex ? stepMs(calendar, index + 1) : Number.POSITIVE_INFINITY;
  return Math.min(maxSeconds, Math.floor((nextMs - nowMs) / 1000));
}

/**
 * `Last-Modified` is the step's time, or the day on which the schedule was revised since; a future step and the time
 * before the start have none (RFC 9110 section 8.8.2.1).
 */
export function stepHeaders(schedule: Schedule, step: SupplyStep | undefined, nowMs: number): Record<string, string> {
  const headers: Record<string, string> = { "Cache-Control": publicFor(maxAgeAt(schedule, nowMs)) };
  if (step === undefined || step.effectiveFromMs > nowMs) return headers;
  const revisedAtMs = revisedAtMsOf(schedule);
  const modifiedAtMs = Math.max(step.effectiveFromMs, revisedAtMs <= nowMs ? revisedAtMs : 0);
  headers["Last-Modified"] = new Date(modifiedAtMs).toUTCString();
  return headers;
}

function revisedAtMsOf({ publishedAt }: Schedule): number {
  return parseDay(publishedAt) ?? 0;
}

/** Returns the last reply again while step, `max-age` and `Last-Modified` are the same. */
export function replyMemo(schedule: Schedule): (nowMs: number, make: () => Reply) => Reply {
  const revisedAtMs = revisedAtMsOf(schedule);
  let known: { index: number; seconds: number; isRevised: boolean; reply: Reply } | undefined;
  return (nowMs, make) => {
    const [index, seconds] = [stepIndexAt(schedule.calendar, nowMs), maxAgeAt(schedule, nowMs)];
    const isRevised = nowMs >= revisedAtMs;
    if (known?.index !== index || known.seconds !== seconds || known.isRevised !== isRevised)
      known = { index, seconds, isRevised, reply: make() };
    return known.reply;
  };
}
