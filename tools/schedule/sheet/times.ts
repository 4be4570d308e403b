import { calendar, monthAfter } from "../../../schedule-format/calendar.ts";
import { DAY_MS, dayText, parseDay } from "../../../src/base/utc.ts";
import { monthText, stepMs } from "../../../src/supply/calendar.ts";
import { daysInMonth, monthsBetween } from "../months.ts";
import { isUnix, type KnownColumn } from "./columns.ts";
import { type DateOrder, type Reading, readPeriod } from "./period.ts";
import type { Column, SheetReader } from "./reader.ts";

/** From when on each row of a table counts. */
export interface Times {
  readonly atMs: readonly number[];
  readonly startMs: number | undefined;
  readonly stepDay: number | undefined;
}

/** The instants of a column of days or months; its cells decide together what one of them leaves open. */
export function datesOf(column: Column, lines: readonly number[], reader: SheetReader) {
  const { cells, title } = column;
  const readings = readingsOf(column, lines, reader);
  const order = reader.options.dates ?? orderOf(readings);
  if (order === undefined) {
    const row = readings.findIndex(({ kind }) => kind === "either");
    const days = (["day-first", "month-first"] as const).map((each) => dayText(instantOf(readings[row], each) ?? 0));
    const what = `"${cells[row]}" is ${days.join(" or ")}, and no other row says which: --dates day-first or --dates month-first`;
    reader.object(lines[row] ?? 0, title, what);
  }
  const atMs = readings.map((reading, row) => {
    const ms = instantOf(reading, order ?? "day-first");
    const where =
      reading.kind === "either" ? ` where the ${order === "month-first" ? "month" : "day"} comes first` : "";
    if (ms === undefined) reader.object(lines[row] ?? 0, title, `"${cells[row]}" is no day${where}`);
    return ms ?? 0;
  });
  const serial = readings.findIndex(({ kind }) => kind === "serial");
  if (serial !== -1) reader.assume(`${cells[serial]} is a spreadsheet's number for ${dayText(atMs[serial] ?? 0)}`);
  return { atMs, hasDays: readings.every(({ kind }) => kind !== "month") };
}

/** What each cell says, all of them in one form; a cell that says nothing is objected to. */
function readingsOf({ cells, title }: Column, lines: readonly number[], reader: SheetReader): readonly Reading[] {
  const isSeconds = isUnix(title);
  const found = cells.map((cell): Reading | undefined =>
    isSeconds && /^\d{9,10}$/.test(cell) ? { kind: "day", atMs: Number(cell) * 1000 } : readPeriod(cell),
  );
  for (const [row, reading] of found.entries())
    if (reading === undefined)
      reader.object(lines[row] ?? 0, title, `"${cells[row]}" is not a month such as 2026-01, Jan-26 or 31/01/2026`);
  const readings = found.filter((reading) => reading !== undefined);
  const forms = readings.map(({ kind }) => (kind === "month" || kind === "number" ? kind : "day"));
  const odd = forms.findIndex((form) => form !== forms[0]);
  if (readings.length === cells.length && odd !== -1) {
    const what = `"${cells[odd]}" is written otherwise than "${cells[0]}": write all periods alike`;
    reader.object(lines[odd] ?? 0, title, what);
  }
  return found.map((reading) => reading ?? { kind: "day", atMs: 0 });
}

/** Which of day and month comes first; a cell that allows only one decides for all. */
function orderOf(readings: readonly Reading[]): DateOrder | undefined {
  const open = readings.filter((reading) => reading.kind === "either");
  if (open.length === 0 || open.some(({ monthFirst }) => monthFirst === undefined)) return "day-first";
  return open.some(({ dayFirst }) => dayFirst === undefined) ? "month-first" : undefined;
}

function instantOf(reading: Reading | undefined, order: DateOrder): number | undefined {
  if (reading === undefined || reading.kind === "number") return undefined;
  if (reading.kind !== "either") return reading.atMs;
  return order === "month-first" ? reading.monthFirst : reading.dayFirst;
}

/** The instants of rows that are periods: days, months, quarters, or numbers of months from the start. */
export function timesOf(column: KnownColumn, lines: readonly number[], reader: SheetReader): Times {
  const { options } = reader;
  if (column.kind === "steps") return numbered(column, lines, reader);
  const { atMs, hasDays } = datesOf(column, lines, reader);
  reader.settle();
  if (!hasDays) return byMonth(atMs, lines, reader);
  const given = parseDay(options.start ?? "");
  const first = dayText(Math.min(...atMs));
  if (options.start !== undefined && (given === undefined || given > Math.min(...atMs)))
    reader.refuse(lines[0] ?? 0, `the first row is ${first}, --start says ${options.start}: leave it out`);
  const days = atMs.map((ms) => new Date(ms).getUTCDate());
  const highest = Math.max(...days);
  const isOneDay = atMs.every((ms, row) => ms % DAY_MS === 0 && days[row] === Math.min(highest, daysInMonth(ms)));
  return isOneDay && highest > 28
    ? byMonthEnd(atMs, lines, reader)
    : { atMs, startMs: given, stepDay: options.stepDay };
}

function numbered(column: KnownColumn, lines: readonly number[], reader: SheetReader): Times {
  const { options } = reader;
  const readings = readingsOf(column, lines, reader);
  const startMs = parseDay(options.start ?? "");
  if (startMs === undefined)
    reader.object(
      0,
      undefined,
      "the months are numbered from the start: --start DAY says which day that is, as YYYY-MM-DD",
    );
  reader.settle();
  const months = readings.map((reading) => (reading.kind === "number" ? reading.month : 0));
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
