import { CATEGORIES } from "../../../src/supply/schedule.ts";
import { type CountUnit, isNever, isNone, readDuration, readEvery, unitOf } from "../cells/cell.ts";
import { type DecimalMark, isDash, readNumber } from "../cells/number.ts";
import { readNumbered, readPeriod } from "../cells/period.ts";
import type { ColumnMeaning } from "./mapping.ts";

const isNumber = (cell: string, mark: DecimalMark): boolean => readNumber(cell, mark) !== undefined;
const isCurrency = (cell: string): boolean => /^[-(]?[$€£¥]|[$€£¥]$/.test(cell);
const isPercent = (cell: string, mark: DecimalMark): boolean =>
  /%$/.test(cell) && isNumber(cell.replace(/\s*%$/, ""), mark);
const isZero = (cell: string, mark: DecimalMark): boolean => readNumber(cell, mark)?.digits === 0n;
const isDate = (cell: string, mark: DecimalMark): boolean =>
  readPeriod(cell) !== undefined && (!isNumber(cell, mark) || /^\d{4}\.\d{1,2}$/.test(cell));
const isLength = (cell: string, mark: DecimalMark): boolean =>
  isNever(cell) || isNumber(cell, mark) || "value" in readDuration(cell, "cell", mark);

type CellTest = (cell: string, mark: DecimalMark) => boolean;

/**
 * Forms of cells. All filled cells other than dashes must pass the first test, and at least one must pass the second.
 */
const KINDS = [
  ["currency", (cell) => isCurrency(cell) || cell === "0", isCurrency],
  ["dates", isDate, isDate],
  ["numbered", (cell) => readNumbered(cell) !== undefined, (cell) => /[a-z]/i.test(cell)],
  ["every", (cell) => readEvery(cell) !== undefined, () => true],
  ["percent", (cell, mark) => isPercent(cell, mark) || isZero(cell, mark), isPercent],
  ["numbers", isNumber, () => true],
  ["durations", isLength, () => true],
  ["categories", (cell) => CATEGORIES.some((category) => category === categoryName(cell)), () => true],
  ["text", (cell) => !/[\p{N}#]/u.test(cell), () => true],
  ["mixed", () => true, () => true],
] as const satisfies readonly (readonly [string, CellTest, CellTest])[];

/** Common form of a column's cells. */
export type CellKind = (typeof KINDS)[number][0] | "empty";

/** Returns the form that all filled cells of a column have. */
export function kindOf(cells: readonly string[], mark: DecimalMark): CellKind {
  const filled = cells.filter((cell) => cell !== "");
  const stated = filled.filter((cell) => !isNone(cell));
  if (stated.length === 0) return filled.length === 0 ? "empty" : filled.every(isDash) ? "numbers" : "text";
  const row = KINDS.find(
    ([, isForm, isSign]) => stated.every((cell) => isForm(cell, mark)) && stated.some((cell) => isSign(cell, mark)),
  );
  return row?.[0] ?? "mixed";
}

export function categoryName(cell: string): string {
  return cell.trim().toLowerCase().replace(/[ -]+/g, "_");
}

/** Words of a title in lower case: `startTime` is two, `at start` and `base units` are one each, as are signs. */
export function wordsOf(title: string, symbol: string): readonly string[] {
  const split = title.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase();
  const words = (split.match(/[\p{L}\p{N}]+|[%$€£¥]/gu) ?? []).filter((word) => word !== symbol.toLowerCase());
  const pairs = words.join(" ").replace(/\b(at) (start|launch)\b|\b(base) (units)\b/g, "$1$3_$2$4");
  return pairs === "" ? [] : pairs.split(" ");
}

const AMOUNT_UNITS = new Map([
  ...["token", "tokens"].map((word) => [word, "tokens"] as const),
  ...["wei", "base_units"].map((word) => [word, "base_units"] as const),
  ...["%", "percent", "percentage", "pct"].map((word) => [word, "percent"] as const),
  ["thousands", "tokens x 1000"],
  ["millions", "tokens x 1000000"],
  ["billions", "tokens x 1000000000"],
]);

const onlyOf = <Value>(values: ReadonlySet<Value>): Value | undefined =>
  values.size === 1 ? [...values][0] : undefined;

/** Unit of amounts that a title names; undefined for none or several. */
export function amountUnitOf(words: readonly string[]): string | undefined {
  const units = new Set(words.flatMap((word) => AMOUNT_UNITS.get(word) ?? []));
  if (units.size > 1) units.delete("tokens");
  return onlyOf(units);
}

/** Unit of counts that a title names. */
export function countUnitOf(words: readonly string[]): CountUnit | undefined {
  return onlyOf(new Set(words.flatMap((word) => (word.length > 1 ? (unitOf(word) ?? []) : []))));
}

/** Whole that a title names for its percentages: `of allocation`, `of total supply`, `of the maximum`. */
export function wholeOf(words: readonly string[]): "allocation" | "maximum" | undefined {
  const title = words.join(" ");
  if (/\bof (the )?allocation$/.test(title)) return "allocation";
  return /\bof (the )?((total|max|maximum) supply|maximum)$/.test(title) ? "maximum" : undefined;
}

const PERIODS = "date month months period quarter year week day";
const LENGTHS = "seconds second days day weeks week months month mo mos quarters quarter years year yrs";
const SHARES = "% percent percentage pct of the total max maximum supply allocation tokens token base_units wei";
const DATES = "date time day timestamp unix seconds utc yyyy mm dd";

/**
 * Closed vocabulary of titles; it does not grow. A row has a meaning, its kinds of cells, the words of which a title
 * must have one, and the words that may stand beside them. A title with any other word is open.
 */
const TITLES: readonly (readonly [ColumnMeaning, readonly CellKind[], needed: string, beside: string])[] = [
  ["start", ["dates", "numbers"], "start starts begin begins", `vesting unlock grant lock ${DATES}`],
  ["end", ["dates", "numbers"], "end ends", `vesting unlock grant lock ${DATES}`],
  ["cliff", ["dates"], "cliff lockup", `end ends vesting ${DATES}`],
  ["period", ["dates"], PERIODS, "vesting payment release unlock yyyy mm dd utc"],
  ["period", ["numbered", "numbers"], PERIODS, "since after from post the tge launch start unlock release number"],
  ["cliff", ["numbers", "durations"], "cliff lockup", `period length duration time in ${LENGTHS}`],
  [
    "duration",
    ["numbers", "durations"],
    `vesting duration ${LENGTHS}`,
    "period length time in linear after the cliff including inside total",
  ],
  ["every", ["every"], "frequency every release", "unlock vesting"],
  ["every", ["numbers"], "every", "months quarters years"],
  [
    "unlocked_at_start",
    ["numbers", "percent"],
    "tge genesis at_start at_launch",
    `on unlock unlocked amount ${SHARES}`,
  ],
  ["circulating", ["numbers", "percent"], "circulating", "supply tokens token % of the max maximum"],
  ["sum", ["numbers", "percent"], "total sum subtotal", "unlocked supply tokens amount"],
  [
    "amount",
    ["numbers", "percent"],
    "allocation allocated amount tokens token quantity share unlocked unlock",
    `${SHARES} thousands millions billions`,
  ],
  ["category", ["categories"], "category", "allocation"],
  ["bucket", ["text", "mixed", "categories"], "bucket category allocation label group round pool section", "name"],
  [
    "ignored",
    ["text", "mixed", "numbers", "categories"],
    "id address wallet recipient holder beneficiary email hash note notes remark remarks comment comments memo source url link",
    "token contract e mail",
  ],
  ["ignored", ["currency"], "price raise valuation value usd $ € £ ¥", "token unlock per in"],
];

/** Meaning that the vocabulary gives a title; undefined when it does not know one of the words: the column is open. */
export function meaningOf(words: readonly string[], kind: CellKind): ColumnMeaning | undefined {
  return TITLES.find(([, kinds, needed, beside]) => {
    const [subjects, known] = [needed.split(" "), new Set(`${needed} ${beside}`.split(" "))];
    return (
      kinds.includes(kind) && words.some((word) => subjects.includes(word)) && words.every((word) => known.has(word))
    );
  })?.[0];
}

/** Whether a label only names a sum. */
export function isSumLabel(label: string): boolean {
  const [words, sums] = [wordsOf(label, ""), ["total", "sum", "subtotal"]];
  const known = [...sums, "supply", "tokens", "unlocked", "amount", "max", "maximum"];
  return words.some((word) => sums.includes(word)) && words.every((word) => known.includes(word));
}
