import { DAY_MS, dayText } from "../base/utc.ts";

/** When a schedule starts and steps, in UTC. Steps are at 00:00:00 UTC on `stepDay` of each month. */
export interface Calendar {
  readonly startMs: number;
  /** 1 to 28, which every month has. */
  readonly stepDay: number;
  /** Months since year 0 of the first step after the start. */
  readonly firstStepMonth: number;
}

/** The instant of step `index`; step 0 is the start itself. */
export function stepMs({ startMs, stepDay, firstStepMonth }: Calendar, index: number): number {
  const month = firstStepMonth + index - 1;
  return index === 0 ? startMs : Date.UTC(Math.floor(month / 12), month % 12, stepDay);
}

/** The number of steps that have passed; -1 before the start. */
export function stepIndexAt({ startMs, stepDay, firstStepMonth }: Calendar, instantMs: number): number {
  if (instantMs < startMs) return -1;
  const instant = new Date(instantMs);
  const month = instant.getUTCFullYear() * 12 + instant.getUTCMonth();
  return month - firstStepMonth + (instant.getUTCDate() >= stepDay ? 1 : 0);
}

/** Whole days from one instant to a later one. */
export function daysBetween(fromMs: number, toMs: number): number {
  return Math.floor((toMs - fromMs) / DAY_MS);
}

/** `YYYY-MM` to the last millisecond of that month; undefined for another form. */
export function monthEndMs(text: string): number | undefined {
  const [, year = "", month = ""] = /^([1-9]\d{3})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  return year === "" ? undefined : Date.UTC(Number(year), Number(month), 1) - 1;
}

export function monthText(ms: number): string {
  return dayText(ms).slice(0, 7);
}
