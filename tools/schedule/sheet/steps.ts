import { calendar, monthAfter } from "../../../shared/calendar.ts";
import { monthText, stepMs } from "../../../src/supply/calendar.ts";
import { DAY_MS, dayText, parseDay } from "../../../src/utc.ts";
import type { SheetOptions } from "./reader.ts";

/** The steps that a column of periods means: which row is in force from each step on. */
export type Steps =
  | {
      readonly kind: "steps";
      readonly start: string;
      readonly stepDay: number;
      /** Of each step the row in force. */
      readonly rows: readonly number[];
      /** When each row comes into force in the sheet. */
      readonly rowMs: readonly number[];
      readonly notes: readonly string[];
    }
  | { readonly kind: "refused"; readonly row: number; readonly message: string };

/** Rows by number of months since the start, which the sheet does not say. */
export function numberedSteps(months: readonly number[], options: SheetOptions): Steps {
  const startMs = parseDay(options.start ?? "");
  if (startMs === undefined)
    return refused(0, "the months are numbered from the start: --start DAY says which day that is, as YYYY-MM-DD");
  const [first = 0] = months;
  const disordered = months.findIndex((month, index) => index > 0 && month <= (months[index - 1] ?? 0));
  if (disordered !== -1) return refused(disordered, `month ${months[disordered]} follows ${months[disordered - 1]}`);
  const stepDay = options.stepDay ?? Math.min(new Date(startMs).getUTCDate(), 28);
  const steps = calendar(startMs, stepDay);
  const rowMs = months.map((month) => stepMs(steps, month - first));
  return filled(rowMs, options.start ?? "", stepDay, options, [`month ${first} begins on ${options.start}`]);
}

/** Rows by day or month. */
export function datedSteps(atMs: readonly number[], hasDays: boolean, options: SheetOptions): Steps {
  const disordered = atMs.findIndex((ms, index) => index > 0 && ms <= (atMs[index - 1] ?? 0));
  if (disordered !== -1)
    return refused(
      disordered,
      `${nameOf(atMs[disordered], hasDays)} follows ${nameOf(atMs[disordered - 1], hasDays)}; the months must be consecutive`,
    );
  return hasDays ? bySteppingDay(atMs, options) : byMonth(atMs, options, undefined);
}

function nameOf(ms = 0, hasDays: boolean): string {
  return hasDays ? dayText(ms) : monthText(ms);
}

function byMonth(monthsMs: readonly number[], options: SheetOptions, note: string | undefined): Steps {
  const first = monthText(monthsMs[0] ?? 0);
  const given = parseDay(options.start ?? "");
  if (options.start !== undefined && (given === undefined || monthText(given) !== first))
    return refused(0, `the first row is ${first}, --start ${options.start} is not a day of it`);
  const stepDay = options.stepDay ?? (given === undefined ? 1 : Math.min(new Date(given).getUTCDate(), 28));
  const start = options.start ?? `${first}-${String(stepDay).padStart(2, "0")}`;
  const rowMs = monthsMs.map((ms) => ms + (stepDay - 1) * DAY_MS);
  const notes = [note ?? `the sheet names no day: figures change on day ${stepDay}; --step-day N says another`];
  return filled(rowMs, start, stepDay, options, notes);
}

function bySteppingDay(atMs: readonly number[], options: SheetOptions): Steps {
  if (options.start !== undefined && options.start !== dayText(atMs[0] ?? 0))
    return refused(0, `the first row is ${dayText(atMs[0] ?? 0)}, --start says ${options.start}: leave it out`);
  const days = atMs.map((ms) => new Date(ms).getUTCDate());
  const highest = Math.max(...days);
  const isMonthly = new Set(atMs.map((ms) => monthText(ms))).size === atMs.length;
  const isOneDay = atMs.every((ms, index) => ms % DAY_MS === 0 && days[index] === Math.min(highest, daysInMonth(ms)));
  if (!isMonthly || !isOneDay) return sampled(atMs, options);
  if (highest > 28) return byMonthEnd(atMs, options);
  if (options.stepDay !== undefined && options.stepDay !== highest)
    return refused(0, `the sheet's rows are of day ${highest}, --step-day says ${options.stepDay}: leave it out`);
  const note = `every row is of day ${highest} of its month: figures change on that day`;
  return filled(atMs, dayText(atMs[0] ?? 0), highest, options, [note]);
}

