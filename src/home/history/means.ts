import { MEAN_RATES, MEAN_WINDOWS, type MeanName } from "../../rates/mean-windows.ts";
import { type Correction, withCorrections } from "./corrections.ts";
import {
  addSums,
  differenceOf,
  NO_SUMS,
  type RateSums,
  type RecordedSums,
  sumsOf,
  UNITS_PER_PERCENT,
} from "./rate-sums.ts";
import { type Days, daysBefore, type RateRow } from "./rows.ts";

/** Days of the longest window. */
export const MAX_MEAN_DAYS = MEAN_WINDOWS["365d"].days;

/** Mean rates in percent; null: not known. */
export type Means = Readonly<Record<MeanName, number | null>>;

/** Means of a product on one day, and its yield a week before. */
export type ProductMeans = Means & { readonly apy_7d_ago: number | null };

/** Recorded values that the means of several products are computed from. */
export interface RecordedRates {
  /** Sums of each product up to the days of {@link daysOfSums}. */
  readonly sums: readonly RecordedSums[];
  /** Rows of a week ago, and of every day that a correction names. */
  readonly rows: readonly RateRow[];
}

/** Extends a range by the earlier days that its means include. */
export function daysOfMeans({ from, to }: Days): Days {
  return { from: daysBefore(from, MAX_MEAN_DAYS - 1), to };
}

/** Lists the days up to which sums are needed for the means of a day: the day itself, and each window's day before. */
export function daysOfSums(day: string): string[] {
  return [day, ...Object.values(MEAN_WINDOWS).map(({ days }) => daysBefore(day, days))];
}

/** Applies corrections to rates. A corrected yield has no base and reward parts. */
export function correctedRates(rows: readonly RateRow[], corrections: readonly Correction[]) {
  return withCorrections(
    rows,
    corrections,
    ({ product }) => `apy:${product}`,
    (row, apy) => ({ ...row, apy: Number(apy), apy_base: null, apy_reward: null }),
  );
}

/** Computes the means at the end of a day. `sumsUpTo`: returns the sums of the product up to a day. */
function meansOn(day: string, sumsUpTo: (day: string) => RateSums): Means {
  const means: Record<string, number | null> = {};
  const all = sumsUpTo(day);
  for (const [window, { days, needed }] of Object.entries(MEAN_WINDOWS)) {
    const included = differenceOf(all, sumsUpTo(daysBefore(day, days)));
    for (const [part, name] of Object.entries(MEAN_RATES))
      means[`apy_mean_${window}${part}`] = mean(included, name, needed);
  }
  // Cast: one member for each window and rate.
  return means as Means;
}

/** Adds to each row the means at the end of its day. `rows`: the rows of one product in the order of days. */
export function withMeans<Row extends RateRow>(rows: readonly Row[]): (Row & Means)[] {
  const days = rows.map(({ day }) => day);
  const sums: RateSums[] = [];
  for (const row of rows) sums.push(addSums(sums.at(-1) ?? NO_SUMS, sumsOf(row)));
  const sumsUpTo = (day: string): RateSums => sums[countUpTo(days, day) - 1] ?? NO_SUMS;
  return rows.map((row) => ({ ...row, ...meansOn(row.day, sumsUpTo) }));
}

/** Counts the days up to `last` in an ordered list, by bisection. */
function countUpTo(days: readonly string[], last: string): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] ?? "") <= last) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Computes the means of every product that has sums, by product id. */
export function productMeans(
  day: string,
  { sums, rows }: RecordedRates,
  corrections: readonly Correction[],
): Record<string, ProductMeans> {
  const corrected = correctedRates(rows, corrections);
  const weekAgo = daysBefore(day, 7);
  const yields = new Map(corrected.filter((row) => row.day === weekAgo).map(({ product, apy }) => [product, apy]));
  const changes = Map.groupBy(changesBy(rows, corrections), ({ product }) => product);
  const means = [...Map.groupBy(sums, ({ product }) => product)].map(([product, recorded]) => {
    const byDay = new Map(recorded.map((each) => [each.day, each]));
    const sumsUpTo = (last: string): RateSums =>
      (changes.get(product) ?? [])
        .filter((change) => change.day <= last)
        .reduce((total: RateSums, change) => addSums(total, change.sums), byDay.get(last) ?? NO_SUMS);
    return [product, { ...meansOn(day, sumsUpTo), apy_7d_ago: yields.get(product) ?? null }] as const;
  });
  return Object.fromEntries(means);
}

/** Computes how corrections change the sums from their days on. */
function changesBy(rows: readonly RateRow[], corrections: readonly Correction[]) {
  return rows.flatMap((row) => {
    const [corrected] = correctedRates([row], corrections);
    if (corrected?.corrected === false) return [];
    const sums = differenceOf(corrected === undefined ? NO_SUMS : sumsOf(corrected), sumsOf(row));
    return [{ product: row.product, day: row.day, sums }];
  });
}

/** Computes a mean in percent, or null if fewer than `needed` days have a rate. */
function mean(sums: RateSums, name: "apy" | "apy_base" | "apy_reward", needed: number): number | null {
  const [units, days] = [sums[`${name}_units`], sums[`${name}_days`]];
  return days < needed ? null : Number((units / days / UNITS_PER_PERCENT).toFixed(5));
}
