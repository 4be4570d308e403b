import { DAY_MS, dayText } from "../../../src/base/utc.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import { monthText } from "../../../src/supply/calendar.ts";
import { monthAfter } from "../../../src/supply/file/steps.ts";
import type { SheetAmount } from "../cells/cell.ts";
import { readPeriod } from "../cells/period.ts";
import { isDayOfMonthEnd, monthsBetween } from "../months.ts";
import type { Unlock } from "../plan/unlocks.ts";
import { instantsOf, numberedInstants, type ReadColumn, startOf } from "./instants.ts";
import { INSTANTS, type Mapping } from "./mapping.ts";
import type { Reasons } from "./reasons.ts";

/** The amounts of a table of periods, by column, and what its rows of sums have. */
export interface ReadAmounts {
  readonly columns: readonly { readonly column: ReadColumn; readonly amounts: readonly SheetAmount[] }[];
  readonly lines: readonly number[];
  readonly sums: readonly { readonly line: number; readonly units: readonly (bigint | undefined)[] }[];
}

/** From when on each row of a table of periods counts. */
export interface Times {
  readonly atMs: readonly number[];
  readonly startMs: number | undefined;
  readonly stepDay: number | undefined;
}

/** The instants of a table's period column, with the start and the day of the steps where the column decides them. */
export function timesOf(period: ReadColumn, mapping: Mapping, reasons: Reasons): Times {
  const [startMs, given] = [startOf(mapping), mapping.step_day];
  if (!INSTANTS.some((unit) => unit === period.unit)) {
    if (typeof period.first !== "number")
      reasons.add(
        `column ${period.letter} "${period.title}": its periods are numbered, and "first" is missing: the number of the one that begins on the start`,
      );
    if (startMs === undefined)
      reasons.add('the periods are numbered: "start" of the mapping (--start DAY) is the day on which they begin');
    const stepDay = given ?? Math.min(new Date(startMs ?? 0).getUTCDate(), 28);
    return { atMs: numberedInstants(period, startMs ?? 0, stepDay, reasons), startMs, stepDay };
  }
  const atMs = instantsOf(period, mapping, reasons);
  const first = Math.min(...atMs);
  const isWhole = period.unit === "date" && period.cells.every((cell) => readPeriod(cell)?.kind === "whole");
  if (isWhole && period.whole !== "last_day") return byMonth(atMs, first, startMs, given, reasons);
  if (startMs !== undefined && startMs > first)
    reasons.add(`the first row is ${dayText(first)}, the start ${dayText(startMs)} is after it`);
  // No step is after the 28th: what a period comes to on its last day begins with the next one.
  if (isWhole) return { atMs: atMs.map((ms) => ms + DAY_MS), startMs, stepDay: given ?? 1 };
  if (!atMs.every(isDayOfMonthEnd) || mapping.rows !== "period") return { atMs, startMs, stepDay: given };
  if (mapping.month_end === undefined || mapping.month_end === null) {
    reasons.add(
      'every row is the end of its month, and figures change on a day from 1 to 28: "month_end" of the mapping is missing',
    );
    return { atMs, startMs, stepDay: given };
  }
  // No step is after the 28th: the figure begins with a month.
  const begins = atMs.map((ms) => {
    const month = monthText(ms);
    return Date.parse(`${mapping.month_end === "next" ? monthAfter(month) : month}-01`);
  });
  return { atMs: begins, startMs: undefined, stepDay: given ?? 1 };
}

function byMonth(
  atMs: readonly number[],
  first: number,
  startMs: number | undefined,
  given: number | undefined,
  reasons: Reasons,
): Times {
  if (startMs !== undefined && monthText(startMs) !== monthText(first))
    reasons.add(`the first row is ${monthText(first)}, the start ${dayText(startMs)} is not a day of it`);
  const stepDay = given ?? (startMs === undefined ? 1 : Math.min(new Date(startMs).getUTCDate(), 28));
  const begins = atMs.map((ms) => (ms === first && startMs !== undefined ? startMs : ms + (stepDay - 1) * DAY_MS));
  return { atMs: begins, startMs, stepDay };
}

/** What a table of periods unlocks: each of its columns of amounts is a bucket. */
export function periodUnlocks(
  { columns, sums, lines }: ReadAmounts,
  times: Times,
  mapping: Mapping,
  decimals: number,
  reasons: Reasons,
): readonly Unlock[] {
  const isRunning = mapping.amounts === "cumulative";
  checkOrder(times.atMs, lines, mapping, reasons);
  for (const { column, amounts } of columns) {
    const row = amounts.findIndex(({ units }, at) => units < (amounts[at - 1]?.units ?? 0n));
    if (!isRunning || row === -1) continue;
    const [from, to] = [amounts[row - 1], amounts[row]].map((each) => tokenText(each?.units ?? 0n, decimals));
    reasons.add(
      `column ${column.letter} "${column.title}": falls from ${from} to ${to} in line ${lines[row]}; a burn or a transfer is no part of a plan: take it out of the sheet, and enter it afterwards with revise burn or revise correct`,
    );
  }
  const totals = columns.map(({ amounts }) => {
    let total = 0n;
    return amounts.map(({ units }) => (total = isRunning ? units : total + units));
  });
  for (const { line, units } of sums)
    units.forEach((each, at) => {
      const expected = totals[at]?.at(-1) ?? 0n;
      if (each !== undefined && each !== expected)
        reasons.add(
          `line ${line}: is a sum by the mapping, and has ${tokenText(each, decimals)} for ${tokenText(expected, decimals)} in column ${columns[at]?.column.letter}`,
        );
    });
  reasons.settle();
  return columns.flatMap(({ column }, at) =>
    (totals[at] ?? []).map((total, row) => {
      const [atMs, units] = [times.atMs[row] ?? 0, total - (totals[at]?.[row - 1] ?? 0n)];
      const bucket = column.is === "circulating" || column.title === "" ? "Circulating" : column.title;
      return { bucket, fromMs: atMs, toMs: atMs, units, source: `the column "${column.title}"` };
    }),
  );
}

/** Refuses rows that go back in time, several of one period, and missing months that nobody has settled. */
function checkOrder(
  atMs: readonly number[],
  lines: readonly number[],
  { amounts, gaps }: Mapping,
  reasons: Reasons,
): void {
  atMs.forEach((ms, row) => {
    const before = atMs[row - 1];
    if (before === undefined || ms > before) return;
    const what =
      ms === before
        ? `${dayText(ms)} has several rows`
        : `${dayText(ms)} follows ${dayText(before)}: put the rows in order`;
    reasons.add(`line ${lines[row]}: ${what}`);
  });
  if (amounts !== "cumulative" || gaps === "keep") return;
  const between = atMs.slice(1).map((ms, row) => monthsBetween(atMs[row] ?? 0, ms));
  // Two rows do not say that they are the rule.
  const usual = between.length < 2 ? 1 : Math.max(1, Math.min(...between, 12));
  const odd = between.findIndex((months) => months > usual);
  if (odd !== -1)
    reasons.add(
      `line ${lines[odd + 1]}: ${monthText(atMs[odd + 1] ?? 0)} follows ${monthText(atMs[odd] ?? 0)}: add the months between, or say with --gaps keep ("gaps": "keep" in the mapping) that the figure before stays`,
    );
}
