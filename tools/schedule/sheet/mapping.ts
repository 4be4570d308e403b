import { isAmountText } from "../../../src/supply/file/amount.ts";
import { Refusal } from "../../lib/command-line.ts";
import { shapeOf } from "../../lib/json-schema.ts";

/**
 * Every member that is one of a few words, with the meaning of each word. `null` in a mapping is open: these are then
 * its choices. In the texts `{cell}` is a cell of the column.
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
  month_end: {
    next: "the last day of a month counts from the first day of the next month on",
    same: "it is the figure of its whole month",
  },
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
  whole: { first_day: "{cell} is its first day", last_day: "{cell} is its last day" },
  day: { excluded: "complete at the beginning of {cell}", included: "complete at the end of {cell}" },
  from: { start: "{cell} include the cliff, which releases what has accrued", cliff: "{cell} begin after the cliff" },
} as const;

type Word<Member extends keyof typeof WORDS> = keyof (typeof WORDS)[Member];
export type RowKind = Word<"rows">;
export type ColumnMeaning = Word<"is">;

/** The declared meaning of a sheet: every column with its unit, every line outside the table. `null` is open. */
export interface Mapping {
  /** The name of the sheet that it describes. */
  readonly sheet: string;
  /** The maximum that the amounts come to, in tokens. */
  readonly max_supply: string;
  readonly rows: RowKind | null;
  /** The line of the titles; 0: the sheet has none. */
  readonly titles: number;
  readonly decimal_mark: Word<"decimal_mark"> | null;
  readonly dates?: Word<"dates"> | null;
  readonly amounts?: Word<"amounts"> | null;
  readonly month_end?: Word<"month_end"> | null;
  readonly gaps?: Word<"gaps"> | null;
  /** How rules unlock over time where no column says it. */
  readonly linear?: Word<"linear"> | null;
  /** The day from which tokens circulate, where no row has dates. */
  readonly start?: string | null;
  readonly step_day?: number;
  /** The bucket of what the rows leave of the maximum; it never unlocks. */
  readonly rest?: string | null;
  readonly outside: readonly OutsideLine[];
  readonly columns: readonly MappedColumn[];
}

/** A line that is no row of the table: a note, or the sum of the rows, which is checked. */
export interface OutsideLine {
  readonly line: number;
  readonly text: string;
  readonly is: "ignored" | "sum" | null;
}

export interface MappedColumn {
  /** `A`, `B`, ..., `AA`. */
  readonly column: string;
  readonly title: string;
  /** The first cells, to recognise it by. */
  readonly cells: readonly string[];
  readonly is: ColumnMeaning | null;
  /** A word, or `tokens x 1000`. */
  readonly unit?: string | null;
  /** What a percentage or fraction is taken of: a word, or a number of tokens. */
  readonly of?: string | null;
  /** The number of the period that begins on the start. */
  readonly first?: 0 | 1 | null;
  /** What a month, quarter, half or year without a day stands for. */
  readonly whole?: Word<"whole"> | null;
  readonly day?: Word<"day"> | null;
  readonly from?: Word<"from"> | null;
  /** What the first cell comes to, for the person who reads the file. */
  readonly means?: string;
  /** The letters of the columns that a sum adds up. */
  readonly sum_of?: readonly string[] | null;
}

const COUNTS = ["days", "weeks", "months", "quarters", "years"] as const;
export const INSTANTS = ["date", "unix_seconds", "unix_milliseconds", "serial"] as const;
const AMOUNTS = ["tokens", "base_units", "percent", "fraction"] as const;

/** The units that each meaning takes; none: a meaning without a unit. */
export const UNITS: Readonly<Record<ColumnMeaning, readonly Word<"unit">[]>> = {
  period: [...INSTANTS, ...COUNTS, "cell"],
  bucket: [],
  category: [],
  amount: AMOUNTS,
  circulating: AMOUNTS,
  unlocked_at_start: AMOUNTS,
  start: INSTANTS,
  end: [...INSTANTS, "seconds", ...COUNTS, "cell"],
  cliff: [...INSTANTS, "seconds", ...COUNTS, "cell"],
  duration: ["seconds", ...COUNTS, "cell"],
  every: ["words", "months", "quarters", "years"],
  sum: AMOUNTS,
  ignored: [],
};

