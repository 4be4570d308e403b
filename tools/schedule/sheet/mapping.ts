import { isAmountText } from "../../../src/supply/file/amount.ts";
import { Refusal } from "../../lib/command-line.ts";
import { compileSchema } from "../../lib/json-schema.ts";

/**
 * Members whose value is one of a few words, with the meaning of each word. A member that is null in a mapping is open,
 * and these words are its choices. In the texts `{cell}` is a cell of the column.
 */
export const WORDS = {
  rows: {
    period: "the figures of a month or a day",
    rule: "the rule of a bucket or a grant",
    unlock: "one unlock of a bucket",
  },
  decimal_mark: { point: "1,234.5", comma: "1.234,5" },
  dates: { "day-first": "the day of {cell} comes first", "month-first": "the month of {cell} comes first" },
  amounts: { cumulative: "each row is a running total", monthly: "each row is what unlocks in its period" },
  gaps: { keep: "a missing month keeps the figure before it" },
  linear: { by_month: "equal parts at the end of each month", by_day: "evenly, day by day" },
  is: {
    period: "when the row's figure is in force",
    bucket: "the name of the bucket",
    category: "the category of the bucket",
    amount: "tokens of the row's bucket; in a table of periods, of the bucket with this title",
    circulating: "the whole supply in circulation",
    unlocked_at_start: "what unlocks at the start",
    start: "when the row's vesting begins",
    end: "when the row's vesting is complete",
    cliff: "until when nothing more unlocks",
    duration: "how long the vesting takes",
    every: "how often a part unlocks",
    sum: "the sum of other columns, which is checked",
    ignored: "no part of the plan",
  },
  unit: {
    tokens: "tokens; a multiple is written as in tokens x 1000",
    base_units: "the token's smallest unit",
    percent: "of 100",
    fraction: "of 1",
    date: "days, months, quarters, halves or years",
    unix_seconds: "seconds since 1970",
    unix_milliseconds: "milliseconds since 1970",
    serial: "a spreadsheet's number of a day",
    seconds: "seconds",
    days: "days",
    weeks: "weeks of seven days",
    months: "calendar months",
    quarters: "three calendar months each",
    years: "twelve calendar months each",
    cell: "each cell names its own unit",
    words: "monthly, quarterly, daily and the like",
  },
  of: { allocation: "of the row's amount", maximum: "of the maximum supply" },
  first: { 0: "the period 0 begins on the start, the period 1 one unit later", 1: "the period 1 begins on the start" },
  whole: { first_day: "{cell} counts from its first day on", last_day: "{cell} counts from its last day on" },
  day: { excluded: "complete at the beginning of {cell}", included: "complete at the end of {cell}" },
  from: { start: "{cell} include the cliff, which releases what has accrued", cliff: "{cell} begin after the cliff" },
  outside: { ignored: "left out; a unit or a multiple in it belongs to the columns", sum: "the sum of the rows" },
} as const;

type Word<Member extends keyof typeof WORDS> = keyof (typeof WORDS)[Member];
export type RowKind = Word<"rows">;
export type ColumnMeaning = Word<"is">;

/**
 * Declared meaning of a sheet: every column with its unit, every line outside the table. A null is an open
 * place: its answer is still to be given.
 */
export interface Mapping {
  /** Name of the sheet that it describes. */
  readonly sheet: string;
  /** Maximum that the amounts come to, in tokens. */
  readonly max_supply: string;
  readonly rows: RowKind | null;
  /** Line of the titles; 0: the sheet has none. */
  readonly titles: number | null;
  readonly decimal_mark: Word<"decimal_mark"> | null;
  readonly dates?: Word<"dates"> | null;
  readonly amounts?: Word<"amounts"> | null;
  readonly gaps?: Word<"gaps"> | null;
  /** Way in which rules unlock over time where no column states it. */
  readonly linear?: Word<"linear"> | null;
  /** Day from which tokens circulate, where no row has dates. */
  readonly start?: string | null;
  readonly step_day?: number;
  /** Bucket of what the rows leave of the maximum; it never unlocks. */
  readonly rest?: string | null;
  readonly outside: readonly OutsideLine[];
  readonly columns: readonly MappedColumn[];
}

/** Line that is no row of the table: a note, or the sum of the rows, which is checked. */
export interface OutsideLine {
  readonly line: number;
  readonly text: string;
  readonly is: Word<"outside"> | null;
}

export interface MappedColumn {
  /** `A`, `B`, ..., `AA`. */
  readonly column: string;
  readonly title: string;
  /** First cells, by which a person recognises the column. */
  readonly cells: readonly string[];
  readonly is: ColumnMeaning | null;
  /** Unit as a word, or as `tokens x 1000`. */
  readonly unit?: string | null;
  /** Whole that a percentage or fraction is taken of: a word, or a number of tokens. */
  readonly of?: string | null;
  /** Amount of the first cell, for the person who reads the file. */
  readonly means?: string;
  /** Number of the period that begins on the start. */
  readonly first?: 0 | 1 | null;
  /** Day that a month, quarter, half or year stands for; in a period column, the last day of a month too. */
  readonly whole?: Word<"whole"> | null;
  readonly day?: Word<"day"> | null;
  readonly from?: Word<"from"> | null;
  /** Letters of the columns that a sum adds up. */
  readonly sum_of?: readonly string[] | null;
}

const INSTANTS = ["date", "unix_seconds", "unix_milliseconds", "serial"] as const;
const COUNTS = ["days", "weeks", "months", "quarters", "years"] as const;
const AMOUNTS = ["tokens", "base_units", "percent", "fraction"] as const;
const ALL_ROWS = ["period", "rule", "unlock"] as const;

