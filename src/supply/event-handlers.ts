import { isFailure } from "../http/failure.ts";
import type { GetRoute, Handler } from "../http/handler.ts";
import { type RequestedDays, requestedDays, withQuery } from "../http/query-params.ts";
import { scheduleDocument } from "./document-handlers.ts";
import { unlockCalendar } from "./icalendar.ts";
import type { Schedule } from "./schedule.ts";
import { eventsBetween, unlockEventsCsv, unlockEventsView } from "./unlock-event-formats.ts";
import { unlockEvents } from "./unlock-events.ts";
import type { EntityTags } from "./validity.ts";

const ALL_DAYS: RequestedDays = { from: undefined, to: undefined };

/** `/api/unlock-events` and its two other formats: the events of the whole schedule, or of a range of days. */
export function unlockEventRoutes(schedule: Schedule, tagOf: EntityTags): GetRoute[] {
  const events = (days: RequestedDays) => eventsBetween(unlockEvents(schedule), days);
  const ranged = (form: string, type: string, write: (days: RequestedDays) => string): Handler => {
    const whole = scheduleDocument(schedule, tagOf, { form, type, write: () => write(ALL_DAYS) });
    return withQuery(["from", "to"], (params, context) => {
      const days = requestedDays(params);
      if (isFailure(days)) return days;
      const { from = "", to = "" } = days;
      if (from === "" && to === "") return whole(context);
      const part = { form: `${form}-${from}-${to}`, type, write: () => write(days) };
      return scheduleDocument(schedule, tagOf, part)(context);
    });
  };
  const json = (days: RequestedDays) => JSON.stringify(unlockEventsView(schedule, events(days), days));
  const csv = (days: RequestedDays) => unlockEventsCsv(schedule, events(days));
  return [
    { path: "/api/unlock-events", period: "from and to", handler: ranged("events-json", "application/json", json) },
    {
      path: "/api/unlock-events.csv",
      period: "from and to",
      handler: ranged("events-csv", "text/csv; charset=utf-8", csv),
    },
    {
      path: "/api/unlock-events.ics",
      period: "any",
      // A calendar subscription always contains all events.
      handler: scheduleDocument(schedule, tagOf, {
        form: "events-ics",
        type: "text/calendar; charset=utf-8",
        write: () => unlockCalendar(schedule, unlockEvents(schedule)),
      }),
    },
  ];
}
