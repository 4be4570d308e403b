import { calendar, monthAfter } from "../../../shared/calendar.ts";
import { monthText, stepMs } from "../../../src/supply/calendar.ts";
import { DAY_MS, dayText, parseDay } from "../../../src/utc.ts";
import { isUnix, type KnownColumn } from "./columns.ts";
import { periodsOf } from "./period.ts";
import type { SheetReader } from "./reader.ts";

/** From when on each row of a table counts. */
export interface Times {
  readonly atMs: readonly number[];
  readonly startMs: number | undefined;
  readonly stepDay: number | undefined;
}

/** Days of a column that are no rows' periods: starts, cliffs, ends. */
export function daysOf(column: KnownColumn, lines: readonly number[], reader: SheetReader): readonly number[] {
  return readDates(column, lines, reader).atMs;
}

function readDates(column: KnownColumn, lines: readonly number[], reader: SheetReader) {
  if (isUnix(column.title)) return { kind: "dated" as const, hasDays: true, ...unixDays(column, lines, reader) };
  const periods = periodsOf(column.cells, reader.options.dates);
  if (periods.kind === "dated") {
    if (periods.note !== undefined) reader.assume(periods.note);
    return periods;
  }
  const [row, what] = periods.kind === "refused" ? [periods.row, periods.message] : [0, "is no day"];
  reader.object(lines[row] ?? 0, column.title, what);
  return { kind: "dated" as const, hasDays: true, atMs: column.cells.map(() => 0) };
}

function unixDays({ title, cells }: KnownColumn, lines: readonly number[], reader: SheetReader) {
  const atMs = cells.map((cell, row) => {
    if (/^\d{9,10}$/.test(cell)) return Number(cell) * 1000;
    reader.object(lines[row] ?? 0, title, `"${cell}" is no instant in Unix seconds`);
    return 0;
  });
  return { atMs };
}

/** The instants of rows that are periods: days, months, quarters, or numbers of months from the start. */
export function timesOf(column: KnownColumn, lines: readonly number[], reader: SheetReader): Times {
  const { options } = reader;
  if (column.kind === "steps") return numbered(column, lines, reader);
  const { atMs, hasDays } = readDates(column, lines, reader);
  reader.settle();
  if (!hasDays) return byMonth(atMs, lines, reader);
  const given = parseDay(options.start ?? "");
  if (options.start !== undefined && (given === undefined || given > Math.min(...atMs)))
    reader.refuse(
      lines[0] ?? 0,
      `the first row is ${dayText(Math.min(...atMs))}, --start says ${options.start}: leave it out`,
    );
  const days = atMs.map((ms) => new Date(ms).getUTCDate());
  const highest = Math.max(...days);
  const isOneDay = atMs.every((ms, row) => ms % DAY_MS === 0 && days[row] === Math.min(highest, daysInMonth(ms)));
  if (isOneDay && highest > 28) return byMonthEnd(atMs, lines, reader);
  return { atMs, startMs: given, stepDay: options.stepDay };
}

function numbered({ cells, title }: KnownColumn, lines: readonly number[], reader: SheetReader): Times {
  const { options } = reader;
  const periods = periodsOf(cells, options.dates);
  if (periods.kind === "refused") reader.object(lines[periods.row] ?? 0, title, periods.message);
  const startMs = parseDay(options.start ?? "");
  if (startMs === undefined)
    reader.object(
      0,
      undefined,
      "the months are numbered from the start: --start DAY says which day that is, as YYYY-MM-DD",
    );
  reader.settle();
  const months = periods.kind === "numbered" ? periods.months : [];
  const first = Math.min(...months);
  const stepDay = options.stepDay ?? Math.min(new Date(startMs ?? 0).getUTCDate(), 28);
  const steps = calendar(startMs ?? 0, stepDay);
  reader.assume(`month ${first} begins on ${options.start}`);
  return { atMs: months.map((month) => stepMs(steps, month - first)), startMs, stepDay };
}

function byMonth(monthsMs: readonly number[], lines: readonly number[], reader: SheetReader): Times {
  const { options } = reader;
  const firstMs = Math.min(...monthsMs);
  const given = parseDay(options.start ?? "");
  if (options.start !== undefined && (given === undefined || monthText(given) !== monthText(firstMs)))
    reader.refuse(lines[0] ?? 0, `the first row is ${monthText(firstMs)}, --start ${options.start} is not a day of it`);
  const stepDay = options.stepDay ?? (given === undefined ? 1 : Math.min(new Date(given).getUTCDate(), 28));
  reader.assume(
    `the sheet names no day: figures change on day ${stepDay} of a month, or of the first month of a quarter; --step-day N says another`,
  );
  const atMs = monthsMs.map((ms) => (ms === firstMs && given !== undefined ? given : ms + (stepDay - 1) * DAY_MS));
  return { atMs, startMs: given, stepDay };
}

/** No step day is after the 28th: what the end of a month means is for the operator to say. */
function byMonthEnd(atMs: readonly number[], lines: readonly number[], reader: SheetReader): Times {
  const { monthEnd } = reader.options;
  const first = Math.min(...atMs);
  const next = `${monthAfter(monthText(first))}-01`;
  if (monthEnd === undefined)
    return reader.refuse(
      lines[0] ?? 0,
      `every row is of the end of its month, and figures change on a day from 1 to 28: does ${dayText(first)} count from ${next} on (--month-end next), or was it the figure of the whole month, from ${monthText(first)}-01 on (--month-end same)?`,
    );
  reader.assume(`ends of months count from the first day of the ${monthEnd} month on`);
  const months = atMs.map((ms) => {
    const day = new Date(ms);
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + (monthEnd === "next" ? 1 : 0));
  });
  return { atMs: months, startMs: undefined, stepDay: reader.options.stepDay ?? 1 };
}

function daysInMonth(ms: number): number {
  const day = new Date(ms);
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
}

/** Refuses rows out of order, several of a day, and months without a row that nobody has settled. */
export function checkOrder(atMs: readonly number[], lines: readonly number[], reader: SheetReader): void {
  atMs.forEach((ms, row) => {
    const before = atMs[row - 1];
    if (before === undefined || ms > before) return;
    const what =
      ms === before
        ? `${dayText(ms)} has several rows, and a running total has one figure a day`
        : `${dayText(ms)} follows ${dayText(before)}: put the rows in order`;
    reader.object(lines[row] ?? 0, undefined, what);
  });
  const gaps = atMs.slice(1).map((ms, row) => monthsBetween(atMs[row] ?? 0, ms));
  // Two rows do not say that they are the rule.
  const usual = gaps.length < 2 ? 1 : Math.max(1, Math.min(...gaps, 12));
  const odd = gaps.findIndex((gap) => gap > usual);
  if (odd !== -1 && !reader.options.keepsGaps)
    reader.object(
      lines[odd + 1] ?? 0,
      undefined,
      `${monthText(atMs[odd + 1] ?? 0)} follows ${monthText(atMs[odd] ?? 0)}: add the months between, or say with --gaps keep that the figure before stays`,
    );
  else if (odd === -1 && usual > 1)
    reader.assume(`rows are ${usual} months apart: the months between keep the figure before`);
  reader.settle();
}

function monthsBetween(fromMs: number, toMs: number): number {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
}
