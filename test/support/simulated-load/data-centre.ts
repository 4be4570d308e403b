import type { CachedResponse } from "../../../src/gateway/node-types.ts";
import type { Region } from "../../../src/placement/location-hint.ts";
import type { TickingClock } from "./clock.ts";

const CACHE_MS = 2;

/** The cache that the isolates of one data centre share. */
export class DataCentre {
  readonly region: Region;
  readonly #clock: TickingClock;
  readonly #values: Map<string, CachedResponse>;
  readonly #claimedAtMs = new Map<string, number>();

  constructor(clock: TickingClock, region: Region, values: readonly [string, CachedResponse][]) {
    this.#clock = clock;
    this.region = region;
    this.#values = new Map(values);
  }

  readonly get = async (key: string): Promise<CachedResponse | undefined> => {
    await this.#clock.sleep(CACHE_MS);
    return this.#values.get(key);
  };

  readonly put = async (key: string, value: CachedResponse): Promise<void> => {
    await this.#clock.sleep(CACHE_MS);
    this.#values.set(key, value);
  };

  readonly claim = async (name: string, milliseconds: number): Promise<boolean> => {
    await this.#clock.sleep(CACHE_MS);
    const isFree = this.#isUnclaimed(name, milliseconds);
    // What one isolate puts another sees a little later.
    if (isFree) void this.#clock.sleep(CACHE_MS).then(() => this.#claimedAtMs.set(name, this.#clock.now()));
    return isFree;
  };

  claimAtOnce(name: string, milliseconds: number): boolean {
    const isFree = this.#isUnclaimed(name, milliseconds);
    if (isFree) this.#claimedAtMs.set(name, this.#clock.now());
    return isFree;
  }

  #isUnclaimed(name: string, milliseconds: number): boolean {
    const sinceMs = this.#clock.now() - (this.#claimedAtMs.get(name) ?? Number.NEGATIVE_INFINITY);
    return sinceMs >= milliseconds;
  }
}
