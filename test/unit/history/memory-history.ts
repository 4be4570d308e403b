import { correctedRates, daysOfMeans, productMeans } from "../../../src/history/means.ts";
import type { FigureRow, HealthChange, RateRow } from "../../../src/history/rows.ts";
import type { HistoryStore } from "../../../src/history/stored-history.ts";

export interface Recorded {
  readonly figures: FigureRow[];
  readonly rates: RateRow[];
  readonly changes: HealthChange[];
}

/** A history in memory that, like the object, keeps the first row of a day and series. */
export function memoryHistory(recorded: Recorded): HistoryStore {
  const { figures, rates, changes } = recorded;
  const within = ({ day }: { readonly day: string }, from: string, to: string) => day >= from && day <= to;
  return {
    record: async (_day, newFigures, newRates) => {
      for (const row of newFigures)
        if (!figures.some((known) => known.day === row.day && known.figure === row.figure && known.asset === row.asset))
          figures.push(row);
      for (const row of newRates)
        if (!rates.some((known) => known.day === row.day && known.product === row.product)) rates.push(row);
      return true;
    },
    figures: async ({ from, to }) => figures.filter((row) => within(row, from, to)),
    rates: async (product, { from, to }) => rates.filter((row) => row.product === product && within(row, from, to)),
    productMeans: async (day, products, corrections) => {
      const { from, to } = daysOfMeans({ from: day, to: day });
      const ofDays = rates.filter((row) => products.includes(row.product) && within(row, from, to));
      return productMeans(day, correctedRates(ofDays, corrections));
    },
    recordHealth: async (change) => {
      if (!changes.some(({ atMs }) => atMs === change.atMs)) changes.push(change);
      return undefined;
    },
    healthChanges: async (count) => changes.toReversed().slice(0, count),
  };
}
