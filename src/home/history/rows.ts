import { DAY_MS, dayText } from "../../base/utc.ts";
import type { RecordedFigure } from "../../figures.ts";

/** One figure of one UTC day. */
export interface FigureRow {
  readonly figure: RecordedFigure;
  /** The counted asset, a type tag or address. Each asset is its own series. */
  readonly asset: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly baseUnits: string;
  readonly decimals: number;
  /** Decimal; null when the node reported none. */
  readonly ledgerVersion: string | null;
  readonly observedAtMs: number;
  readonly source: "observed" | "backfill";
  /** How many nodes said so; null: unknown. */
  readonly witnesses: number | null;
  /** Of a token on several chains: the version of each, `native=12 base=7`; absent or null: it was on one. */
  readonly versions?: string | null;
}

/** The versions of a row, by their chains; null: the token was on one chain. */
export function versionsOf({ versions = null }: Pick<FigureRow, "versions">): Record<string, string> | null {
  return versions && Object.fromEntries(versions.split(" ").map((each) => each.split("=")));
}

/** The rates of one yield product on one UTC day. Percent; null is unknown. */
export interface RateRow {
  readonly product: string;
  readonly day: string;
  readonly apy: number | null;
  readonly apy_base: number | null;
  readonly apy_reward: number | null;
  /** Decimal, in the product's asset. */
  readonly tvl: string | null;
  readonly tvl_usd: number | null;
  readonly observedAtMs: number;
  readonly source: string;
}

/** One change of the service's health. */
export interface HealthChange {
  readonly atMs: number;
  readonly status: string;
  readonly reason: string;
}

/** First and last day, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The day `count` days before another. */
export function daysBefore(day: string, count: number): string {
  return dayText(Date.parse(day) - count * DAY_MS);
}

/** Whole seconds until the next 00:00 UTC, at least 1. */
export function secondsToMidnight(nowMs: number): number {
  return Math.max(1, Math.floor((DAY_MS - (nowMs % DAY_MS)) / 1000));
}

/** The rates of a listing as rows of the day on which they were read. */
export function rateRows(
  products: readonly (Omit<RateRow, "product" | "day" | "observedAtMs"> & { readonly id: string })[],
  observedAtMs: number,
): RateRow[] {
  const day = dayText(observedAtMs);
  return products.map(({ id, apy, apy_base, apy_reward, tvl, tvl_usd, source }) => {
    const rates = { apy, apy_base, apy_reward, tvl, tvl_usd };
    return { product: id, day, ...rates, observedAtMs, source };
  });
}
