import type { Correction } from "./corrections.ts";
import type { ProductMeans } from "./means.ts";
import type { Days, FigureRow, HealthChange, RateRow } from "./rows.ts";

/** The stored history. Calls never reject; null: the store did not respond. */
export interface HistoryStore {
  /** Inserts the rows that do not exist yet; false: the day is not accepted. */
  readonly record: (day: string, figures: readonly FigureRow[], rates: readonly RateRow[]) => Promise<boolean | null>;
  readonly figures: (days: Days) => Promise<FigureRow[] | null>;
  readonly rates: (product: string, days: Days) => Promise<RateRow[] | null>;
  /** The means of those of these products that have a row in the last 30 days, by their ids. */
  readonly productMeans: (
    day: string,
    products: readonly string[],
    corrections: readonly Correction[],
  ) => Promise<Record<string, ProductMeans> | null>;
  readonly recordHealth: (change: HealthChange) => Promise<unknown>;
  /** Newest first. */
  readonly healthChanges: (count: number) => Promise<HealthChange[] | null>;
}
