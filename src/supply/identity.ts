import { hasUnlocks, type Schedule } from "./schedule.ts";

/**
 * What a schedule is about, the same for all of its revisions and wherever it is served: readers of feeds and calendars
 * recognise entries by it. A symbol alone may be that of two tokens.
 */
export function identityOf(schedule: Schedule): string {
  const { symbol, name } = schedule.token;
  return JSON.stringify([symbol, name, ...(hasUnlocks(schedule) ? [schedule.calendar.startMs] : [])]);
}