/** No step day is after the 28th: what the end of a month means is for the operator to say. */
function byMonthEnd(atMs: readonly number[], options: SheetOptions): Steps {
  const { monthEnd, stepDay, ...rest } = options;
  const [first = 0] = atMs;
  const month = Date.UTC(new Date(first).getUTCFullYear(), new Date(first).getUTCMonth());
  const next = `${monthAfter(monthText(first))}-01`;
  if (monthEnd === undefined)
    return refused(
      0,
      `every row is of the end of its month, and figures change on a day from 1 to 28: does ${dayText(first)} count from ${next} on (--month-end next), or was it the figure of the whole month, from ${dayText(month)} on (--month-end same)?`,
    );
  const months = atMs.map((ms) => {
    const day = new Date(ms);
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + (monthEnd === "next" ? 1 : 0));
  });
  const note = `ends of months count from the first day of the ${monthEnd === "next" ? "next" : "same"} month on`;
  return byMonth(months, { ...rest, monthEnd, stepDay, start: undefined }, note);
}

function daysInMonth(ms: number): number {
  const day = new Date(ms);
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
}

/** Rows of any days: the figure of a step is that of the newest row. */
function sampled(atMs: readonly number[], options: SheetOptions): Steps {
  const [first = 0] = atMs;
  const months = new Set(atMs.map((ms) => monthText(ms)));
  const empty = atMs.findIndex(
    (ms, index) => index > 0 && monthsBetween(atMs[index - 1] ?? 0, ms) > 1 && !options.keepsGaps,
  );
  if (empty !== -1 && months.size > 1)
    return refused(
      empty,
      `no row is of ${monthAfter(monthText(atMs[empty - 1] ?? 0))}: add it, or say with --gaps keep that the figure before stays`,
    );
  // The first midnight at which the first row is in force.
  const startMs = Math.ceil(first / DAY_MS) * DAY_MS;
  const stepDay = options.stepDay ?? Math.min(new Date(startMs).getUTCDate(), 28);
  return filled(atMs, dayText(startMs), stepDay, options, []);
}

/** The row in force at each step, from the start to the first step that has the last row. */
function filled(
  rowMs: readonly number[],
  start: string,
  stepDay: number,
  options: SheetOptions,
  notes: readonly string[],
): Steps {
  const gaps = rowMs.slice(1).map((ms, index) => monthsBetween(rowMs[index] ?? 0, ms));
  const gap = gaps.length === 0 ? 1 : Math.min(...gaps, 12);
  // Two rows do not say that they are the rule.
  const odd = gap > 1 && gaps.length === 1 ? 0 : gaps.findIndex((each) => each !== gap);
  const isMonthly = gaps.every((each) => each > 0);
  if (isMonthly && odd !== -1 && !options.keepsGaps) {
    const [before, after] = [rowMs[odd] ?? 0, rowMs[odd + 1] ?? 0].map((ms) => monthText(ms));
    return refused(
      odd + 1,
      `${after} follows ${before}; the months must be consecutive, or --gaps keep says that a month without a row keeps the figure before`,
    );
  }
  const steps = calendar(parseDay(start) ?? 0, stepDay);
  const lastMs = rowMs.at(-1) ?? 0;
  const rows: number[] = [];
  for (let index = 0; rows.length === 0 || stepMs(steps, index - 1) < lastMs; index += 1) {
    const stepsMs = stepMs(steps, index);
    // From the start on the first row is in force, whenever the next step is.
    rows.push(
      Math.max(
        0,
        rowMs.findLastIndex((ms) => ms <= stepsMs),
      ),
    );
  }
  const every =
    isMonthly && odd === -1 && gap > 1
      ? [`rows are ${gap} months apart: the months between keep the figure before`]
      : [];
  return { kind: "steps", start, stepDay, rows, rowMs, notes: [...notes, ...every] };
}

function monthsBetween(fromMs: number, toMs: number): number {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
}

function refused(row: number, message: string): Steps {
  return { kind: "refused", row, message };
}
