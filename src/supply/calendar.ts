import { DAY_MS, dayText } from "../base/utc.ts";

/** Start and steps of a schedule in UTC. Steps are at 00:00:00 UTC on `stepDay` of each month. */
export interface Calendar {
  readonly startMs: number;
  /** Day of the month, from 1 to 28, because every month has those. */
  readonly stepDay: number;
  /** Month of the first step after the start, in months since year 0. */
  readonly firstStepMonth: number;
}

/** Returns the instant of step `index`; step 0 is the start itself. */
export function stepMs({ startMs, stepDay, firstStepMonth }: Calendar, index: number): number {
  const month = firstStepMonth + index - 1;
  return index === 0 ? startMs : Date.UTC(Math.floor(month / 12), month % 12, stepDay);
}

/** Returns the index of the step in force at an instant; -1 before the start. */
export function stepIndexAt({ startMs, stepDay, firstStepMonth }: Calendar, instantMs: number): number {
  if (instantMs < startMs) return -1;
  const instant = new Date(instantMs);
  const month = instant.getUTCFullYear() * 12 + instant.getUTCMonth();
  return month - firstStepMonth + (instant.getUTCDate() >= stepDay ? 1 : 0);
}

/** Returns the whole days from one instant to a later one. */
export function daysBetween(fromMs: number, toMs: number): number {
  return Math.floor((toMs - fromMs) / DAY_MS);
}

/** Parses `YYYY-MM` as the last millisecond of that month; undefined for another form. */
export function monthEndMs(text: string): number | undefined {
  const [, year = "", month = ""] = /^([1-9]\d{3})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  return year === "" ? undefined : Date.UTC(Number(year), Number(month), 1) - 1;
}

export function monthText(ms: number): string {
  return dayText(ms).slice(0, 7);
}
