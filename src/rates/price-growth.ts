import { DAY_MS, dayText } from "../base/utc.ts";
import type { AcceptedPrice } from "../chain/share-price.ts";
import { MAX_PERCENT, YEAR_SECONDS } from "../chain/staking.ts";
import { type Percent, rounded } from "./percent.ts";

/** Price of a share that is recorded for a UTC day of the chain's clock: the first one that was read on that day. */
export interface RecordedPrice {
  /** Series of the price, see `seriesOf`. */
  readonly series: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  /** Value of the view, in decimal digits. */
  readonly value: string;
  readonly ledgerVersion: string;
  /** Time of the block by the chain's clock, in milliseconds since 1970. */
  readonly atMs: number;
  readonly observedAtMs: number;
  readonly source: "observed" | "backfill";
  /** Number of nodes that reported the price. */
  readonly witnesses: number;
}

/** Makes the row of a price on the day of its block. */
export function recordedPrice(
  series: string,
  { value, ledgerVersion, atMs }: AcceptedPrice,
  read: Pick<RecordedPrice, "observedAtMs" | "source" | "witnesses">,
): RecordedPrice {
  const day = dayText(atMs);
  return { series, day, value: String(value), ledgerVersion: String(ledgerVersion), atMs, ...read };
}

/**
 * Windows of a price's growth in recorded UTC days. A window begins with the price `days` days before the last one; if
 * that day has none, with the newest of up to `more` days before it.
 */
const GROWTH_WINDOWS = { "7d": { days: 7, more: 1 }, "30d": { days: 30, more: 5 } } as const;

/** Most days between the first and the last price of a window. */
export const MAX_GROWTH_DAYS = GROWTH_WINDOWS["30d"].days + GROWTH_WINDOWS["30d"].more;

/** Growth of a price in one window. */
export interface Growth {
  /** First price of the window; null: none is recorded in time. */
  readonly since: RecordedPrice | null;
  /** Whole seconds between the blocks of both prices; null without a first price. */
  readonly seconds: number | null;
  /** The growth as a yearly yield; null: not known. */
  readonly apy: Percent | null;
}

export type Growths = Readonly<Record<keyof typeof GROWTH_WINDOWS, Growth>>;

/** Computes the growth of a price up to one of its recorded days. `byDay`: recorded prices of the same series. */
export function growthsUpTo(last: RecordedPrice, byDay: ReadonlyMap<string, RecordedPrice>): Growths {
  return { "7d": growthIn("7d", last, byDay), "30d": growthIn("30d", last, byDay) };
}

function growthIn(
  window: keyof typeof GROWTH_WINDOWS,
  last: RecordedPrice,
  byDay: ReadonlyMap<string, RecordedPrice>,
): Growth {
  const { days, more } = GROWTH_WINDOWS[window];
  for (let before = days; before <= days + more; before += 1) {
    const since = byDay.get(dayText(Date.parse(last.day) - before * DAY_MS));
    if (since !== undefined)
      return { since, seconds: Math.round((last.atMs - since.atMs) / 1_000), apy: yearlyGrowth(since, last) };
  }
  return { since: null, seconds: null, apy: null };
}

/** Digits to which the growth of a price is computed; a yield needs no more than ten of them. */
const GROWTH_SCALE = 10n ** 20n;

/**
 * Annualises the growth of a price between two blocks: (last / first) ^ (31536000 s / time between) - 1, in percent. A
 * price that fell has a negative yield. null: no time passed, a price is not positive, or the yield is beyond
 * {@link MAX_PERCENT}.
 */
export function yearlyGrowth(
  first: Pick<RecordedPrice, "value" | "atMs">,
  last: Pick<RecordedPrice, "value" | "atMs">,
): Percent | null {
  const [from, to] = [BigInt(first.value), BigInt(last.value)];
  const seconds = (last.atMs - first.atMs) / 1_000;
  if (seconds <= 0 || from <= 0n || to <= 0n) return null;
  const growth = Number(((to - from) * GROWTH_SCALE) / from) / Number(GROWTH_SCALE);
  const apy = Math.expm1((YEAR_SECONDS / seconds) * Math.log1p(growth)) * 100;
  return apy <= MAX_PERCENT ? rounded(apy) : null;
}
