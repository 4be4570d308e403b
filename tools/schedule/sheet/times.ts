import { DAY_MS, dayText, parseDay } from "../../../src/base/utc.ts";
import { monthText, stepMs } from "../../../src/supply/calendar.ts";
import { calendarOf } from "../../../src/supply/file/steps.ts";
import { type CellResult, type CountUnit, durationOf } from "../cells/cell.ts";
import { INSTANT_READERS, isMonthEnd, readNumbered, readPeriod } from "../cells/period.ts";
import { addMonths } from "../months.ts";
import { columnOf, type Declared, type DeclaredColumn, readCells } from "./declared.ts";
import { isInstantUnit, type Mapping } from "./mapping.ts";

/** Instants from which the rows' amounts count, with the start and the day of the steps. */
export interface Times {
  readonly atMs: readonly number[];
  readonly startMs: number | undefined;
  readonly stepDay: number | undefined;
  /** Months that each row stands for, where its cell is no day. */
  readonly months: readonly (number | undefined)[];
}

export function startOf({ start }: Mapping): number | undefined {
  return start === undefined || start === null ? undefined : parseDay(start);
}

/** Instants of a table's period column, with the start and the day of the steps where the column decides them. */
export function timesOf(declared: Declared): Times {
  const { mapping, reasons } = declared;
  const [period, startMs, stepDay] = [columnOf(declared, "period"), startOf(mapping), mapping.step_day];
  if (period === undefined) return { atMs: [], startMs, stepDay, months: [] };
  if (!isInstantUnit(period.unit)) return numberedTimes(declared, period, startMs ?? 0);
  const atMs = instantsOf(declared, period);
  const first = atMs.reduce((least, ms) => (ms < least ? ms : least), Number.POSITIVE_INFINITY);
  const periods = period.cells.map((cell) => readPeriod(cell));
  const months = periods.map((each) => (each?.kind === "whole" ? each.months : undefined));
  const isWhole =
    period.unit === "date" && (months.every((each) => each !== undefined) || isOfMonthEnds(period, mapping));
  const isByMonth = isWhole && period.whole !== "last_day";
  if (startMs !== undefined && (isByMonth ? monthText(startMs) !== monthText(first) : startMs > first))
    reasons.add(
      `the first row is ${dayText(first)}, and the start ${dayText(startMs)} is ${isByMonth ? "in another month" : "after it"}`,
    );
  // Moves an amount of a period's last day to the next day, so that it counts from the next period on: steps fall on the
  // 28th at the latest.
  if (isWhole && !isByMonth) return { atMs: atMs.map((ms) => ms + DAY_MS), startMs, stepDay: stepDay ?? 1, months };
  if (!isWhole) return { atMs, startMs, stepDay, months };
  const day = stepDay ?? (startMs === undefined ? 1 : stepDayOf(startMs));
  const begins = atMs.map((ms) => (ms === first && startMs !== undefined ? startMs : ms + (day - 1) * DAY_MS));
  return { atMs: begins, startMs, stepDay: day, months };
}

const stepDayOf = (ms: number): number => Math.min(new Date(ms).getUTCDate(), 28);

/** Whether every row is the last day of its month, which may stand for the month. */
function isOfMonthEnds({ cells }: DeclaredColumn, { rows }: Mapping): boolean {
  return rows === "period" && cells.every(isMonthEnd);
}

/**
 * Instants of a column of dates. For an end that includes its day or period, the instant is the beginning of the next
 * one.
 */
export function instantsOf(declared: Declared, column: DeclaredColumn): readonly number[] {
  const { mapping } = declared;
  const isForMonth = column.is === "period" && column.whole === "first_day" && isOfMonthEnds(column, mapping);
  const lengthen = (ms: number): number => (column.is === "end" && column.day === "included" ? ms + DAY_MS : ms);
  const read = (cell: string): CellResult<number> => {
    if (column.unit === "date") return dateOf(cell, column, mapping, isForMonth);
    const ms = INSTANT_READERS[column.unit ?? ""]?.(cell);
    if (ms === undefined) return { reason: "is no such date" };
    return { value: column.unit === "serial" ? lengthen(ms) : ms };
  };
  return readCells(declared, column, read, Number.NaN);
}

function dateOf(
  cell: string,
  { is, whole, day, cells }: DeclaredColumn,
  { dates }: Mapping,
  isForMonth: boolean,
): CellResult<number> {
  const period = readPeriod(cell);
  if (period === undefined) return { reason: "is no date such as 2026-01-31, 31/01/2026, Jan-26 or Q1 2026" };
  if (period.kind === "whole") {
    // Spreadsheets write 2026.10 as 2026.1.
    if (/^\d{4}\.\d$/.test(cell) && cells.some((other) => /^\d{4}\.\d\d$/.test(other)))
      return { reason: "may be the tenth month without its zero, because other cells have two digits" };
    const next = addMonths(period.atMs, period.months);
    return { value: whole === "first_day" ? period.atMs : is === "end" ? next : next - DAY_MS };
  }
  const byOrder = period.kind === "either" && (dates === "month-first" ? period.monthFirst : period.dayFirst);
  const atMs = period.kind === "day" ? period.atMs : byOrder || undefined;
  if (atMs === undefined)
    return { reason: `is no day where the ${dates === "month-first" ? "month" : "day"} comes first` };
  if (isForMonth) return { value: Date.parse(`${monthText(atMs)}-01`) };
  return { value: is === "end" && day === "included" && !/\d:\d/.test(cell) ? atMs + DAY_MS : atMs };
}

/** Instants of numbered periods, counted in units from the start or from the period that begins there. */
function numberedTimes(declared: Declared, column: DeclaredColumn, startMs: number): Times {
  const stepDay = declared.mapping.step_day ?? stepDayOf(startMs);
  const steps = calendarOf(startMs, stepDay);
  const unitOf = (cell: string): string | null | undefined =>
    readNumbered(cell)?.unit ?? (column.unit === "cell" ? undefined : column.unit);
  const read = (cell: string): CellResult<number> => {
    const period = readNumbered(cell);
    const unit = unitOf(cell);
    if (period === undefined) return { reason: "is no numbered period such as 3, M3 or TGE+3" };
    if (unit === undefined && !period.isStart) return { reason: "names no unit" };
    if (column.unit !== "cell" && unit !== column.unit) return { reason: `is not in ${column.unit}` };
    const after = period.isStart ? 0 : period.number - (column.first ?? 0);
    // Units of numbered periods are units of counts.
    const length = after < 0 ? undefined : durationOf(BigInt(after), 0, (unit ?? "months") as CountUnit);
    if (length === undefined) return { reason: "is before the first period" };
    return { value: length.unit === "months" ? stepMs(steps, length.count) : startMs + length.count * DAY_MS };
  };
  const months = column.cells.map((cell) => ({ quarters: 3, years: 12 })[unitOf(cell) ?? ""]);
  return { atMs: readCells(declared, column, read, Number.NaN), startMs, stepDay, months };
}
