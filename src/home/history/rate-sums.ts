import type { MEAN_RATES } from "../../rates/mean-windows.ts";
import type { RateRow } from "./rows.ts";

type Rate = (typeof MEAN_RATES)[keyof typeof MEAN_RATES];

/**
 * Sums of a product's rates in hundred-thousandths of a percent, and the number of days that have the rate. Integers:
 * floating-point sums would depend on the order of days.
 */
export type RateSums = Readonly<Record<`${Rate}_units` | `${Rate}_days`, number>>;

/** Sums of a product from its first recorded day up to a day. */
export interface RecordedSums extends RateSums {
  readonly product: string;
  /** YYYY-MM-DD. */
  readonly day: string;
}

export const NO_SUMS: RateSums = {
  apy_units: 0,
  apy_days: 0,
  apy_base_units: 0,
  apy_base_days: 0,
  apy_reward_units: 0,
  apy_reward_days: 0,
};
// Cast: the keys of NO_SUMS.
const MEMBERS = Object.keys(NO_SUMS) as (keyof RateSums)[];
export const UNITS_PER_PERCENT = 100_000;

/** Makes the sums of one day. */
export function sumsOf(row: Pick<RateRow, Rate>): RateSums {
  const unitsOf = (rate: number | null): number => Math.round((rate ?? 0) * UNITS_PER_PERCENT);
  const daysOf = (rate: number | null): number => (rate === null ? 0 : 1);
  return {
    apy_units: unitsOf(row.apy),
    apy_days: daysOf(row.apy),
    apy_base_units: unitsOf(row.apy_base),
    apy_base_days: daysOf(row.apy_base),
    apy_reward_units: unitsOf(row.apy_reward),
    apy_reward_days: daysOf(row.apy_reward),
  };
}

/** Computes the sums of products up to each of some days. */
export function sumsUpTo(rows: readonly RateRow[], days: readonly string[]): RecordedSums[] {
  return [...Map.groupBy(rows, ({ product }) => product)].flatMap(([product, ofProduct]) =>
    days.map((day) => {
      const included = ofProduct.filter((row) => row.day <= day);
      return { product, day, ...included.reduce((sums: RateSums, row) => addSums(sums, sumsOf(row)), NO_SUMS) };
    }),
  );
}

export function addSums(one: RateSums, other: RateSums): RateSums {
  return combined(one, other, 1);
}

export function differenceOf(one: RateSums, other: RateSums): RateSums {
  return combined(one, other, -1);
}

function combined(one: RateSums, other: RateSums, sign: 1 | -1): RateSums {
  const sums: Record<keyof RateSums, number> = { ...NO_SUMS };
  for (const name of MEMBERS) sums[name] = one[name] + sign * other[name];
  return sums;
}
