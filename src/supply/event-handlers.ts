import { isFailure } from "../http/failure.ts";
import { type GetRoute, type Handler, type ReadAsset, UNREADABLE_DOCUMENT } from "../http/handler.ts";
import { type RequestedDays, requestedDays, withQuery } from "../http/query-params.ts";
import { scheduleDocument } from "./document-handlers.ts";
import type { UnlockSchedule } from "./schedule.ts";
import { eventsBetween, unlockEventsCsv, unlockEventsView } from "./unlock-event-formats.ts";
import { unlockEvents } from "./unlock-events.ts";
import type { EntityTags } from "./validity.ts";

const ALL_DAYS: RequestedDays = { from: undefined, to: undefined };

/** Makes the routes of `/api/unlock-events` and its two other formats, for the whole schedule or a range of days. */
export function unlockEventRoutes(schedule: UnlockSchedule, tagOf: EntityTags, readAsset: ReadAsset): GetRoute[] {
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
  // The build writes the calendar, because a subscription always contains all events.
  let text: string | undefined;
  const ics = { form: "events-ics", type: "text/calendar; charset=utf-8", write: () => text ?? "" };
  const written = scheduleDocument(schedule, tagOf, ics);
  const calendar: Handler = async (context) => {
    text ??= await readAsset("/documents/unlock-events.ics");
    return text === undefined ? UNREADABLE_DOCUMENT : written(context);
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
    { path: "/api/unlock-events.ics", period: "any", handler: calendar },
  ];
}
