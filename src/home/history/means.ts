import { type Correction, withCorrections } from "./corrections.ts";
import { type Days, daysBefore, type RateRow } from "./rows.ts";

/** Windows of the means, in UTC days up to the row's day. A mean is null if fewer than `needed` days have a rate. */
const WINDOWS = { "7d": { days: 7, needed: 6 }, "30d": { days: 30, needed: 25 } } as const;
const RATES = { "": "apy", _base: "apy_base", _reward: "apy_reward" } as const;
const MAX_DAYS = WINDOWS["30d"].days;

/** Mean rates in percent; null: not known. */
export type Means = Readonly<Record<`apy_mean_${keyof typeof WINDOWS}${keyof typeof RATES}`, number | null>>;

/** Means of a product on one day, and its yield a week before. */
export type ProductMeans = Means & { readonly apy_7d_ago: number | null };

/** Extends a range by the earlier days that its means include. */
export function daysOfMeans({ from, to }: Days): Days {
  return { from: daysBefore(from, MAX_DAYS - 1), to };
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

/** Computes the means of one product at the end of a day. `rows`: its rows in the order of days. */
export function meansOn(day: string, rows: readonly RateRow[]): Means {
  const means: Record<string, number | null> = {};
  for (const [window, { days, needed }] of Object.entries(WINDOWS)) {
    const from = daysBefore(day, days - 1);
    const included = rows.filter((row) => row.day >= from && row.day <= day);
    for (const [part, name] of Object.entries(RATES)) means[`apy_mean_${window}${part}`] = mean(included, name, needed);
  }
  // Cast: one member for each window and rate.
  return means as Means;
}

/** Adds to each row the means at the end of its day. */
export function withMeans<Row extends RateRow>(rows: readonly Row[]): (Row & Means)[] {
  return rows.map((row, index) => ({
    ...row,
    ...meansOn(row.day, rows.slice(Math.max(0, index + 1 - MAX_DAYS), index + 1)),
  }));
}

/** Computes the means of every product in the rows, by product id. */
export function productMeans(day: string, rows: readonly RateRow[]): Record<string, ProductMeans> {
  const weekAgo = daysBefore(day, 7);
  const means = [...Map.groupBy(rows, ({ product }) => product)].map(([product, productRows]) => {
    const apy_7d_ago = productRows.find((row) => row.day === weekAgo)?.apy ?? null;
    return [product, { ...meansOn(day, productRows), apy_7d_ago }] as const;
  });
  return Object.fromEntries(means);
}

const UNITS_PER_PERCENT = 100_000;

/** Computes a mean in integers of the published precision: floating-point sums would depend on the order of days. */
function mean(rows: readonly RateRow[], name: "apy" | "apy_base" | "apy_reward", needed: number): number | null {
  const rates = rows.flatMap((row) => row[name] ?? []);
  if (rates.length < needed) return null;
  const units = rates.reduce((total, rate) => total + Math.round(rate * UNITS_PER_PERCENT), 0);
  return Number((units / rates.length / UNITS_PER_PERCENT).toFixed(5));
}
