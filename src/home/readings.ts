import { parseStored, storedText } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import { dayText } from "../base/utc.ts";
import { NATIVE_STAKING } from "../chain/staking.ts";
import type { Config } from "../config.ts";
import type { CountedToken, TokenReader } from "../onchain/reader.ts";
import type { Reading } from "../onchain/reading.ts";
import { poolFilter } from "../rates/defillama.ts";
import type { FetchListing } from "../rates/fetch-listing.ts";
import { type ListingMemory, NO_LISTING } from "../rates/gate.ts";
import type { RatesMappingFile } from "../rates/mapping.ts";
import type { RecordedPrice } from "../rates/price-growth.ts";
import type { Product } from "../rates/product.ts";
import type { MeansById } from "../rates/published.ts";
import { readListing, type SourceSettings } from "../rates/source.ts";
import { settingsCapabilities } from "../supply/capabilities.ts";
import type { Schedule } from "../supply/schedule.ts";
import { sharePricesRead } from "../supply/share-prices.ts";
import { HOURLY } from "../swr/cached-value.ts";
import { type LoadError, loadError, type Sample, type StoredText } from "../swr/loader.ts";
import { type ReadMode, type SharedAnswer, SharedValue } from "../swr/shared-value.ts";
import { type DayRowInputs, type LastReadings, recordedFigures, rowsOfDay } from "./day.ts";
import type { Correction } from "./history/corrections.ts";
import { daysOfSums, MAX_MEAN_DAYS, productMeans } from "./history/means.ts";
import { type RecordedSums, sumsUpTo } from "./history/rate-sums.ts";
import { type Days, daysBefore, type RateRow, type RecordedFigureRow } from "./history/rows.ts";
import { SharePrices, type SharePricesPorts } from "./share-prices.ts";
import { stakingProductReader } from "./staking.ts";
import { storedName } from "./stored-name.ts";

/** Types of the values that the home object reads for all isolates, by name. */
export interface SharedValues extends Readonly<Record<CountedToken, Reading>> {
  readonly listing: readonly Product[];
  /** Products of the schedule's share prices. */
  readonly sharePrices: readonly Product[];
  /** Means of all products. */
  readonly means: MeansById;
}

export interface ReadingsPorts {
  readonly config: Config;
  readonly schedule: Schedule;
  /** Readers of the current chain; null: the token is not read. */
  readonly readers: () => Readonly<Record<CountedToken, TokenReader | null>>;
  readonly fetchListing: FetchListing;
  readonly ratesMapping: RatesMappingFile | null;
  /** Reads the operator's corrections; null: they cannot be read. */
  readonly corrections: () => Promise<readonly Correction[] | null>;
  /** Reads the prices that were added later from an archive node; null: they cannot be read. */
  readonly pricesBackfill: SharePricesPorts["backfill"];
  readonly history: Pick<SharePricesPorts, "pricesOf"> & {
    /** Adds the rows that a day lacks; false: the store refuses them. */
    readonly record: (
      day: string,
      figures: readonly RecordedFigureRow[],
      rates: readonly RateRow[],
      prices: readonly RecordedPrice[],
    ) => boolean;
    readonly ratesOf: (products: readonly string[], days: Days) => readonly RateRow[];
    /** Reads the sums of products up to each of some days. */
    readonly sumsOf: (products: readonly string[], days: readonly string[]) => readonly RecordedSums[];
  };
  readonly load: (name: string) => StoredText | null;
  readonly save: (name: string, value: string, storedAtMs: number) => void;
  readonly now: () => number;
  readonly log: Log;
  /** Continues work that nobody waits for. */
  readonly background: (work: Promise<unknown>) => void;
  /** Runs work that writes to the store, after the replies under way: a failed write would end them. */
  readonly afterReplies: (work: () => void) => void;
}

/** Version of a stored listing's format, raised when the format changes. */
const STORED_FORMAT = 6;

/** Values that the home object reads for the whole deployment. It also records each day's rows from them. */
export class SharedReadings {
  readonly #ports: ReadingsPorts;
  readonly #day: DayRowInputs;
  readonly #listingKey: string;
  readonly #listing: SharedValue<readonly Product[]> | null;
  readonly #means: SharedValue<MeansById> | null;
  /** null: the schedule lists no share price, or no chain is read. */
  readonly #sharePrices: SharePrices | null;
  #listingMemory: ListingMemory;
  #goodMeans: Sample<MeansById> | null = null;
  #recorded: LastReadings = { native: null, stable: null, listing: NO_LISTING };

