import { type Failure, isFailure } from "../http/failure.ts";
import type { Handler } from "../http/handler.ts";
import { parseQuery, type QueryParams, requestedDays } from "../http/query-params.ts";
import { ok } from "../http/reply.ts";
import { memoByObject } from "../memo.ts";
import { stepAt } from "./circulating.ts";
import { type EntityTags, stepHeaders } from "./etag.ts";
import { unlockCalendar } from "./icalendar.ts";
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
  return ({ query, nowMs }) => {
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
    return ok(body, { ...validity, "Content-Type": format.type, ETag: tagOf(undefined, form) });
  };
}

function requestedRange(params: QueryParams | Failure): DayRange | Failure {
  const days = isFailure(params) ? params : requestedDays(params);
  return isFailure(days) ? days : { from: days.from ?? null, to: days.to ?? null };
}
