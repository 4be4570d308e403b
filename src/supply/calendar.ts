import { DAY_MS, dayText } from "../utc.ts";

/** When a schedule starts and steps, in UTC. Built by {@link calendar}. */
export interface Calendar {
  readonly startMs: number;
  /** 1 to 28, which every month has. */
  readonly stepDay: number;
  /** Months since year 0 of the first step after the start. */
  readonly firstStepMonth: number;
}

/** Steps are at 00:00:00 UTC on `stepDay` of each month; the first is the first one later than the start. */
export function calendar(startMs: number, stepDay: number): Calendar {
  const start = new Date(startMs);
  const startMonth = start.getUTCFullYear() * 12 + start.getUTCMonth();
  return { startMs, stepDay, firstStepMonth: start.getUTCDate() < stepDay ? startMonth : startMonth + 1 };
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
  return Math.max(0, month - firstStepMonth + (instant.getUTCDate() >= stepDay ? 1 : 0));
}

/** The first step at or after an instant. */
export function stepIndexFrom(steps: Calendar, instantMs: number): number {
  const index = Math.max(0, stepIndexAt(steps, instantMs));
  return stepMs(steps, index) >= instantMs ? index : index + 1;
}

/** The last step in a calendar month, or -1. The start counts as a step of its month. */
export function stepIndexOfMonth(steps: Calendar, month: string): number {
  const endMs = monthEndMs(month);
  const index = endMs === undefined ? -1 : stepIndexAt(steps, endMs);
  return index >= 0 && monthText(stepMs(steps, index)) === month ? index : -1;
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

/** The month after a `YYYY-MM` that {@link monthEndMs} accepts. */
export function monthAfter(text: string): string {
  return monthText((monthEndMs(text) ?? Number.NaN) + 1);
}

export function monthText(ms: number): string {
  return dayText(ms).slice(0, 7);
}
