import { DAY_MS, dayText } from "../../../src/base/utc.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import { type Duration, isNever, isNone, readDuration, readEvery } from "../cells/cell.ts";
import { type DecimalMark, readNumber } from "../cells/number.ts";
import { addMonths } from "../months.ts";
import { NEVER_MS, type Unlock } from "../plan/unlocks.ts";
import { daily, monthly, monthsTo, once, type Part } from "../plan/vesting.ts";
import { instantsOf, type ReadColumn, startOf } from "./instants.ts";
import { type ColumnMeaning, INSTANTS, type Mapping } from "./mapping.ts";
import type { Reasons } from "./reasons.ts";

/** One row of a table of rules, in days and base units. */
interface Rule {
  readonly bucket: string;
  readonly line: number;
  readonly units: bigint;
  readonly atStart: bigint;
  readonly startMs: number;
  readonly cliffMs: number;
  /** undefined: all of the rest at the cliff; `never`: not at all. */
  readonly end: { readonly fromMs: number; readonly toMs: number } | "never" | undefined;
  readonly every: Every;
}

/** Months between equal parts; `by_day`: evenly; `at_once`: all of it at the cliff or the start. */
type Every = number | "by_day" | "at_once";

export interface RuleInput {
  readonly column: (is: ColumnMeaning) => ReadColumn | undefined;
  readonly lines: readonly number[];
  readonly buckets: readonly string[];
  readonly units: readonly bigint[];
  readonly atStart: readonly bigint[];
  readonly mapping: Mapping;
  readonly mark: DecimalMark;
  readonly decimals: number;
}

/** The unlocks of a table whose rows are the rules of buckets, or grants with their own start. */
export function ruleUnlocks(input: RuleInput, reasons: Reasons): readonly Unlock[] {
  const { column, lines, mapping } = input;
  const dates = (is: ColumnMeaning): readonly number[] | undefined => {
    const found = column(is);
    const isDated = INSTANTS.some((unit) => unit === found?.unit);
    return isDated && found !== undefined ? instantsOf(found, mapping, reasons) : undefined;
  };
  const days = { start: dates("start"), cliff: dates("cliff"), end: dates("end") };
  const launchMs = startOf(mapping);
  if (days.start === undefined && launchMs === undefined)
    reasons.add('no column is a start: "start" of the mapping (--start DAY) is the day from which tokens circulate');
  const first = Math.min(...(days.start ?? []));
  if (launchMs !== undefined && first < launchMs)
    reasons.add(
      `column ${column("start")?.letter}: begins on ${dayText(first)}, before the start ${dayText(launchMs)}`,
    );
  const counts = {
    cliff: days.cliff === undefined ? durationsOf(column("cliff"), input, reasons) : undefined,
    duration: durationsOf(column("duration"), input, reasons),
    end: days.end === undefined ? durationsOf(column("end"), input, reasons) : undefined,
  };
  const every = everyOf(column("every"), input, reasons);
  reasons.settle();
  const rules = lines.map((line, row): Rule => {
    const startMs = days.start?.[row] ?? launchMs ?? 0;
    const cliffMs = days.cliff?.[row] ?? after(startMs, counts.cliff?.[row]);
    const head = {
      bucket: input.buckets[row] ?? "",
      line,
      units: input.units[row] ?? 0n,
      atStart: input.atStart[row] ?? 0n,
    };
    return {
      ...head,
      startMs,
      cliffMs,
      every: every[row] ?? 1,
      end: endOf(row, startMs, cliffMs, days.end, counts, column("duration")),
    };
  });
  const unlocks = rules.flatMap((rule) =>
    partsOf(rule, days.start === undefined ? undefined : launchMs, input, reasons),
  );
  reasons.settle();
  return unlocks;
}

type Length = Duration | "never" | "unstated";

/** Lengths of a column; a dash states none. */
function durationsOf(
  column: ReadColumn | undefined,
  { mark, lines }: RuleInput,
  reasons: Reasons,
): readonly Length[] | undefined {
  const word = column === undefined ? "" : commonWord(column);
  return column?.cells.map((written, row): Length => {
    const cell = word !== "" && written.endsWith(word) ? written.slice(0, -word.length) : written;
    if (isNever(cell) && column.is !== "cliff") return "never";
    if (isNone(cell)) return column.is === "cliff" ? { unit: "months", count: 0 } : "unstated";
    // The units of a mapping's lengths are units of counts.
    const result = readDuration(cell, column.unit as Parameters<typeof readDuration>[1], mark);
    if ("value" in result) return result.value;
    reasons.cell({ letter: column.letter, title: column.title, line: lines[row] ?? 0 }, cell, result.reason);
    return "unstated";
  });
}

/** Words of a language that no list has, after every count alike, are the unit that the mapping declares. */
function commonWord({ cells, unit }: ReadColumn): string {
  const words = new Set(cells.filter((cell) => /[1-9]/.test(cell)).map((cell) => cell.replace(/^[\d.,]+/, "")));
  const [word = ""] = words;
  return words.size === 1 && unit !== "cell" && /^[^\d]+$/.test(word) && !/^[ -]?[a-z]{1,8}\.?$/i.test(word)
    ? word
    : "";
}

