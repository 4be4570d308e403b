import { DAY_MS, parseDay } from "../../../src/base/utc.ts";
import { stepMs } from "../../../src/supply/calendar.ts";
import { calendar } from "../../../src/supply/file/steps.ts";
import { type CountUnit, durationOf } from "../cells/cell.ts";
import { type Period, readNumbered, readPeriod, readSerial } from "../cells/period.ts";
import { addMonths } from "../months.ts";
import type { MappedColumn, Mapping } from "./mapping.ts";
import type { Reasons } from "./reasons.ts";
import type { Column } from "./table.ts";

/** A column of the table with its declared meaning. */
export interface ReadColumn extends Column, Omit<MappedColumn, "column" | "title" | "cells"> {
  readonly lines: readonly number[];
}

/** The instants of a column of dates; `isEnd`: of a declared day or period that is included, its end. */
export function instantsOf(column: ReadColumn, mapping: Mapping, reasons: Reasons): readonly number[] {
  const { letter, title, cells, lines, unit } = column;
  return cells.map((cell, row) => {
    const place = { letter, title, line: lines[row] ?? 0 };
    const atMs = unit === "date" ? dateOf(cell, column, mapping) : numberOf(cell, column);
    if (typeof atMs === "number") return atMs;
    reasons.cell(place, cell, atMs ?? "is no such date");
    return 0;
  });
}

/** A cell as a date; a text: why it is none. */
function dateOf(cell: string, column: ReadColumn, mapping: Mapping): number | string {
  const period = readPeriod(cell);
  if (period === undefined) return "is no date such as 2026-01-31, 31/01/2026, Jan-26 or Q1 2026";
  if (period.kind === "whole") return wholeOf(cell, period, column);
  const atMs = dayOf(period, mapping);
  if (atMs === undefined) return `is no day where the ${mapping.dates === "month-first" ? "month" : "day"} comes first`;
  if (column.is !== "end" || /\d:\d/.test(cell)) return atMs;
  if (column.day === undefined || column.day === null)
    return 'has a day, and "day" of the mapping is missing: included or excluded';
  return column.day === "included" ? atMs + DAY_MS : atMs;
}

function dayOf(period: Period, { dates }: Mapping): number | undefined {
  if (period.kind !== "either") return period.kind === "day" ? period.atMs : undefined;
  return dates === "month-first" ? period.monthFirst : period.dayFirst;
}

function wholeOf(
  cell: string,
  { atMs, months }: Period & { kind: "whole" },
  { is, whole, cells }: ReadColumn,
): number | string {
  // A spreadsheet writes 2026.10 as 2026.1.
  if (/^\d{4}\.\d$/.test(cell) && cells.some((other) => /^\d{4}\.\d\d$/.test(other)))
    return "may be the tenth month without its zero, because other cells have two digits";
  if (whole === undefined || whole === null)
    return 'names no day, and "whole" of the mapping is missing: first_day or last_day';
  if (whole === "first_day") return atMs;
  const next = addMonths(atMs, months);
  return is === "end" ? next : next - DAY_MS;
}

function numberOf(cell: string, { unit, day }: ReadColumn): number | undefined {
  const serial = unit === "serial" ? readSerial(cell) : undefined;
  if (serial !== undefined) return day === "included" ? serial + DAY_MS : serial;
  if (unit === "unix_seconds" && /^\d{9,10}$/.test(cell)) return Number(cell) * 1000;
  return unit === "unix_milliseconds" && /^\d{12,13}$/.test(cell) ? Number(cell) : undefined;
}

/** The instants of numbered periods: so many units after the start, or after the period that begins on it. */
export function numberedInstants(
  column: ReadColumn,
  startMs: number,
  stepDay: number,
  reasons: Reasons,
): readonly number[] {
  const { letter, title, cells, lines, unit, first } = column;
  const steps = calendar(startMs, stepDay);
  return cells.map((cell, row) => {
    const place = { letter, title, line: lines[row] ?? 0 };
    const found = readNumbered(cell);
    const own = found?.unit ?? (unit === "cell" ? undefined : unit);
    if (found === undefined) reasons.cell(place, cell, "is no numbered period such as 3, M3 or TGE+3");
    else if (own === undefined && !found.isStart) reasons.cell(place, cell, "names no unit");
    else if (found.unit !== undefined && unit !== "cell" && found.unit !== unit)
      reasons.cell(place, cell, `is not in ${unit}`);
    else {
      const after = found.isStart ? 0 : found.number - (first ?? 0);
      // The units of a mapping's numbered periods are units of counts.
      const length = after < 0 ? undefined : durationOf(BigInt(after), 0, (own ?? "months") as CountUnit);
      if (length === undefined) reasons.cell(place, cell, "is before the first period");
      else return length.unit === "months" ? stepMs(steps, length.count) : startMs + length.count * DAY_MS;
    }
    return 0;
  });
}

export function startOf({ start }: Mapping): number | undefined {
  return start === undefined || start === null ? undefined : parseDay(start);
}
