import { type Correction, correctedRows } from "./corrections.ts";
import { type Days, daysBefore, type RateRow } from "./rows.ts";

/** A mean counts whole UTC days up to its own, and is null when too many of them have no rate. */
const WINDOWS = { "7d": { days: 7, needed: 6 }, "30d": { days: 30, needed: 25 } } as const;
const RATES = { "": "apy", _base: "apy_base", _reward: "apy_reward" } as const;
const MAX_DAYS = WINDOWS["30d"].days;

/** Percent; null is unknown. */
export type Means = Readonly<Record<`apy_mean_${keyof typeof WINDOWS}${keyof typeof RATES}`, number | null>>;

/** The means of a product on one day, and what its yield was a week before. */
export type ProductMeans = Means & { readonly apy_7d_ago: number | null };

/** The days that the means of these days count. */
export function daysOfMeans({ from, to }: Days): Days {
  return { from: daysBefore(from, MAX_DAYS - 1), to };
}

/** The rates of one or more products with the corrections of their days; a corrected yield has no parts. */
export function correctedRates(rows: readonly RateRow[], corrections: readonly Correction[]) {
  return correctedRows(
    rows,
    corrections,
    ({ product }) => `apy:${product}`,
    (row, apy) => ({ ...row, apy: Number(apy), apy_base: null, apy_reward: null }),
  );
}

/** The means at the end of a day. `rows` are of one product, in the order of their days. */
export function meansOn(day: string, rows: readonly RateRow[]): Means {
  const means: Record<string, number | null> = {};
  for (const [window, { days, needed }] of Object.entries(WINDOWS)) {
    const from = daysBefore(day, days - 1);
    const counted = rows.filter((row) => row.day >= from && row.day <= day);
    for (const [part, name] of Object.entries(RATES)) means[`apy_mean_${window}${part}`] = mean(counted, name, needed);
  }
  // Cast: one member for each window and rate.
  return means as Means;
}

/** Each row with the means at the end of its day. */
export function withMeans<Row extends RateRow>(rows: readonly Row[]): (Row & Means)[] {
  return rows.map((row, index) => ({
    ...row,
    ...meansOn(row.day, rows.slice(Math.max(0, index + 1 - MAX_DAYS), index + 1)),
  }));
}

/** The means of every product of these rows, by its id. */
export function productMeans(day: string, rows: readonly RateRow[]): Record<string, ProductMeans> {
  const weekAgo = daysBefore(day, 7);
  const means = [...Map.groupBy(rows, ({ product }) => product)].map(([product, own]) => {
    const apy_7d_ago = own.find((row) => row.day === weekAgo)?.apy ?? null;
    return [product, { ...meansOn(day, own), apy_7d_ago }] as const;
  });
  return Object.fromEntries(means);
}

const UNITS_PER_PERCENT = 100_000;

/** Counted in hundred-thousandths, the published precision, so that the order of the days does not matter. */
function mean(rows: readonly RateRow[], name: "apy" | "apy_base" | "apy_reward", needed: number): number | null {
  const rates = rows.flatMap((row) => row[name] ?? []);
  if (rates.length < needed) return null;
  const units = rates.reduce((total, rate) => total + Math.round(rate * UNITS_PER_PERCENT), 0);
  return Number((units / rates.length / UNITS_PER_PERCENT).toFixed(5));
}