function endOf(
  row: number,
  startMs: number,
  cliffMs: number,
  ends: readonly number[] | undefined,
  counts: { readonly duration: readonly Length[] | undefined; readonly end: readonly Length[] | undefined },
  duration: ReadColumn | undefined,
): Rule["end"] {
  const toMs = ends?.[row];
  if (toMs !== undefined) return { fromMs: startMs, toMs };
  const isFromCliff = counts.duration !== undefined && duration?.from === "cliff";
  const length = (counts.duration ?? counts.end)?.[row];
  if (length === undefined || length === "unstated") return undefined;
  if (length === "never") return "never";
  if (length.count === 0) return undefined;
  const fromMs = isFromCliff ? cliffMs : startMs;
  return { fromMs, toMs: after(fromMs, length) };
}

/** How often each row unlocks. */
function everyOf(
  column: ReadColumn | undefined,
  { mapping, lines, mark }: RuleInput,
  reasons: Reasons,
): readonly Every[] {
  const linear = mapping.linear === "by_day" ? "by_day" : 1;
  return lines.map((line, row) => {
    const cell = column?.cells[row] ?? "";
    if (column === undefined || cell === "" || isNone(cell)) return linear;
    const place = { letter: column.letter, title: column.title, line };
    if (column.unit === "words") {
      const every = readEvery(cell);
      if (every === undefined) reasons.cell(place, cell, "is not how often, such as monthly, quarterly or daily");
      return every === undefined || every === "linear" ? linear : every;
    }
    const number = readNumber(cell, mark);
    const size = { months: 1, quarters: 3, years: 12 }[column.unit ?? ""];
    if (
      number !== undefined &&
      number.fraction === 0 &&
      number.digits > 0n &&
      number.digits < 1000n &&
      size !== undefined
    )
      return Number(number.digits) * size;
    reasons.cell(place, cell, "is not how often: a whole number above 0");
    return linear;
  });
}

function after(ms: number, length: Length | undefined): number {
  if (length === undefined || typeof length === "string") return ms;
  if (length.unit === "months") return addMonths(ms, length.count);
  return ms + length.count * (length.unit === "days" ? DAY_MS : 1000);
}

/** The unlocks of one row; `launchMs`: what unlocks at the start does so on this day, and not on the row's own start. */
function partsOf(
  rule: Rule,
  launchMs: number | undefined,
  { column, decimals }: RuleInput,
  reasons: Reasons,
): readonly Unlock[] {
  const { bucket, line, units, atStart, startMs } = rule;
  const text = (amount: bigint): string => tokenText(amount, decimals);
  if (atStart > units) {
    reasons.add(
      `line ${line}: column ${column("unlocked_at_start")?.letter} has ${text(atStart)}, more than the ${text(units)} in all`,
    );
    return [];
  }
  const rest = units - atStart;
  const later = rest === 0n ? [] : vestingOf(rule, rest, column, text, reasons);
  return [once(launchMs ?? startMs, atStart), ...later].flatMap(([fromMs, toMs, amount]) =>
    amount > 0n ? [{ bucket, fromMs, toMs, units: amount, source: `line ${line}` }] : [],
  );
}

function vestingOf(
  { line, startMs, cliffMs, end, every }: Rule,
  units: bigint,
  column: RuleInput["column"],
  text: (amount: bigint) => string,
  reasons: Reasons,
): readonly Part[] {
  if (end === "never") return [once(NEVER_MS, units)];
  if (every === "at_once" && end !== undefined)
    reasons.add(`line ${line}: unlocks at once by column ${column("every")?.letter}, and has a length or an end too`);
  if (end === undefined) {
    if (cliffMs > startMs || every === "at_once") return [once(cliffMs, units)];
    const length = column("duration") ?? column("end");
    reasons.add(
      `line ${line}: ${text(units)} are not unlocked at the start, and column ${length?.letter ?? "?"} "${length?.title ?? ""}" states no length: write a length, or never`,
    );
    return [];
  }
  const { fromMs, toMs } = end;
  if (cliffMs > toMs || toMs <= fromMs) {
    reasons.add(
      `line ${line}: ends on ${dayText(toMs)}, before its cliff on ${dayText(cliffMs)} or its start on ${dayText(fromMs)}`,
    );
    return [];
  }
  const inside = Math.max(cliffMs, fromMs);
  if (typeof every === "string") return daily(fromMs, toMs, inside, units);
  const [months, accrued] = [monthsTo(fromMs, toMs), monthsTo(fromMs, inside)];
  if (months !== undefined && accrued !== undefined && months % every === 0)
    return monthly(fromMs, months, every, accrued, units);
  reasons.add(
    `line ${line}: from ${dayText(fromMs)} to ${dayText(toMs)} are no equal parts of ${every} months; "linear": "by_day" unlocks evenly`,
  );
  return [];
}
