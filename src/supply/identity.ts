import type { Schedule } from "./schedule.ts";

/**
 * What a schedule is about, the same for all of its revisions and wherever it is served: readers of feeds and calendars
 * recognise entries by it. A symbol alone may be that of two tokens.
 */
export function identityOf({ token, calendar }: Pick<Schedule, "token" | "calendar">): string {
  return JSON.stringify([token.symbol, token.name, calendar.startMs]);
}
