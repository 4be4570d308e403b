import type { Log } from "../base/log.ts";
import { dayText } from "../base/utc.ts";
import { type SharePrice, seriesOf } from "../chain/share-price.ts";
import { confirmedPart } from "../onchain/confirmation.ts";
import type { TokenReader } from "../onchain/reader.ts";
import type { Reading } from "../onchain/reading.ts";
import { growthsUpTo, MAX_GROWTH_DAYS, type RecordedPrice, recordedPrice } from "../rates/price-growth.ts";
import type { Product } from "../rates/product.ts";
import { priceView, sharePriceProduct } from "../rates/share-price-product.ts";
import { HOURLY } from "../swr/cached-value.ts";
import { type LoadError, loadError, type Sample } from "../swr/loader.ts";
import { SharedValue } from "../swr/shared-value.ts";
import { type Days, daysBefore, type RateRow } from "./history/rows.ts";

export interface SharePricesPorts {
  readonly shares: readonly SharePrice[];
  /** Returns the id of a chain of the token; null: it is learned from the nodes. */
  readonly chainIdOf: (chain: string) => number | null;
  /** Reader of the token, whose readings have the prices; null: no chain is read. */
  readonly reader: () => TokenReader | null;
  readonly pricesOf: (series: readonly string[], days: Days) => readonly RecordedPrice[];
  /** Reads the prices that were added later from an archive node; null: they cannot be read. */
  readonly backfill: () => Promise<readonly RecordedPrice[] | null>;
  readonly now: () => number;
  readonly log: Log;
}

/** The share prices of the schedule as yield products, with their recorded days. */
export class SharePrices {
  readonly shared: SharedValue<readonly Product[]>;
  readonly #ports: SharePricesPorts;
  #good: Sample<readonly Product[]> | null = null;

  constructor(ports: SharePricesPorts) {
    const { now, log } = ports;
    this.#ports = ports;
    this.shared = new SharedValue({
      name: "share_prices",
      freshSeconds: HOURLY.freshSeconds,
      good: () => this.#good,
      load: (nowMs) => this.#load(nowMs),
      now,
      log,
    });
  }

  /** Returns the daily rates of one product, or of all; null: they cannot be read. */
  async rates(days: Days, id?: string): Promise<RateRow[] | null> {
    const shares = this.#ports.shares.filter((share) => id === undefined || share.id === id);
    const bySeries = await this.#pricesOf(shares, { from: daysBefore(days.from, MAX_GROWTH_DAYS), to: days.to });
    if (bySeries === null) return null;
    return shares.flatMap((share) => rateRowsOf(share.id, bySeries.get(this.#seriesOf(share)) ?? [], days.from));
  }

  async #load(nowMs: number): Promise<LoadError | null> {
    const { shares, reader } = this.#ports;
    const native = reader();
    if (native?.good === null) await native.shared.reading("revalidate");
    const to = dayText(nowMs);
    const bySeries = await this.#pricesOf(shares, { from: daysBefore(to, SHOWN_DAYS), to });
    if (bySeries === null) return loadError("the earlier prices cannot be read");
    const value = shares.map((share, index) =>
      sharePriceProduct(share, bySeries.get(this.#seriesOf(share)) ?? [], index + 1),
    );
    this.#good = { kind: "observed", value, observedAtMs: nowMs };
    return null;
  }

  #seriesOf(share: SharePrice): string {
    return seriesOf(share, this.#ports.chainIdOf(share.chain));
  }

  /** Reads the prices of some days by series: recorded ones, and for the days without one those of an archive node. */
  async #pricesOf(shares: readonly SharePrice[], { from, to }: Days): Promise<Map<string, RecordedPrice[]> | null> {
    const { pricesOf, backfill, reader } = this.#ports;
    const earlier = await backfill();
    if (earlier === null) return null;
    const series = shares.map((share) => this.#seriesOf(share));
    const good = reader()?.good ?? null;
    // The row of the newest reading may not be written yet.
    const newest = good === null ? [] : priceRows(good.value, good.observedAtMs);
    const rows = new Map<string, RecordedPrice>();
    for (const row of [...pricesOf(series, { from, to }), ...newest, ...earlier]) {
      const key = `${row.day} ${row.series}`;
      if (series.includes(row.series) && row.day >= from && row.day <= to && !rows.has(key)) rows.set(key, row);
    }
    const ordered = [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    return Map.groupBy(ordered, (row) => row.series);
  }
}

/** Days of prices that a product is made of; older prices are in the history alone. */
const SHOWN_DAYS = 2 * MAX_GROWTH_DAYS;

/** Makes the daily rates of a product from its prices in the order of days. */
function rateRowsOf(product: string, prices: readonly RecordedPrice[], from: string): RateRow[] {
  const byDay = new Map(prices.map((price) => [price.day, price]));
  return prices
    .filter(({ day }) => day >= from)
    .map((price) => {
      const { "7d": week, "30d": month } = growthsUpTo(price, byDay);
      const { date: _date, source: _source, ...shown } = priceView(price);
      const rates = { apy: week.apy, apy_base: week.apy, apy_reward: null, tvl: null, tvl_usd: null };
      const { day, observedAtMs } = price;
      const source = price.source === "backfill" ? "backfill" : "share_price";
      return { product, day, ...rates, observedAtMs, source, share_price: { ...shown, apy_30d: month.apy } };
    });
}

/** Makes the rows of the prices that a reading has, each on the day of its block; of today, if the clocks agree. */
export function priceRows(reading: Reading, observedAtMs: number): RecordedPrice[] {
  return (confirmedPart(reading)?.prices ?? []).flatMap(
    ({ series, price, confirmedBy, unreadable }): RecordedPrice[] => {
      if (price === null || unreadable !== null || dayText(price.atMs) !== dayText(observedAtMs)) return [];
      return [recordedPrice(series, price, { observedAtMs, source: "observed", witnesses: confirmedBy.length })];
    },
  );
}
