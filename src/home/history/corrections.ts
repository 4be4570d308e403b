import type { Days } from "./rows.ts";

/** Published correction of one recorded number by the operator, from schedule/history-corrections.json. */
export interface Correction {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** A figure of the history, or `apy:` and the id of a yield product. */
  readonly figure: string;
  /** Corrected value in base units, or the APY in percent; null: the row is withdrawn. */
  readonly to: string | null;
  /** Recorded value in the same unit; null or missing: not known. */
  readonly recorded?: string | null;
  readonly reason: string;
  /** YYYY-MM-DD. */
  readonly correctedOn: string;
}

/** A row with a mark: whether its value is a correction. */
export type Corrected<Row> = Row & { readonly corrected: boolean };

/** Applies corrections to rows: a corrected value replaces the recorded one, a withdrawn row is removed. */
export function withCorrections<Row extends { readonly day: string }>(
  rows: readonly Row[],
  corrections: readonly Correction[],
  figureOf: (row: Row) => string,
  replaced: (row: Row, to: string) => Row,
): Corrected<Row>[] {
  return rows.flatMap((row): Corrected<Row>[] => {
    const correction = corrections.find(({ day, figure }) => day === row.day && figure === figureOf(row));
    if (correction === undefined) return [{ ...row, corrected: false }];
    return correction.to === null ? [] : [{ ...replaced(row, correction.to), corrected: true }];
  });
}

/** Writes the corrections of these figures and days as responses publish them. */
export function correctionsView(corrections: readonly Correction[], { from, to }: Days, figures: readonly string[]) {
  return corrections
    .filter(({ day, figure }) => day >= from && day <= to && figures.includes(figure))
    .map(({ day, figure, to: value, recorded = null, reason, correctedOn }) => {
      return { date: day, figure, value, recorded, reason, corrected_on: correctedOn };
    });
}