const EVERYWHERE = ["amount", "sum", "ignored"] as const;

/** The meanings that the columns of each kind of rows can have. */
export const MEANINGS: Readonly<Record<RowKind, readonly ColumnMeaning[]>> = {
  period: [...EVERYWHERE, "period", "circulating"],
  unlock: [...EVERYWHERE, "period", "bucket", "category"],
  rule: [
    ...EVERYWHERE,
    ...(["bucket", "category", "unlocked_at_start", "start", "end", "cliff", "duration", "every"] as const),
  ],
};

const text = { type: "string" };
const wordOf = (member: keyof typeof WORDS) => ({
  enum: [...Object.keys(WORDS[member]).map((word) => (member === "first" ? Number(word) : word)), null],
});
const closed = (properties: Readonly<Record<string, object>>, required: readonly string[]) => ({
  type: "object",
  properties: { ...properties, choices: { type: "object" } },
  required,
  additionalProperties: false,
});

const shape = shapeOf(
  closed(
    {
      sheet: text,
      max_supply: text,
      titles: { type: "integer", minimum: 0, maximum: 50_000 },
      start: { type: ["string", "null"], format: "date" },
      step_day: { type: "integer", minimum: 1, maximum: 28 },
      rest: { type: ["string", "null"], pattern: "^[a-z][a-z0-9_]*$" },
      ...Object.fromEntries(
        (["rows", "decimal_mark", "dates", "amounts", "month_end", "gaps", "linear"] as const).map((each) => [
          each,
          wordOf(each),
        ]),
      ),
      outside: {
        type: "array",
        items: closed(
          { line: { type: "integer", minimum: 1, maximum: 50_000 }, text, is: { enum: ["ignored", "sum", null] } },
          ["line", "text", "is"],
        ),
      },
      columns: {
        type: "array",
        items: closed(
          {
            column: text,
            title: text,
            cells: { type: "array", items: text },
            means: text,
            is: wordOf("is"),
            unit: { type: ["string", "null"] },
            of: { type: ["string", "null"] },
            first: wordOf("first"),
            whole: wordOf("whole"),
            day: wordOf("day"),
            from: wordOf("from"),
            sum_of: { type: ["array", "null"], items: text },
          },
          ["column", "title", "is"],
        ),
      },
    },
    ["sheet", "max_supply", "rows", "titles", "decimal_mark", "outside", "columns"],
  ),
);

/** Reads a mapping file; what it does not know or has another value is named with its place. Throws a Refusal. */
export function parseMapping(name: string, content: string): Mapping {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    throw new Refusal([`${name}: is not JSON`]);
  }
  const problems = shape(json).map(({ path, message }) => `${path}: ${message}`);
  const mapping = json as Mapping; // by its shape, where there is no problem
  if (problems.length === 0) problems.push(...mapping.columns.flatMap(columnProblems));
  if (problems.length > 0) throw new Refusal(problems.map((each) => `${name}: ${each}`));
  return mapping;
}

function columnProblems({ is, unit, of }: MappedColumn, index: number): readonly string[] {
  const units: readonly string[] = is === null ? [] : UNITS[is];
  const isMultiple = units === AMOUNTS && /^tokens x [1-9]\d{0,30}$/.test(unit ?? "");
  const isUnit = (unit ?? null) === null || units.length === 0 || units.includes(unit ?? "") || isMultiple;
  const isWhole = (of ?? null) === null || Object.hasOwn(WORDS.of, of ?? "") || isAmountText(of ?? "");
  return [
    ...(isUnit ? [] : [`columns[${index}].unit: must be one of ${units.join(", ")}; not ${JSON.stringify(unit)}`]),
    ...(isWhole
      ? []
      : [`columns[${index}].of: must be allocation, maximum or a number of tokens; not ${JSON.stringify(of)}`]),
  ];
}
