import { assetText } from "../chain/asset.ts";
import { chainFigures, type Reading } from "../holdings/reading.ts";
import { memoByObject } from "../memo.ts";
import { NATIVE_STAKING, nativeStaking } from "../rates/native-staking.ts";
import type { Product } from "../rates/product.ts";
import { type Products, publishedProducts, type RecordedMeans } from "../rates/published.ts";
import { type CachedValue, HOURLY, readSince, type Unavailable } from "../swr/cached-value.ts";
import { loadError } from "../swr/loader.ts";
import { SwrValue } from "../swr/swr-value.ts";
import { dayText } from "../utc.ts";
import type { FigurePorts, Sources } from "./cached-figures.ts";

/**
 * A page waits no longer than this: for what it can do without (means, the chain's product at its first reading), and
 * for a listing that hangs, whose last good products it gets then.
 */
const LISTING_DEADLINE_MS = 4_000;
const MEANS_DEADLINE_MS = 1_000;
const STAKING_DEADLINE_MS = 3_000;
const RETRY_SECONDS = 60;
/** Means change once a day, and a month of rows is read for them. */
const MEANS_FRESH_SECONDS = 600;

/** The native staking in a reading of the chain; a text says why there is none. */
export type StakingIn = (reading: Reading) => Product | string;

export function stakingReader({ schedule, config }: FigurePorts): StakingIn {
  const { symbol, decimals } = schedule.token;
  const asset = { symbol, decimals, address: assetText(config.assets.native) };
  return memoByObject((reading: Reading) => {
    const { good = null, unreadable } = reading.staking ?? { unreadable: "it is not read" };
    if (good === null) return unreadable ?? "it was never read";
    const { total_supply: total } = chainFigures(schedule)(reading);
    // A row has no room for another age than that of its terms.
    const isOfReading = unreadable === null && !("reason" in total);
    return nativeStaking({ ...good, total: isOfReading ? total.baseUnits : null }, asset, config.commissionPercent);
  });
}

/** The yield products of a deployment; null: it has none. */
export function products(ports: FigurePorts, { native, rates }: Sources, stakingIn: StakingIn): Products | null {
  const { config, historyStore, corrections, lastGood, now, log, pause } = ports;
  const staking = config.staking ? native : null;
  if (staking === null && rates === null) return null;
  const means = new SwrValue<Readonly<Record<string, RecordedMeans>>>({
    name: "rate_means",
    key: "rate_means-1",
    policy: { ...HOURLY, freshSeconds: MEANS_FRESH_SECONDS },
    load: async (nowMs) => {
      // The page that asks for the means reads the listing too, and finishes what it begins.
      const listing = await rates?.readWithin({ nowMs, waitUntil: () => undefined }, LISTING_DEADLINE_MS);
      if (listing?.kind === "unavailable") return loadError(listing.reason);
      const ids = new Set([NATIVE_STAKING, ...(listing?.value ?? []).map(({ id }) => id)]);
      const known = await corrections();
      const value = known && (await historyStore.productMeans(dayText(nowMs), [...ids], known));
      return value === null
        ? loadError(known === null ? "the corrections cannot be read" : "the history does not answer")
        : { kind: "observed", value, observedAtMs: nowMs };
    },
    lastGood,
    now,
    log,
    pause,
  });
  return publishedProducts({
    listing: rates && ((when) => rates.readWithin(when, LISTING_DEADLINE_MS)),
    staking: staking && (async (when) => stakingOf(await staking.readWithin(when, STAKING_DEADLINE_MS), stakingIn)),
    means: (when) => means.readWithin(when, MEANS_DEADLINE_MS),
  });
}

/** The product, as old as its own reading. */
function stakingOf(
  current: CachedValue<Reading> | Unavailable,
  stakingIn: StakingIn,
): CachedValue<Product> | Unavailable {
  if (current.kind === "unavailable") return current;
  const value = stakingIn(current.value);
  if (typeof value === "string") return { kind: "unavailable", reason: value, retryAfterSeconds: RETRY_SECONDS };
  return readSince({ ...current, value }, current.value.staking?.good?.readAtMs ?? current.observedAtMs);
}
