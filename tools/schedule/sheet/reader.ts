import { tokenText } from "../../../src/chain/amount.ts";
import { CATEGORIES, type Category } from "../../../src/supply/schedule.ts";
import { Refusal } from "../../command-line.ts";
import { readAmount, readPercentage, type Said, type SheetAmount, type Writing } from "./cell.ts";
import type { DecimalMark } from "./number.ts";
import type { DateOrder } from "./period.ts";

/** What a command line says about a sheet; what is undefined the sheet says itself. */
export interface SheetOptions {
  readonly decimals: number;
  /** The token's ticker, which a title may name as the unit. */
  readonly symbol: string;
  /** Base units. */
  readonly maxSupply?: bigint | undefined;
  /** What the figures are: running totals, or what each period unlocks. */
  readonly amounts?: "cumulative" | "monthly" | undefined;
  readonly decimalMark?: DecimalMark | undefined;
  readonly dates?: DateOrder | undefined;
  /** What the last day of a month stands for. */
  readonly monthEnd?: "next" | "same" | undefined;
  /** Whether the vesting begins after the cliff or with it. */
  readonly cliff?: "after" | "inside" | undefined;
  readonly start?: string | undefined;
  readonly stepDay?: number | undefined;
  /** A month without a row keeps the figure before. */
  readonly keepsGaps?: boolean;
  /** Roles of columns by their titles. */
  readonly columns?: ReadonlyMap<string, string>;
  /** Whether a bucket is named for what the others leave of the maximum. */
  readonly hasRest?: boolean;
}

/** A column of a sheet; `cells` and `lines` are those of its rows, in order. */
export interface Column {
  readonly title: string;
  readonly cells: readonly string[];
}

const MOST_REASONS = 20;

/** Reads cells of one sheet: every reason to refuse it is kept and told at once, every assumption is kept in words. */
export class SheetReader {
  readonly options: SheetOptions;
  readonly mark: DecimalMark;
  readonly assumed: string[] = [];
  readonly #name: string;
  readonly #reasons: string[] = [];
  /** Said once, below the reasons: what to do. */
  readonly #advice = new Set<string>();

  constructor(name: string, options: SheetOptions, mark: DecimalMark) {
    this.#name = name;
    this.options = options;
    this.mark = mark;
  }

  assume(text: string): void {
    this.assumed.push(text);
  }

  /** Keeps a reason to refuse; `line` 0 is the whole sheet. */
  object(line: number, column: string | undefined, what: string, advice?: string): void {
    const place = [...(line === 0 ? [] : [`line ${line}`]), ...(column === undefined ? [] : [`column "${column}"`])];
    this.#reasons.push(`${this.#name}: ${place.length === 0 ? "" : `${place.join(", ")}: `}${what}`);
    if (advice !== undefined) this.#advice.add(advice);
  }

  /** Refuses the sheet if anything was objected to. */
  settle(): void {
    if (this.#reasons.length === 0) return;
    const [told, more] = [this.#reasons.slice(0, MOST_REASONS), this.#reasons.length - MOST_REASONS];
    throw new Refusal([...told, ...(more > 0 ? [`and ${more} more`] : []), ...this.#advice]);
  }

  refuse(line: number, what: string, advice?: string): never {
    this.object(line, undefined, what, advice);
    this.settle();
    throw new Error("unreachable");
  }

  /** What a cell says; what it does not say is a reason, and `otherwise` stands in for it until all are told. */
  read<Value>(line: number, { title }: Column, cell: string, said: Said<Value>, otherwise: Value): Value {
    if ("value" in said) return said.value;
    this.object(line, title, `"${cell}" ${said.reason}`);
    return otherwise;
  }

  writing({ title }: Pick<Column, "title">): Writing {
    const isBaseUnits = /base.?units?|(^|[^a-z])wei($|[^a-z])/i.test(title);
    return { mark: this.mark, decimals: this.options.decimals, isBaseUnits };
  }

  amount(line: number, column: Column, cell: string): SheetAmount {
    const none = { units: 0n, roundedTo: 1n };
    return this.read(line, column, cell, readAmount(cell, this.writing(column)), none);
  }

  /** A percentage of `whole`, which must be a whole number of base units. */
  share(line: number, column: Column, cell: string, whole: bigint): bigint {
    const none = { numerator: 0n, half: 0n, scale: 1n };
    const { numerator, scale } = this.read(line, column, cell, readPercentage(cell, this.mark), none);
    if ((whole * numerator) % scale !== 0n)
      this.object(
        line,
        column.title,
        `"${cell}" of ${this.text(whole)} is no whole number of base units; write tokens`,
      );
    return (whole * numerator) / scale;
  }

  text(units: bigint): string {
    return tokenText(units, this.options.decimals);
  }
}

/** The category that a label names with its whole text; any other is `other`, for the operator to set. */
export function categoryOf(label: string): Category {
  const name = label.trim().toLowerCase().replace(/[ -]+/g, "_");
  return CATEGORIES.find((category) => category === name) ?? "other";
}

/** A label as the id of a bucket. */
export function idOf(label: string, index: number): string {
  const id = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "");
  return id === "" ? `bucket_${index + 1}` : id;
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** Whether a title or label has a word for a sum: it is then never counted as a part. */
export function saysTotal(title: string): boolean {
  return /(^|[^\p{L}])(sub-?totals?|totals?|sum|summe|gesamt|totale|somme|suma|soma)($|[^\p{L}])/iu.test(title);
}