  constructor(ports: ReadingsPorts) {
    const { config, schedule, load, now, log, ratesMapping } = ports;
    const { environment, ratesUrl, ratesChain, ratesProjects, staking } = config;
    this.#ports = ports;
    const { series } = recordedFigures(schedule, config);
    const shares = sharePricesRead(schedule, settingsCapabilities(config));
    this.#day = { schedule, series, stakingProduct: stakingProductReader(schedule, config) };
    this.#listingKey = storedName("rates", STORED_FORMAT, {
      environment,
      ratesUrl,
      ratesChain,
      ratesProjects,
      staking,
      ratesMapping: ratesMapping?.sha256 ?? null,
      sharePrices: shares.map(({ id }) => id),
    });
    this.#listingMemory = parseStored<ListingMemory>(load(this.#listingKey)?.value) ?? NO_LISTING;
    const settings: SourceSettings = {
      ...config,
      ...ports,
      mapping: ratesMapping?.mapping ?? null,
      filter: poolFilter(ratesChain, ratesProjects, ratesUrl),
      samplesAllowed: environment !== "production",
      reservedIds: [...(staking ? [NATIVE_STAKING] : []), ...shares.map(({ id }) => id)],
    };
    const common = { freshSeconds: HOURLY.freshSeconds, now, log };
    const listing = new SharedValue({
      ...common,
      name: "rates",
      good: () => this.#listingMemory.good,
      unconfirmed: () => this.#listingMemory.doubts.map(([id]) => id),
      load: (nowMs) => this.#readListing(settings, nowMs),
    });
    const means = new SharedValue({
      ...common,
      name: "rate_means",
      good: () => this.#goodMeans,
      load: (nowMs) => this.#readMeans(nowMs),
    });
    this.#listing = config.listingSource === "none" ? null : listing;
    this.#sharePrices =
      shares.length === 0
        ? null
        : new SharePrices({
            shares,
            chainIdOf: (id) => config.chains.find(({ chain }) => chain.id === id)?.chain.chainId ?? null,
            reader: () => ports.readers().native,
            pricesOf: (...asked) => ports.history.pricesOf(...asked),
            backfill: ports.pricesBackfill,
            now,
            log,
          });
    this.#means = this.#listing === null && !staking && this.#sharePrices === null ? null : means;
  }

  /** Answers an isolate whose copy was observed at `ifNewerThan`. null: this deployment does not read the value. */
  async get<Name extends keyof SharedValues>(
    name: Name,
    ifNewerThan: number | null,
    mode: ReadMode,
  ): Promise<SharedAnswer<SharedValues[Name]> | null> {
    const { background, afterReplies } = this.#ports;
    const shared = this.#sharedValue(name);
    if (shared === null) return null;
    const reading = shared.reading(mode);
    if (reading !== null) background(reading.then(() => afterReplies(() => this.recordToday())));
    return shared.get(ifNewerThan, mode);
  }

  /** Records the rows of today from readings that are not recorded yet; false: the store refuses them. */
  recordToday(): boolean {
    const { history, now } = this.#ports;
    const { native, stable } = this.#ports.readers();
    const last = { native: native?.good ?? null, stable: stable?.good ?? null, listing: this.#listingMemory };
    const day = dayText(now());
    const { figures, rates, prices } = rowsOfDay(day, last, this.#recorded, this.#day);
    const count = figures.length + rates.length + prices.length;
    if (count > 0 && !history.record(day, figures, rates, prices)) return false;
    this.#recorded = last;
    return true;
  }

  /** Returns the daily rates of a product; null: they cannot be read. Those of a share price follow from its prices. */
  async ratesOf(product: string, days: Days): Promise<readonly RateRow[] | null> {
    const { schedule, history } = this.#ports;
    const isSharePrice = (schedule.sharePrices ?? []).some(({ id }) => id === product);
    return isSharePrice && this.#sharePrices !== null
      ? this.#sharePrices.rates(days, product)
      : history.ratesOf([product], days);
  }

  #sharedValue<Name extends keyof SharedValues>(name: Name): SharedValue<SharedValues[Name]> | null {
    const { native, stable } = this.#ports.readers();
    const all: { readonly [Each in keyof SharedValues]: SharedValue<SharedValues[Each]> | null } = {
      native: native?.shared ?? null,
      stable: stable?.shared ?? null,
      listing: this.#listing,
      sharePrices: this.#sharePrices?.shared ?? null,
      means: this.#means,
    };
    return all[name];
  }

  async #readListing(settings: SourceSettings, nowMs: number): Promise<LoadError | null> {
    const { memory, error } = await readListing(settings, this.#listingMemory, nowMs);
    if (memory !== this.#listingMemory) this.#ports.save(this.#listingKey, storedText(memory), nowMs);
    this.#listingMemory = memory;
    return error;
  }

  async #readMeans(nowMs: number): Promise<LoadError | null> {
    const { history, corrections } = this.#ports;
    if (this.#listingMemory.good === null && this.#listing !== null) {
      await this.#listing.reading("revalidate");
      if (this.#listingMemory.good === null) return loadError("the listing is not known");
    }
    const published = await corrections();
    if (published === null) return loadError("the corrections cannot be read");
    const day = dayText(nowMs);
    const asked = { from: daysBefore(day, MAX_MEAN_DAYS), to: day };
    const priced = this.#sharePrices === null ? [] : await this.#sharePrices.rates(asked);
    if (priced === null) return loadError("the earlier prices cannot be read");
    const ids = [NATIVE_STAKING, ...(this.#listingMemory.good?.value ?? []).map(({ id }) => id)];
    const rowsOn = (products: readonly string[], on: string) => [
      ...history.ratesOf(products, { from: on, to: on }),
      ...priced.filter((row) => row.day === on),
    ];
    const weekAgo = daysBefore(day, 7);
    const rows = [
      ...rowsOn(ids, weekAgo),
      ...published.flatMap((each) =>
        each.day === weekAgo ? [] : rowsOn(ids, each.day).filter(({ product }) => each.figure === `apy:${product}`),
      ),
    ];
    const days = daysOfSums(day);
    const sums = [...history.sumsOf(ids, days), ...sumsUpTo(priced, days)];
    const value = productMeans(day, { sums, rows }, published);
    this.#goodMeans = { kind: "observed", value, observedAtMs: nowMs };
    return null;
  }
}
