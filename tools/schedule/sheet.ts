import { tokenText } from "../../src/chain/amount.ts";
import { monthEndMs } from "../../src/supply/calendar.ts";
import type { Category } from "../../src/supply/schedule.ts";
import { Refusal } from "../command-line.ts";
import { type CsvRow, readCsv, separatorOf } from "../csv.ts";
import { parseAmount } from "./amount.ts";
import { monthAfter } from "./calendar.ts";

/** What a sheet says, as members of a schedule file, with every guess in words. */
export type Sheet = { readonly guesses: readonly string[] } & (
  | { readonly kind: "table"; readonly months: readonly { readonly month: string; readonly circulating: string }[] }
  /** `firstMonth`: of the first row; undefined: the sheet has no dates. */
  | { readonly kind: "buckets"; readonly firstMonth: string | undefined; readonly buckets: readonly SheetBucket[] }
);

export interface SheetBucket {
  readonly id: string;
  readonly label: string;
  readonly category: Category;
  readonly allocation: string;
  readonly genesis: string;
  readonly phases: readonly object[];
}

export interface SheetOptions {
  readonly decimals: number;
  /** Base units. */
  readonly maxSupply: bigint;
  /** What the figures of bucket columns are; undefined: what their sums say. */
  readonly amounts: "cumulative" | "monthly" | undefined;
}

export const SHEET_HELP = `the forms that --csv reads; - is the standard input, for cells pasted from a sheet
    months with one figure     Month,Circulating        a column per bucket   Month,Team,Community
                               2026-01,150000000                             2026-01,0,50000000
                               2026-02,160000000                             2026-02,0,50000000
    a row per bucket           Bucket,Allocation,TGE,Cliff,Months            (tokens or percent; months after the cliff)
                               Team,"200,000,000",0,12,36
                               Community,30%,10%,0,48`;

const MONTH_HEADER = /^(month|date|period|time|step)s?$/i;
const TOTAL_HEADER = /^(circulating( supply)?|total|sum|supply|unlocked|cumulative)$/i;
const COLUMNS = {
  allocation: /^(allocation|amount|tokens|total|share|supply)\b/i,
  tge: /^(tge|genesis|initial|at start|at tge|unlocked at)\b/i,
  cliff: /^(cliff|lock|lockup|locked for)\b/i,
  months: /^(months|vesting|duration|linear|vested over|installments)\b/i,
} as const;

/** Reads any of the three forms; errors name the line. */
export function readSheet(name: string, text: string, options: SheetOptions): Sheet {
  const [first, ...others] = readCsv(text);
  if (first === undefined) throw new Refusal([`${name}: has no rows`]);
  const reader = new SheetReader(name, options, separatorOf(text) === ";");
  const [corner = ""] = first.cells;
  if (monthOf(corner) !== undefined) return reader.months(["Month", "Circulating"], [first, ...others]);
  if (MONTH_HEADER.test(corner)) return reader.months(first.cells, others);
  if (COLUMNS.allocation.test(first.cells[1] ?? "")) return reader.rowPerBucket(first, others);
  throw new Refusal([
    `${name}: line ${first.line}: "${corner}" is neither a month, nor a header Month, nor the header of buckets with an Allocation`,
    SHEET_HELP,
  ]);
}

class SheetReader {
  readonly #name: string;
  readonly #options: SheetOptions;
  /** Such sheets come from where a point separates thousands. */
  readonly #hasSemicolons: boolean;
  readonly #guesses: string[] = [];

  constructor(name: string, options: SheetOptions, hasSemicolons: boolean) {
    this.#name = name;
    this.#options = options;
    this.#hasSemicolons = hasSemicolons;
  }

