import { type Calendar, monthEndMs, monthText, stepIndexAt, stepMs } from "../calendar.ts";

/**
 * Makes the calendar of steps at 00:00:00 UTC on `stepDay` of each month. The first step is the first such time after
 * the start.
 */
export function calendarOf(startMs: number, stepDay: number): Calendar {
  const start = new Date(startMs);
  const startMonth = start.getUTCFullYear() * 12 + start.getUTCMonth();
  return { startMs, stepDay, firstStepMonth: start.getUTCDate() < stepDay ? startMonth : startMonth + 1 };
}

/** Returns the index of the first step at or after an instant. */
export function stepIndexFrom(steps: Calendar, instantMs: number): number {
  const index = Math.max(0, stepIndexAt(steps, instantMs));
  return stepMs(steps, index) >= instantMs ? index : index + 1;
}

/** Returns the index of the last step in a calendar month, or -1. The start counts as a step of its month. */
export function stepIndexOfMonth(steps: Calendar, month: string): number {
  const endMs = monthEndMs(month);
  const index = endMs === undefined ? -1 : stepIndexAt(steps, endMs);
  return index >= 0 && monthText(stepMs(steps, index)) === month ? index : -1;
}

/** Returns the month after a `YYYY-MM` that {@link monthEndMs} accepts. */
export function monthAfter(text: string): string {
  return monthText((monthEndMs(text) ?? Number.NaN) + 1);
}
