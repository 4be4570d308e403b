import { hasUnlocks, type Schedule } from "./schedule.ts";

/**
 * Identifies a schedule across its revisions and deployments, so that feed and calendar readers recognise its entries.
 * A symbol is not enough, because two tokens may share it.
 */
export function identityOf(schedule: Schedule): string {
  const { symbol, name } = schedule.token;
  return JSON.stringify([symbol, name, ...(hasUnlocks(schedule) ? [schedule.calendar.startMs] : [])]);
}
