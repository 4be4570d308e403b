import { parseAmount } from "../../../shared/amount.ts";
import type { FilePhase } from "../../../shared/schedule-file.ts";
import { tokenText } from "../../../src/chain/amount.ts";
import type { Category } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../command-line.ts";
import type { CsvRow } from "../../csv.ts";
import { type DecimalMark, fractionDigits, plainNumber } from "./number.ts";
import type { DateOrder } from "./period.ts";

/** A bucket as a sheet has it; amounts are decimal strings, as in a schedule file. */
export interface SheetBucket {
  readonly id: string;
  readonly label: string;
  readonly category: Category;
  readonly allocation: string;
  readonly genesis: string;
  readonly phases: readonly FilePhase[];
}

/** What a command line says about a sheet; undefined: the sheet says it itself. */
export interface SheetOptions {
  readonly decimals: number;
  /** Base units. */
  readonly maxSupply: bigint | undefined;
  /** What the figures are: running totals, or what each period unlocks. */
  readonly amounts: "cumulative" | "monthly" | undefined;
  readonly decimalMark: DecimalMark | undefined;
  readonly dates: DateOrder | undefined;
  /** What the last day of a month stands for. */
  readonly monthEnd: "next" | "same" | undefined;
  readonly start: string | undefined;
  readonly stepDay: number | undefined;
  /** A month without a row keeps the figure before. */
  readonly keepsGaps: boolean;
  /** Titles of the columns to be read. */
  readonly columns: readonly string[] | undefined;
  /** The corner of one of several tables side by side. */
  readonly table: string | undefined;
}

/** A number of a sheet in base units, and the unit to which its cell is written. */
export interface SheetAmount {
  readonly units: bigint;
  readonly roundedTo: bigint;
}

/** Reads cells of one sheet: errors name its line, and every guess is kept in words. */
export class SheetReader {
  readonly options: SheetOptions;
  readonly guesses: string[] = [];
  readonly #name: string;
  readonly #mark: DecimalMark;

  constructor(name: string, options: SheetOptions, mark: DecimalMark) {
    this.#name = name;
    this.options = options;
    this.#mark = mark;
  }

  guess(text: string): void {
    this.guesses.push(text);
  }

  refuse(row: CsvRow | undefined, ...messages: readonly [string, ...string[]]): never {
    const [first, ...more] = messages;
    throw new Refusal([`${this.#name}: ${row === undefined ? "" : `line ${row.line}: `}${first}`, ...more]);
  }

  /** A number beyond the titles is the rest of one with thousands separators, or a column that nobody would read. */
  refuseUntitled(row: CsvRow, header: CsvRow | undefined, periods: readonly number[]): void {
    const isUntitled = (at: number): boolean => (header?.cells[at] ?? "") === "" && !periods.includes(at);
    const stray = row.cells.find((cell, at) => isUntitled(at) && this.isNumber(cell));
    if (stray !== undefined)
      this.refuse(
        row,
        `"${stray}" is in a column without a title: quote numbers that have separators, or give the column a title`,
      );
  }

  text(units: bigint): string {
    return tokenText(units, this.options.decimals);
  }

  /** Whether a cell is a number of any kind, a percentage included. */
  isNumber(cell: string): boolean {
    return plainNumber(cell.replace(/\s*%$/, ""), this.#mark) !== undefined;
  }

  amount(row: CsvRow, column: number): SheetAmount {
    const cell = row.cells[column] ?? "";
    const { decimals } = this.options;
    const units = parseAmount(plainNumber(cell, this.#mark) ?? "", decimals);
    if (units === undefined)
      this.refuse(
        row,
        `"${cell}" is not an amount: digits such as 1250.5 or "1,250.5", with at most ${decimals} after the ${this.#mark === "." ? "point" : "comma"}`,
      );
    const digits = Math.min(fractionDigits(cell, this.#mark), decimals);
    return { units, roundedTo: 10n ** BigInt(decimals - digits) };
  }

  /** A percentage of `whole`, which must be a whole number of base units. */
  share(row: CsvRow, column: number, whole: bigint): bigint {
    const { numerator, scale } = this.percentage(row, column);
    if ((whole * numerator) % scale !== 0n)
      this.refuse(row, `${row.cells[column]} of ${this.text(whole)} is no whole number of base units; write tokens`);
    return (whole * numerator) / scale;
  }

  /** A percentage as a fraction; `half` is half the unit of its last digit. */
  percentage(
    row: CsvRow,
    column: number,
  ): { readonly numerator: bigint; readonly half: bigint; readonly scale: bigint } {
    const digits = 18;
    const cell = (row.cells[column] ?? "").replace(/\s*%$/, "");
    const numerator = parseAmount(plainNumber(cell, this.#mark) ?? "", digits);
    if (numerator === undefined) return this.refuse(row, `"${row.cells[column]}" is not a percentage such as 12.5%`);
    const half = 10n ** BigInt(digits - Math.min(fractionDigits(cell, this.#mark), digits)) / 2n;
    return { numerator, half, scale: 100n * 10n ** BigInt(digits) };
  }

  /** Whether the cells of a column are percentages, by its title or by each cell. */
  isPercent(title: string, rows: readonly CsvRow[], column: number): boolean {
    const cells = rows.map(({ cells: each }) => each[column] ?? "").filter((cell) => cell !== "");
    return /%|percent|share/i.test(title) || (cells.length > 0 && cells.every((cell) => cell.endsWith("%")));
  }

  /** Refuses a sum that its parts do not have; rounding of each part is allowed, up to a millionth in all. */
  checkSum(row: CsvRow, title: string, total: SheetAmount, parts: readonly SheetAmount[]): bigint {
    const expected = parts.reduce((sum, { units }) => sum + units, 0n);
    const difference = total.units > expected ? total.units - expected : expected - total.units;
    const rounding = [total, ...parts].reduce((sum, { roundedTo }) => sum + roundedTo, 0n) / 2n;
    if (difference > rounding || difference * 1_000_000n > expected)
      this.refuse(
        row,
        `"${title}" is ${this.text(total.units)}, the buckets add up to ${this.text(expected)}`,
        "a sum that is wrong in the sheet is left out by naming the columns to read: --columns",
      );
    return difference;
  }

  named(label: string, index: number): Pick<SheetBucket, "id" | "label" | "category"> {
    const category = CATEGORY_WORDS.find(([words]) => words.test(label))?.[1] ?? "other";
    const id = idOf(label, index);
    this.guess(`"${label}" is the bucket ${id} of the category ${category}`);
    return { id, label, category };
  }
}

const CATEGORY_WORDS: readonly (readonly [RegExp, Category])[] = [
  [/team|contributor|employee|founder|advisor/i, "team"],
  [/invest|seed|private|backer|strategic/i, "investors"],
  [/foundation/i, "foundation"],
  [/treasury|reserve/i, "treasury"],
  [/liquid|market mak/i, "liquidity"],
  [/stak|validator|reward/i, "staking"],
  [/public|\bico\b|\bido\b|launch/i, "public_sale"],
  [/airdrop/i, "airdrop"],
  [/communit|ecosystem|grant/i, "community"],
];

/** A label as the id of a bucket. */
export function idOf(label: string, index: number): string {
  const id = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "");
  return id === "" ? `bucket_${index + 1}` : id;
}

/** The title of a column or row of sums. */
export const TOTAL = /^(grand )?(total|sum|totals|summe|gesamt|totale)s?:?$/i;

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
