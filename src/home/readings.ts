import { parseStored, storedText } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import { dayText } from "../base/utc.ts";
import type { Config } from "../config.ts";
import type { CountedToken, TokenReader } from "../onchain/reader.ts";
import type { Reading } from "../onchain/reading.ts";
import { poolFilter } from "../rates/defillama.ts";
import type { FetchListing } from "../rates/fetch-listing.ts";
import { type ListingMemory, NO_LISTING } from "../rates/gate.ts";
import { NATIVE_STAKING } from "../rates/native-staking.ts";
import type { Product } from "../rates/product.ts";
import type { MeansById } from "../rates/published.ts";
import { readListing, type SourceSettings } from "../rates/source.ts";
import type { Schedule } from "../supply/schedule.ts";
import { HOURLY } from "../swr/cached-value.ts";
import { type LoadError, loadError, type Sample, type StoredText } from "../swr/loader.ts";
import { type ReadMode, type SharedAnswer, SharedValue } from "../swr/shared-value.ts";
import { type DayTerms, type LastReadings, recordedFigures, rowsOfDay } from "./day.ts";
import type { Correction } from "./history/corrections.ts";
import { correctedRates, daysOfMeans, productMeans } from "./history/means.ts";
import type { Days, FigureRow, RateRow } from "./history/rows.ts";
import { stakingReader } from "./staking.ts";
import { storedName } from "./stored-name.ts";

/** Everything that changes with time and is read, by its name. */
export interface ReadTable extends Readonly<Record<CountedToken, Reading>> {
  readonly listing: readonly Product[];
  /** Of the products that are listed, and of the chain's own. */
  readonly means: MeansById;
}

export interface ReadingsPorts {
  readonly config: Config;
  readonly schedule: Schedule;
  /** Of the chain that is behind the nodes now. */
  readonly readers: () => Readonly<Record<CountedToken, TokenReader | null>>;
  readonly fetchListing: FetchListing;
  /** null: they cannot be read. */
  readonly corrections: () => Promise<readonly Correction[] | null>;
  readonly history: {
    /** Adds the rows that a day does not have; false: the store refuses them. */
    readonly record: (day: string, figures: readonly FigureRow[], rates: readonly RateRow[]) => boolean;
    readonly ratesOf: (products: readonly string[], days: Days) => readonly RateRow[];
  };
  readonly load: (name: string) => StoredText | null;
  readonly save: (name: string, value: string, storedAtMs: number) => void;
  readonly now: () => number;
  readonly log: Log;
  /** Goes on with work although nobody waits for it. */
  readonly background: (work: Promise<unknown>) => void;
  /** Does what may fail with the store, after the replies that are on their way. */
  readonly behindReplies: (work: () => void) => void;
}

/** Raised when the form of a stored listing changes. */
const FORM = 6;

/** What one object reads for the deployment, and the rows of each day in it. */
export class Readings {
  readonly #ports: ReadingsPorts;
  readonly #terms: DayTerms;
  readonly #listingKey: string;
  readonly #listing: SharedValue<readonly Product[]> | null;
  readonly #means: SharedValue<MeansById> | null;
  #listed: ListingMemory;
  #goodMeans: Sample<MeansById> | null = null;
  #recorded: LastReadings = { native: null, stable: null, listing: NO_LISTING };

  constructor(ports: ReadingsPorts) {
    const { config, schedule, load, now, log } = ports;
    const { environment, ratesUrl, ratesChain, ratesProjects, staking } = config;
    this.#ports = ports;
    const { counted } = recordedFigures(schedule, config);
    this.#terms = { schedule, counted, stakingIn: stakingReader(schedule, config) };
    this.#listingKey = storedName("rates", FORM, { environment, ratesUrl, ratesChain, ratesProjects, staking });
    this.#listed = parseStored<ListingMemory>(load(this.#listingKey)?.value) ?? NO_LISTING;
    const settings: SourceSettings = {
      ...config,
      ...ports,
      filter: poolFilter(ratesChain, ratesProjects, ratesUrl),
      samplesAllowed: environment !== "production",
      chainProductId: staking ? NATIVE_STAKING : null,
    };
    const kept = { freshSeconds: HOURLY.freshSeconds, now, log };
    const listing = new SharedValue({
      ...kept,
      name: "rates",
      good: () => this.#listed.good,
      unconfirmed: () => this.#listed.doubts.map(([id]) => id),
      load: (nowMs) => this.#readListing(settings, nowMs),
    });
    const means = new SharedValue({
      ...kept,
      name: "rate_means",
      good: () => this.#goodMeans,
      load: (nowMs) => this.#readMeans(nowMs),
    });
    this.#listing = config.listing === "none" ? null : listing;
    this.#means = this.#listing === null && !staking ? null : means;
  }

  /** For an isolate whose copy was observed then. null: this deployment does not read it. */
  async say<Name extends keyof ReadTable>(
    name: Name,
    have: number | null,
    wanted: ReadMode,
  ): Promise<SharedAnswer<ReadTable[Name]> | null> {
    const { background, behindReplies } = this.#ports;
    const kept = this.#keptOf(name);
    if (kept === null) return null;
    const reading = kept.reading(wanted);
    if (reading !== null) background(reading.then(() => behindReplies(() => this.record())));
    return kept.get(have, wanted);
  }

  /** The first readings of a day are its rows; false: the store refuses them. */
  record(): boolean {
    const { history, now } = this.#ports;
    const { native, stable } = this.#ports.readers();
    const last = { native: native?.good ?? null, stable: stable?.good ?? null, listing: this.#listed };
    const day = dayText(now());
    const { figures, rates } = rowsOfDay(day, last, this.#recorded, this.#terms);
    if (figures.length + rates.length > 0 && !history.record(day, figures, rates)) return false;
    this.#recorded = last;
    return true;
  }

  #keptOf<Name extends keyof ReadTable>(name: Name): SharedValue<ReadTable[Name]> | null {
    const { native, stable } = this.#ports.readers();
    const all: { readonly [Each in keyof ReadTable]: SharedValue<ReadTable[Each]> | null } = {
      native: native?.shared ?? null,
      stable: stable?.shared ?? null,
      listing: this.#listing,
      means: this.#means,
    };
    return all[name];
  }

  async #readListing(settings: SourceSettings, nowMs: number): Promise<LoadError | null> {
    const { memory, error } = await readListing(settings, this.#listed, nowMs);
    if (memory !== this.#listed) this.#ports.save(this.#listingKey, storedText(memory), nowMs);
    this.#listed = memory;
    return error;
  }

  async #readMeans(nowMs: number): Promise<LoadError | null> {
    const { history, corrections } = this.#ports;
    if (this.#listed.good === null && this.#listing !== null) {
      await this.#listing.reading("revalidate");
      if (this.#listed.good === null) return loadError("the listing is not known");
    }
    const known = await corrections();
    if (known === null) return loadError("the corrections cannot be read");
    const ids = [NATIVE_STAKING, ...(this.#listed.good?.value ?? []).map(({ id }) => id)];
    const day = dayText(nowMs);
    const rows = history.ratesOf(ids, daysOfMeans({ from: day, to: day }));
    const value = productMeans(day, correctedRates(rows, known));
    this.#goodMeans = { kind: "observed", value, observedAtMs: nowMs };
    return null;
  }
}
