import { CATEGORIES } from "../../../src/supply/schedule.ts";
import { type CountUnit, isNever, isNone, readDuration, readEvery, unitOf } from "../cells/cell.ts";
import { type DecimalMark, isDash, readNumber } from "../cells/number.ts";
import { readNumbered, readPeriod } from "../cells/period.ts";
import type { ColumnMeaning } from "./mapping.ts";
import type { Column } from "./table.ts";

/** The common form of a column's cells. */
export type CellKind =
  | "empty"
  | "dates"
  | "numbered"
  | "every"
  | "percent"
  | "currency"
  | "numbers"
  | "durations"
  | "categories"
  | "text"
  | "mixed";

/** The form that all filled cells of a column have. */
export function kindOf({ cells }: Column, mark: DecimalMark): CellKind {
  const all = cells.filter((cell) => cell !== "");
  const plain = all.filter((cell) => !isNone(cell));
  if (all.length === 0) return "empty";
  const every = (is: (cell: string) => boolean): boolean => plain.length > 0 && plain.every(is);
  const isNumber = (cell: string): boolean => readNumber(cell, mark) !== undefined;
  if (every((cell) => isCurrency(cell) || cell === "0")) return plain.some(isCurrency) ? "currency" : "numbers";
  const isYearAndMonth = (cell: string): boolean => /^\d{4}\.\d{1,2}$/.test(cell);
  if (every((cell) => readPeriod(cell) !== undefined) && (!plain.some(isNumber) || every(isYearAndMonth)))
    return "dates";
  if (every((cell) => readNumbered(cell) !== undefined) && plain.some((cell) => /[a-z]/i.test(cell))) return "numbered";
  if (every((cell) => readEvery(cell) !== undefined)) return "every";
  const isShare = (cell: string): boolean =>
    /%$/.test(cell) && readNumber(cell.replace(/\s*%$/, ""), mark) !== undefined;
  if (every((cell) => isShare(cell) || readNumber(cell, mark)?.digits === 0n) && plain.some(isShare)) return "percent";
  if (all.every((cell) => isDash(cell) || isNumber(cell))) return "numbers";
  const isLength = (cell: string): boolean => isNever(cell) || "value" in readDuration(cell, "cell", mark);
  const isCount = (cell: string): boolean => isLength(cell) || isNumber(cell);
  if (every(isCount)) return "durations";
  if (every((cell) => CATEGORIES.some((category) => category === categoryName(cell)))) return "categories";
  return plain.every((cell) => !/[\p{N}#]/u.test(cell)) ? "text" : "mixed";
}

export function categoryName(cell: string): string {
  return cell.trim().toLowerCase().replace(/[ -]+/g, "_");
}

const isCurrency = (cell: string): boolean => /^[-(]?[$€£¥]|[$€£¥]$/.test(cell);

/** Words of a title in lower case; `startTime` is two, signs are words of their own. */
export function wordsOf(title: string, symbol: string): readonly string[] {
  const split = title.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase();
  const words = split.match(/[\p{L}\p{N}]+|[%$€£¥]/gu) ?? [];
  return words.filter((word) => word !== symbol.toLowerCase());
}

const AMOUNT_UNITS: Readonly<Record<string, string>> = {
  token: "tokens",
  tokens: "tokens",
  wei: "base_units",
  base_units: "base_units",
  "%": "percent",
  percent: "percent",
  percentage: "percent",
  pct: "percent",
  thousands: "tokens x 1000",
  millions: "tokens x 1000000",
  billions: "tokens x 1000000000",
};

/** The unit of amounts that a title names: the one that stands there, undefined for none or several. */
export function amountUnitOf(words: readonly string[]): string | undefined {
  const read = words
    .join(" ")
    .replace(/\bbase units?\b/, "base_units")
    .split(" ");
  const named = new Set(read.flatMap((word) => (Object.hasOwn(AMOUNT_UNITS, word) ? (AMOUNT_UNITS[word] ?? []) : [])));
  if (named.size > 1) named.delete("tokens");
  return named.size === 1 ? [...named][0] : undefined;
}

/** The unit of counts that a title names. */
export function countUnitOf(words: readonly string[]): CountUnit | undefined {
  const named = new Set(words.flatMap((word) => (word.length > 1 ? (unitOf(word) ?? []) : [])));
  return named.size === 1 ? [...named][0] : undefined;
}

/** What a percentage is of by its title: `of allocation`, `of total supply`, `of the maximum`. */
export function wholeOf(words: readonly string[]): "allocation" | "maximum" | undefined {
  const text = words.join(" ");
  if (/\bof (the )?allocation$/.test(text)) return "allocation";
  return /\bof (the )?((total|max|maximum) supply|maximum)$/.test(text) ? "maximum" : undefined;
}

const PERIODS = "date month months period quarter year week day";
const LENGTHS = "seconds second days day weeks week months month mo mos quarters quarter years year yrs";
const SHARES = "% percent percentage pct of the total max maximum supply allocation tokens token base units wei";
const DATES = "date time day timestamp unix seconds utc yyyy mm dd";

/**
 * The closed vocabulary of titles: a meaning, the kinds of cells that it can have, the words of which one must stand in
 * the title, and the words that may stand beside them. A title with any other word is open. It grows no further.
 */
const TITLES: readonly (readonly [ColumnMeaning, readonly CellKind[], own: string, beside: string])[] = [
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

/** The meaning that a title has by its words, all of which the vocabulary knows; undefined: open. */
export function meaningOf(words: readonly string[], kind: CellKind): ColumnMeaning | undefined {
  const text = ` ${words.join(" ")} `;
  return TITLES.find(([, kinds, own, beside]) => {
    // `at_start` is two words that stand together.
    const mine = own.split(" ").map((each) => each.replace("_", " "));
    const known = new Set([...mine.flatMap((each) => each.split(" ")), ...beside.split(" ")]);
    const isSaid = mine.some((each) => text.includes(` ${each} `));
    return kinds.includes(kind) && isSaid && words.every((word) => known.has(word));
  })?.[0];
}

/** Whether a label is a word for a sum and nothing else. */
export function isSumLabel(label: string): boolean {
  const words = wordsOf(label, "");
  const known = ["total", "sum", "subtotal", "supply", "tokens", "unlocked", "amount", "max", "maximum"];
  return words.some((word) => known.slice(0, 3).includes(word)) && words.every((word) => known.includes(word));
}
