import { applyConditional } from "../http/conditional.ts";
import type { Failure } from "../http/failure.ts";
import type { Handler } from "../http/handler.ts";
import { parseQuery, type QueryParams } from "../http/query-params.ts";
import { memoByObject } from "../memo.ts";
import { parseDay } from "./calendar.ts";
import { stepAt } from "./circulating.ts";
import { ok } from "./document-handlers.ts";
import { type EntityTags, stepHeaders } from "./etag.ts";
import { unlockCalendar } from "./icalendar.ts";
import { isFailure } from "./period-query.ts";
import { lifetimeAt } from "./reply-cache.ts";
import type { Schedule } from "./schedule.ts";
import { type DayRange, eventsBetween, unlockEventsCsv, unlockEventsView } from "./unlock-event-formats.ts";
import { type UnlockEvent, unlockEvents } from "./unlock-events.ts";

interface Format {
  readonly name: string;
  readonly type: string;
  readonly write: (schedule: Schedule, events: readonly UnlockEvent[], range: DayRange) => string;
  /** A calendar subscription always contains all events. */
  readonly takesRange: boolean;
}

const FORMATS = {
  "/api/unlock-events": {
    name: "events-json",
    type: "application/json",
    write: (schedule, events, range) => JSON.stringify(unlockEventsView(schedule, events, range)),
    takesRange: true,
  },
  "/api/unlock-events.csv": {
    name: "events-csv",
    type: "text/csv; charset=utf-8",
    write: unlockEventsCsv,
    takesRange: true,
  },
  "/api/unlock-events.ics": {
    name: "events-ics",
    type: "text/calendar; charset=utf-8",
    write: unlockCalendar,
    takesRange: false,
  },
} satisfies Record<string, Format>;

const WHOLE: DayRange = { from: null, to: null };
const eventsOf = memoByObject(unlockEvents);

/** `/api/unlock-events` and its two other formats: the events of the whole schedule, or of a range of days. */
export function unlockEventRoutes(schedule: Schedule, tagOf: EntityTags): { path: string; handler: Handler }[] {
  return Object.entries<Format>(FORMATS).map(([path, format]) => ({
    path,
    handler: unlockEventHandler(schedule, tagOf, format),
  }));
}

function unlockEventHandler(schedule: Schedule, tagOf: EntityTags, format: Format): Handler {
  let whole: string | undefined;
  return ({ query, request, nowMs }) => {
    const range = format.takesRange ? requestedRange(parseQuery(query, ["from", "to"])) : WHOLE;
    if ("kind" in range) return range;
    const isWhole = range.from === null && range.to === null;
    const write = (): string => format.write(schedule, eventsBetween(eventsOf(schedule), range), range);
    if (isWhole) whole ??= write();
    const body = isWhole && whole !== undefined ? whole : write();
    const step = stepAt(schedule, nowMs);
    const lifetime = lifetimeAt(step, nowMs, schedule);
    const validity =
      step === undefined ? { "Cache-Control": lifetime.cacheControl } : stepHeaders(step, lifetime, nowMs);
    const form = isWhole ? format.name : `${format.name}-${range.from ?? ""}-${range.to ?? ""}`;
    return applyConditional(
      ok(body, { ...validity, "Content-Type": format.type, ETag: tagOf(undefined, form) }),
      request,
    );
  };
}

/** The days of `?from=&to=`, or why they are invalid. */
function requestedRange(params: QueryParams | Failure): DayRange | Failure {
  if (isFailure(params)) return params;
  const { from = null, to = null } = params;
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== null && parseDay(day) === undefined)
      return invalid(`Parameter ${name} must be a day that exists as YYYY-MM-DD, for example 2026-03-31.`);
  if (from !== null && to !== null && from > to) return invalid("Parameter from must not be later than to.");
  return { from, to };
}

function invalid(message: string): Failure {
  return { kind: "invalid_input", message };
}
