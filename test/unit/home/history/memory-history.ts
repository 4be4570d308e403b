import { addSums, NO_SUMS, type RateSums, type RecordedSums, sumsOf } from "../../../../src/home/history/rate-sums.ts";
import type { Days, HealthChange, RateRow, RecordedFigureRow } from "../../../../src/home/history/rows.ts";
import type { RecordedPrice } from "../../../../src/rates/price-growth.ts";

export interface Recorded {
  readonly figures: RecordedFigureRow[];
  readonly rates: RateRow[];
  readonly prices?: RecordedPrice[];
  readonly changes: HealthChange[];
}

/** A history in memory that, like the object, keeps the first row of a day and series. */
export function memoryHistory({ figures, rates, prices = [], changes }: Recorded) {
  const within = ({ day }: { readonly day: string }, { from, to }: Days) => day >= from && day <= to;
  return {
    record: (
      _day: string,
      newFigures: readonly RecordedFigureRow[],
      newRates: readonly RateRow[],
      newPrices: readonly RecordedPrice[] = [],
    ): boolean => {
      for (const row of newPrices)
        if (!prices.some((known) => known.day === row.day && known.series === row.series)) prices.push(row);
      for (const row of newFigures)
        if (
          !figures.some((known) => known.day === row.day && known.figure === row.figure && known.series === row.series)
        )
          figures.push(row);
      for (const row of newRates)
        if (!rates.some((known) => known.day === row.day && known.product === row.product)) rates.push(row);
      return true;
    },
    pricesOf: (series: readonly string[], days: Days) =>
      prices.filter((row) => series.includes(row.series) && within(row, days)),
    figures: async (days: Days) => figures.filter((row) => within(row, days)),
    rates: async (product: string, days: Days) => rates.filter((row) => row.product === product && within(row, days)),
    ratesOf: (products: readonly string[], days: Days) =>
      rates.filter((row) => products.includes(row.product) && within(row, days)),
    sumsOf: (products: readonly string[], days: readonly string[]): RecordedSums[] =>
      products.flatMap((product) =>
        days.flatMap((day): RecordedSums[] => {
          const included = rates.filter((row) => row.product === product && row.day <= day);
          const sums = included.reduce((total: RateSums, row) => addSums(total, sumsOf(row)), NO_SUMS);
          return included.length === 0 ? [] : [{ product, day, ...sums }];
        }),
      ),
    recordHealth: async (change: HealthChange) => {
      if (!changes.some(({ atMs }) => atMs === change.atMs)) changes.push(change);
    },
    healthChanges: async (count: number) => changes.toReversed().slice(0, count),
  };
}
