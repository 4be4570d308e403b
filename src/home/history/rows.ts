import { DAY_MS, dayText } from "../../base/utc.ts";
import type { RecordedFigure } from "../../figures.ts";

/** Recorded value of one figure on one UTC day. */
export interface RecordedFigureRow {
  readonly figure: RecordedFigure;
  /** Series of the figure, see {@link figureSeries}. */
  readonly series: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly baseUnits: string;
  readonly decimals: number;
  /** Decimal; null when the node reported none. */
  readonly ledgerVersion: string | null;
  readonly observedAtMs: number;
  readonly source: "observed" | "backfill";
  /** Number of nodes that reported the figure; null: not known. */
  readonly witnesses: number | null;
  /** Version of each chain, as in `native=12 base=7`; absent or null: the token was on one chain. */
  readonly versions?: string | null;
}

/**
 * Names a series of figures by chain id and counted asset: a token may have the same address on another network. null:
 * the id is learned from the nodes.
 */
export function figureSeries(chainId: number | null, asset: string): string {
  return `${chainId} ${asset}`;
}

/** Parses the versions of a row, by chain; null: the token was on one chain. */
export function versionsOf({ versions = null }: Pick<RecordedFigureRow, "versions">): Record<string, string> | null {
  return versions && Object.fromEntries(versions.split(" ").map((each) => each.split("=")));
}

/** Recorded rates of one yield product on one UTC day, in percent; null: not known. */
export interface RateRow {
  readonly product: string;
  readonly day: string;
  readonly apy: number | null;
  readonly apy_base: number | null;
  readonly apy_reward: number | null;
  /** Total value locked in the product's asset, as a decimal. */
  readonly tvl: string | null;
  readonly tvl_usd: number | null;
  readonly observedAtMs: number;
  readonly source: string;
  /** Price that the rates follow from; absent: the product has no share price. */
  readonly share_price?: SharePriceOfDay;
}

/** Price of a share on a day, as responses publish it. */
interface SharePriceOfDay {
  readonly value: string;
  readonly ledger_version: string;
  readonly at: string;
  readonly witnesses: number;
  /** Yearly yield by the growth over 30 recorded days, in percent; null: not known. */
  readonly apy_30d: number | null;
}

/** One change of the service's health. */
export interface HealthChange {
  readonly atMs: number;
  readonly status: string;
  readonly reason: string;
}

/** Range of days; the first and the last are included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Returns the day `count` days before another day. */
export function daysBefore(day: string, count: number): string {
  return dayText(Date.parse(day) - count * DAY_MS);
}

/** Returns the whole seconds until the next 00:00 UTC, at least 1. */
export function secondsToMidnight(nowMs: number): number {
  return Math.max(1, Math.floor((DAY_MS - (nowMs % DAY_MS)) / 1000));
}

/** Turns the rates of a listing into rows of the day on which they were read. */
export function rateRows(
  products: readonly (Omit<RateRow, "product" | "day" | "observedAtMs" | "share_price"> & { readonly id: string })[],
  observedAtMs: number,
): RateRow[] {
  const day = dayText(observedAtMs);
  return products.map(({ id, apy, apy_base, apy_reward, tvl, tvl_usd, source }) => {
    const rates = { apy, apy_base, apy_reward, tvl, tvl_usd };
    return { product: id, day, ...rates, observedAtMs, source };
  });
}