interface Meaning {
  readonly rows: readonly RowKind[];
  /** Kinds of rows in which several columns may have the meaning. */
  readonly repeated?: readonly RowKind[];
  readonly units: readonly Word<"unit">[];
}

/** Meanings of a column, with the kinds of rows that have each, and its units. */
export const MEANINGS: Readonly<Record<ColumnMeaning, Meaning>> = {
  period: { rows: ["period", "unlock"], units: [...INSTANTS, ...COUNTS, "cell"] },
  bucket: { rows: ["rule", "unlock"], units: [] },
  category: { rows: ["rule", "unlock"], units: [] },
  amount: { rows: ALL_ROWS, repeated: ["period"], units: AMOUNTS },
  circulating: { rows: ["period"], units: AMOUNTS },
  unlocked_at_start: { rows: ["rule"], units: AMOUNTS },
  start: { rows: ["rule"], units: INSTANTS },
  end: { rows: ["rule"], units: [...INSTANTS, "seconds", ...COUNTS, "cell"] },
  cliff: { rows: ["rule"], units: [...INSTANTS, "seconds", ...COUNTS, "cell"] },
  duration: { rows: ["rule"], units: ["seconds", ...COUNTS, "cell"] },
  every: { rows: ["rule"], units: ["words", "months", "quarters", "years"] },
  sum: { rows: ALL_ROWS, repeated: ALL_ROWS, units: AMOUNTS },
  ignored: { rows: ALL_ROWS, repeated: ALL_ROWS, units: [] },
};

export const isInstantUnit = (unit: string | null | undefined): boolean => INSTANTS.some((each) => each === unit);
export const isAmountUnit = (unit: string): boolean =>
  /^(tokens( x [1-9]\d{0,30})?|base_units|percent|fraction)$/.test(unit);
export const isShare = (unit: string | null | undefined): boolean => unit === "percent" || unit === "fraction";

const text = { type: "string" };
const line = { type: "integer", minimum: 1, maximum: 50_000 };
const textOrNull = { type: ["string", "null"] };
const wordOf = (member: keyof typeof WORDS) => ({
  enum: [...Object.keys(WORDS[member]).map((word) => (member === "first" ? Number(word) : word)), null],
});
const closed = (properties: Readonly<Record<string, object>>, ...required: readonly string[]) => ({
  type: "object",
  properties: { ...properties, choices: { type: "object" } },
  required,
  additionalProperties: false,
});
const COLUMN = closed(
  {
    ...{
      column: text,
      title: text,
      cells: { type: "array", items: text },
      is: wordOf("is"),
      unit: textOrNull,
      means: text,
    },
    ...{ of: textOrNull, first: wordOf("first"), whole: wordOf("whole"), day: wordOf("day"), from: wordOf("from") },
    sum_of: { type: ["array", "null"], items: text },
  },
  ...["column", "title", "is"],
);
const shape = compileSchema(
  closed(
    {
      ...{
        sheet: text,
        max_supply: text,
        rows: wordOf("rows"),
        titles: { ...line, type: ["integer", "null"], minimum: 0 },
      },
      ...{ decimal_mark: wordOf("decimal_mark"), dates: wordOf("dates"), amounts: wordOf("amounts") },
      ...{ gaps: wordOf("gaps"), linear: wordOf("linear"), start: { ...textOrNull, format: "date" } },
      ...{ step_day: { ...line, maximum: 28 }, rest: { ...textOrNull, pattern: "^[a-z][a-z0-9_]*$" } },
      outside: { type: "array", items: closed({ line, text, is: wordOf("outside") }, "line", "text", "is") },
      columns: { type: "array", items: COLUMN },
    },
    ...["sheet", "max_supply", "rows", "titles", "decimal_mark", "outside", "columns"],
  ),
);

/** Reads a mapping file. An unknown member or value is refused with its place. Throws a Refusal. */
export function parseMapping(name: string, content: string): Mapping {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    throw new Refusal([`${name}: is not JSON`]);
  }
  const problems = shape(json).map(({ path, message }) => `${path}: ${message}`);
  const mapping = json as Mapping; // by its shape, where there is no problem
  const letters = problems.length === 0 ? mapping.columns.map(({ column }) => column) : [];
  if (problems.length === 0) problems.push(...mapping.columns.flatMap((each, at) => columnProblems(each, at, letters)));
  if (problems.length > 0) throw new Refusal(problems.map((each) => `${name}: ${each}`));
  return mapping;
}

function columnProblems(column: MappedColumn, index: number, letters: readonly string[]): readonly string[] {
  const { is, unit = null, of = null, sum_of } = column;
  const units: readonly string[] = is === null ? [] : MEANINGS[is].units;
  const problems: string[] = [];
  const isMultiple = units === AMOUNTS && isAmountUnit(unit ?? "");
  if (unit !== null && units.length > 0 && !units.includes(unit) && !isMultiple)
    problems.push(`columns[${index}].unit: must be one of ${units.join(", ")}; not ${JSON.stringify(unit)}`);
  if (of !== null && !Object.hasOwn(WORDS.of, of) && !isAmountText(of))
    problems.push(`columns[${index}].of: must be allocation, maximum or a number of tokens; not ${JSON.stringify(of)}`);
  if (of === "allocation" && is !== "unlocked_at_start")
    problems.push(`columns[${index}].of: only what unlocks at the start is of the allocation`);
  const others = sum_of?.filter((letter) => !letters.includes(letter) || letter === column.column) ?? [];
  if (others.length > 0)
    problems.push(`columns[${index}].sum_of: ${others.join(", ")} is no other column of the table`);
  return problems;
}
