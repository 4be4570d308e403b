import type { Days } from "./rows.ts";

/** The operator's published correction of one recorded number, from schedule/history-corrections.json. */
export interface Correction {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** A figure of the history, or `apy:` and the id of a yield product. */
  readonly figure: string;
  /** Base units, or the APY in percent; null: the row is not published. */
  readonly to: string | null;
  /** What was recorded, in the same unit; null or missing: not known. */
  readonly recorded?: string | null;
  readonly reason: string;
  /** YYYY-MM-DD. */
  readonly correctedOn: string;
}

/** A row that says whether it is the operator's. */
export type Corrected<Row> = Row & { readonly corrected: boolean };

/** The rows with the corrections of their days: a correction wins over what was recorded. */
export function correctedRows<Row extends { readonly day: string }>(
  rows: readonly Row[],
  corrections: readonly Correction[],
  figureOf: (row: Row) => string,
  replaced: (row: Row, to: string) => Row,
): Corrected<Row>[] {
  return rows.flatMap((row): Corrected<Row>[] => {
    const found = corrections.find(({ day, figure }) => day === row.day && figure === figureOf(row));
    if (found === undefined) return [{ ...row, corrected: false }];
    return found.to === null ? [] : [{ ...replaced(row, found.to), corrected: true }];
  });
}

/** The corrections of these figures and days, as they are published beside the rows. */
export function correctionsView(corrections: readonly Correction[], { from, to }: Days, figures: readonly string[]) {
  return corrections
    .filter(({ day, figure }) => day >= from && day <= to && figures.includes(figure))
    .map(({ day, figure, to: value, recorded = null, reason, correctedOn }) => {
      return { date: day, figure, value, recorded, reason, corrected_on: correctedOn };
    });
}
