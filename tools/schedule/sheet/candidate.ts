import { type DecimalMark, readNumber } from "../cells/number.ts";
import type { ColumnMeaning, MappedColumn, RowKind } from "./mapping.ts";
import type { Column } from "./table.ts";
import { amountUnitOf, type CellKind } from "./vocabulary.ts";

/** What the command line states of a sheet; the mapping keeps it. */
export interface SheetFacts {
  readonly decimals: number;
  /** The token's ticker, which a title may name as the unit. */
  readonly symbol: string;
  /** Base units. */
  readonly maxSupply: bigint;
  readonly amounts: "cumulative" | "monthly" | undefined;
  readonly gaps: "keep" | undefined;
  readonly rest: string | undefined;
  readonly start: string | undefined;
  readonly stepDay: number | undefined;
}

/** A column with what its cells and its title say. */
export interface Candidate extends Column {
  readonly kind: CellKind;
  readonly words: readonly string[];
  readonly is: ColumnMeaning | undefined;
  /** Whether its title is a name alone, so that in a table of periods it is a bucket. */
  readonly isNamed: boolean;
  /** What a person has said of it. */
  readonly given: MappedColumn | undefined;
}

/** Whether a person has said its meaning. */
export const isDecided = ({ given }: Candidate): boolean => (given?.is ?? null) !== null;

/** What the stated maximum decides. */
export interface Fit {
  /** Whether the amounts come to the maximum in exactly one way. */
  readonly isExact: boolean;
  readonly amounts: "cumulative" | "monthly" | undefined;
  /** The unit of each column of amounts, by its letter, where the maximum decides it. */
  readonly units: ReadonlyMap<string, string>;
  /** Columns without which the others come to the maximum: they may be no part of it. */
  readonly doubtful: readonly string[];
  /** Base units of all amounts; undefined where a unit is open. */
  readonly total: bigint | undefined;
  readonly isOneFigure: boolean;
}

/** What a proposal is made from. */
export interface Context {
  readonly candidates: readonly Candidate[];
  readonly rowKind: RowKind | null;
  readonly mark: DecimalMark;
  readonly facts: SheetFacts;
  readonly fit: Fit;
}

/** Whether a person or a letter in a cell, as in 2.5k, says that a column is in tokens. */
export const isUnitStatedByCells = ({ given, cells }: Candidate): boolean =>
  (given?.unit ?? null) !== null || cells.some((cell) => /\d ?[a-z]{1,2}$/i.test(cell));

/** The unit that a person, the cells or the title state. */
export function statedUnit(candidate: Candidate, mark: DecimalMark): string | undefined {
  const { kind, words, cells, given } = candidate;
  if (given?.unit !== undefined && given.unit !== null) return given.unit;
  if (kind === "percent") return "percent";
  const byTitle = amountUnitOf(words);
  const numbers = cells.flatMap((cell) => readNumber(cell, mark) ?? []);
  if (numbers.every(({ digits }) => digits === 0n)) return byTitle ?? "tokens";
  if (byTitle === "percent") {
    // 0.1 under a sign of percent may be a tenth.
    const isFraction = numbers.every(({ digits, fraction }) => Number(digits) <= 10 ** fraction);
    return isFraction ? undefined : "percent";
  }
  return byTitle ?? (isUnitStatedByCells(candidate) ? "tokens" : undefined);
}