  months(header: readonly string[], rows: readonly CsvRow[]): Sheet {
    if (rows.length === 0) throw new Refusal([`${this.#name}: has a header and no rows`]);
    const months = rows.map((row) => this.#month(row));
    months.forEach((month, index) => {
      const before = months[index - 1];
      if (before !== undefined && month !== monthAfter(before))
        this.#refuse(rows[index], `${month} follows ${before}; the months must be consecutive`);
    });
    const columns = header.slice(1).flatMap((title, index) => (title === "" ? [] : [{ title, at: index + 1 }]));
    const totals = columns.filter(({ title }) => TOTAL_HEADER.test(title));
    const buckets = columns.filter(({ title }) => !TOTAL_HEADER.test(title));
    const [only] = totals[0] === undefined ? buckets : totals;
    // As `print` writes it, a column of base units follows.
    const isTable = buckets.length === 0 || header.includes("circulating_base_units") || columns.length === 1;
    if (only !== undefined && isTable) {
      this.#guesses.push(`"${only.title}" is the circulating supply from each month on`);
      const figures = rows.map((row) => this.#text(this.#amount(row, only.at)));
      const table = months.map((month, index) => ({ month, circulating: figures[index] ?? "0" }));
      return { kind: "table", months: table, guesses: this.#guesses };
    }
    const figures = buckets.map(({ at }) => rows.map((row) => this.#amount(row, at)));
    for (const { title, at } of totals) this.#checkTotal(title, rows, at, figures);
    const isCumulative = this.#isCumulative(figures);
    const read = buckets.map(({ title }, index) =>
      this.#bucketOfMonths(title, index, figures[index] ?? [], isCumulative, rows),
    );
    return { kind: "buckets", firstMonth: months[0], buckets: read, guesses: this.#guesses };
  }

  /** Whether the figures are running totals, by which of both sums can be the maximum. */
  #isCumulative(figures: readonly (readonly bigint[])[]): boolean {
    const { amounts, maxSupply } = this.#options;
    const last = sum(figures.map((column) => column.at(-1) ?? 0n));
    const all = sum(figures.map(sum));
    const never = figures.every((column) => column.every((value, index) => value >= (column[index - 1] ?? 0n)));
    const found = amounts ?? (last === maxSupply && never ? "cumulative" : all === maxSupply ? "monthly" : undefined);
    if (found === undefined)
      throw new Refusal([
        `${this.#name}: the last month adds up to ${this.#text(last)} and all months to ${this.#text(all)}; neither is the maximum ${this.#text(maxSupply)}`,
        "say which the figures are with --amounts cumulative (in circulation) or --amounts monthly (unlocked in the month)",
      ]);
    const words = found === "cumulative" ? "in circulation from each month on" : "unlocked in each month";
    if (amounts === undefined)
      this.#guesses.push(`the figures are tokens ${words}, because they add up to the maximum`);
    return found === "cumulative";
  }

  #checkTotal(title: string, rows: readonly CsvRow[], at: number, figures: readonly (readonly bigint[])[]): void {
    rows.forEach((row, index) => {
      const expected = sum(figures.map((column) => column[index] ?? 0n));
      const value = this.#amount(row, at);
      if (value !== expected)
        this.#refuse(row, `"${title}" is ${this.#text(value)}, the buckets add up to ${this.#text(expected)}`);
    });
    this.#guesses.push(`"${title}" is the sum of the other columns and left out`);
  }

  #bucketOfMonths(
    title: string,
    index: number,
    figures: readonly bigint[],
    isCumulative: boolean,
    rows: readonly CsvRow[],
  ): SheetBucket {
    const unlocks = figures.map((value, month) =>
      isCumulative && month > 0 ? value - (figures[month - 1] ?? 0n) : value,
    );
    const falls = unlocks.findIndex((value) => value < 0n);
    if (falls !== -1)
      this.#refuse(
        rows[falls],
        `${title} falls from ${this.#text(figures[falls - 1] ?? 0n)} to ${this.#text(figures[falls] ?? 0n)}`,
      );
    const phases: object[] = [];
    for (let month = 1; month < unlocks.length; ) {
      const each = unlocks[month] ?? 0n;
      let end = month + 1;
      while (end < unlocks.length && unlocks[end] === each) end += 1;
      const [amount, count] = [this.#text(each * BigInt(end - month)), end - month];
      if (each > 0n)
        phases.push(
          count === 1
            ? { kind: "cliff", amount, month }
            : { kind: "installments", amount, first_month: month, count, every_months: 1 },
        );
      month = end;
    }
    return {
      ...this.#named(title, index),
      allocation: this.#text(sum(unlocks)),
      genesis: this.#text(unlocks[0] ?? 0n),
      phases,
    };
  }

  rowPerBucket({ cells: header, line }: CsvRow, rows: readonly CsvRow[]): Sheet {
    const at = (name: keyof typeof COLUMNS): number =>
      header.findIndex((title, index) => index > 0 && COLUMNS[name].test(title));
    const columns = { allocation: at("allocation"), tge: at("tge"), cliff: at("cliff"), months: at("months") };
    const missing = Object.entries(columns).filter(([, index]) => index === -1);
    if (missing.length > 0)
      throw new Refusal([
        `${this.#name}: line ${line}: the column ${missing.map(([name]) => name).join(", ")} is missing; the header is ${header.join(", ")}`,
        SHEET_HELP,
      ]);
    const kept = rows.filter(({ cells: [title = ""] }) => !/^(total|sum)$/i.test(title));
    if (kept.length < rows.length) this.#guesses.push("the row of the total is left out");
    const buckets = kept.map((row, index) => this.#bucketOfRow(row, index, columns, header));
    return { kind: "buckets", firstMonth: undefined, buckets, guesses: this.#guesses };
  }

  #bucketOfRow(
    row: CsvRow,
    index: number,
    columns: Readonly<Record<keyof typeof COLUMNS, number>>,
    header: readonly string[],
  ): SheetBucket {
    const percent = (column: number): boolean => /%|percent|share/i.test(header[column] ?? "");
    const allocation = this.#part(row, columns.allocation, this.#options.maxSupply, percent(columns.allocation));
    const genesis = this.#part(row, columns.tge, allocation, percent(columns.tge));
    const title = row.cells[0] ?? "";
    const rest = allocation - genesis;
    if (rest < 0n)
      this.#refuse(
        row,
        `${title} has more at the start, ${this.#text(genesis)}, than its allocation, ${this.#text(allocation)}`,
      );
    const named = this.#named(title, index);
    const given = { ...named, allocation: this.#text(allocation), genesis: this.#text(genesis) };
    const amount = this.#text(rest);
    if (rest === 0n) return { ...given, phases: [] };
    const months = row.cells[columns.months] ?? "";
    if (/^(never|-|locked)$/i.test(months)) return { ...given, phases: [{ kind: "never", amount }] };
    const [cliff, count] = [this.#whole(row, columns.cliff, "cliff"), this.#whole(row, columns.months, "months")];
    if (count === 0 && cliff === 0)
      this.#refuse(
        row,
        `${amount} of ${title} are neither unlocked at the start nor in any month; write never if they are not to unlock`,
      );
    if (count === 0) {
      this.#guesses.push(`${title}: ${amount} at once, ${cliff} months after the start`);
      return { ...given, phases: [{ kind: "cliff", amount, month: cliff }] };
    }
    this.#guesses.push(
      `${title}: ${amount} in ${count} monthly installments, the first ${cliff + 1} months after the start`,
    );
    return { ...given, phases: [{ kind: "installments", amount, first_month: cliff + 1, count, every_months: 1 }] };
  }

  #named(label: string, index: number): Pick<SheetBucket, "id" | "label" | "category"> {
    const category = CATEGORY_WORDS.find(([words]) => words.test(label))?.[1] ?? "other";
    const id = idOf(label, index);
    this.#guesses.push(`"${label}" is the bucket ${id} of the category ${category}`);
    return { id, label, category };
  }

  /** Tokens, or a percentage of `whole`. */
  #part(row: CsvRow, column: number, whole: bigint, isPercent: boolean): bigint {
    const cell = row.cells[column] ?? "";
    if (!isPercent && !cell.endsWith("%")) return this.#amount(row, column);
    const digits = 10;
    const share = parseAmount(cell.replace(/\s*%$/, ""), digits);
    const scale = 100n * 10n ** BigInt(digits);
    if (share === undefined) return this.#refuse(row, `"${cell}" is not a percentage such as 12.5%`);
    if ((whole * share) % scale !== 0n)
      this.#refuse(row, `${cell} of ${this.#text(whole)} is no whole number of base units; write tokens`);
    return (whole * share) / scale;
  }

  #amount(row: CsvRow, column: number): bigint {
    const cell = row.cells[column] ?? "";
    if (this.#hasSemicolons && /^[1-9]\d{0,2}\.\d{3}$/.test(cell))
      this.#refuse(
        row,
        `"${cell}" is ${cell.replace(".", "")} or a fraction: write it without the point, or separate cells by commas`,
      );
    const plain = /^\d{1,3}([,'_\u00A0\u202F ]\d{3})+(\.\d+)?$/.test(cell)
      ? cell.replace(/[,'_\u00A0\u202F ]/g, "")
      : cell;
    const units = parseAmount(plain, this.#options.decimals);
    if (units !== undefined) return units;
    return this.#refuse(
      row,
      `"${cell}" is not an amount: digits such as 1250.5 or "1,250.5", with at most ${this.#options.decimals} after the point`,
    );
  }

  #whole(row: CsvRow, column: number, what: string): number {
    const cell = row.cells[column] ?? "";
    const [, digits] = /^(\d{1,4})( ?(m|mo|months?))?$/i.exec(cell) ?? [];
    return digits === undefined ? this.#refuse(row, `"${cell}" is not a number of ${what}`) : Number(digits);
  }

  #month(row: CsvRow): string {
    const [cell = ""] = row.cells;
    return monthOf(cell) ?? this.#refuse(row, `"${cell}" is not a month such as 2026-01 or Jan 2026`);
  }

  #text(units: bigint): string {
    return tokenText(units, this.#options.decimals);
  }

  #refuse(row: CsvRow | undefined, message: string): never {
    throw new Refusal([`${this.#name}: line ${row?.line ?? 1}: ${message}`]);
  }
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `2026-01`, `2026-01-31`, `2026/1`, `01/2026`, `Jan 2026`, `January-2026` as `2026-01`. */
function monthOf(cell: string): string | undefined {
  const [, name = "", ofName] = /^([a-z]{3,9})[ .-]+(\d{4})$/i.exec(cell) ?? [];
  const [, reversed, ofReversed] = /^(\d{1,2})\/(\d{4})$/.exec(cell) ?? [];
  const [, ofYear, number] = /^(\d{4})[-/](\d{1,2})(?:[-/]\d{1,2})?$/.exec(cell) ?? [];
  const named = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  const month = `${ofYear ?? ofReversed ?? ofName}-${(number ?? reversed ?? String(named)).padStart(2, "0")}`;
  return monthEndMs(month) === undefined ? undefined : month;
}

const CATEGORY_WORDS: readonly (readonly [RegExp, Category])[] = [
  [/team|contributor|employee|founder|advisor/i, "team"],
  [/invest|seed|private|backer|strategic/i, "investors"],
  [/foundation/i, "foundation"],
  [/treasury|reserve/i, "treasury"],
  [/liquid|market mak/i, "liquidity"],
  [/stak|validator|reward/i, "staking"],
  [/public|ico|launch/i, "public_sale"],
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

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
