import { isFuture } from "../base/utc.ts";
import type { Sample } from "../swr/loader.ts";
import { unitsOf } from "./percent.ts";
import type { Product } from "./product.ts";

/** A rate and the time at which it was read, in milliseconds since the epoch. */
export interface RateSample {
  readonly value: bigint;
  readonly atMs: number;
}

type RatesById = readonly (readonly [id: string, seen: RateSample])[];

/** Memory of earlier listings. Plain data, to be stored. */
export interface ListingMemory {
  /** The last accepted products, of any age. */
  readonly good: Sample<readonly Product[]> | null;
  /** The last accepted rate of each product, whether or not a later listing has the product. */
  readonly accepted: RatesById;
  /** The rates that await confirmation, by product id. */
  readonly doubts: RatesById;
}

export const NO_LISTING: ListingMemory = { good: null, accepted: [], doubts: [] };

/**
 * Time for which the last accepted rate of a product that is no longer listed remains the reference for its next rate.
 */
export const REMEMBERED_MS = 30 * 86_400_000;
/** Most rates that are remembered, the newest ones. A listing has fewer products (`MAX_PRODUCTS`). */
const MAX_REMEMBERED = 2_000;

/** Products whose rates are accepted, and the memory of this listing. */
interface GatedListing extends Pick<ListingMemory, "accepted" | "doubts"> {
  readonly value: readonly Product[];
}

/**
 * Accepts or withholds the rates of a listing, which is their only source. A rate within `factor` of the product's last
 * accepted rate is accepted, however many listings lacked the product since. A new product's rate is accepted within
 * {@link boundsOfUnknown}. Any other rate waits until a similar rate was read at least `confirmMs` earlier, and by
 * every listing since. Until then the last accepted product takes its place, if there is one.
 */
export function gateListing(
  products: readonly Product[],
  before: ListingMemory,
  nowMs: number,
  factor: number,
  confirmMs: number,
): GatedListing {
  const lastProducts = new Map((before.good?.value ?? []).map((product) => [product.id, product]));
  const references = new Map(before.accepted.filter(([, { atMs }]) => nowMs - atMs < REMEMBERED_MS));
  const bounds = boundsOfUnknown([...references.values()], factor);
  const earlierDoubts = new Map(before.doubts);
  const accepted = new Map(references);
  const unconfirmed = new Map<string, RateSample>();
  const value = products.flatMap((product): Product | Product[] => {
    const { id, apy } = product;
    if (apy === null) return product;
    const sample = { value: unitsOf(apy), atMs: nowMs };
    const reference = references.get(id);
    const isNear =
      reference === undefined
        ? bounds.least <= sample.value && sample.value <= bounds.most
        : isWithinFactor(sample.value, reference.value, factor);
    const doubt = earlierDoubts.get(id);
    const isRepeated =
      doubt !== undefined && !isFuture(doubt.atMs, nowMs) && isWithinFactor(sample.value, doubt.value, factor);
    if (isNear || (isRepeated && nowMs - doubt.atMs >= confirmMs)) {
      // Delete first, so that the rates of this listing become the newest in the map's order.
      accepted.delete(id);
      accepted.set(id, sample);
      return product;
    }
    unconfirmed.set(id, isRepeated ? doubt : sample);
    return lastProducts.get(id) ?? [];
  });
  return { value, accepted: [...accepted].slice(-MAX_REMEMBERED), doubts: [...unconfirmed] };
}

/** Bounds of a first rate while no rate is known: 0 to 1,000 percent. */
const PLAUSIBLE = { least: 0n, most: unitsOf(1_000) };

/**
 * Bounds of a new product's first rate: at most `factor` times the highest of the known rates, and at least the lowest
 * divided by `factor`.
 */
function boundsOfUnknown(samples: readonly RateSample[], factor: number): typeof PLAUSIBLE {
  const [first, ...others] = samples.map(({ value }) => value);
  if (first === undefined) return PLAUSIBLE;
  const times = BigInt(factor);
  const highest = others.reduce((most, each) => (each > most ? each : most), first);
  const lowest = others.reduce((least, each) => (each < least ? each : least), first);
  return {
    least: lowest < 0n ? lowest * times : lowest / times,
    most: highest < 0n ? highest / times : highest * times,
  };
}

/** Whether two numbers have the same sign and neither is more than `factor` times the other. */
export function isWithinFactor(left: bigint, right: bigint, factor: number): boolean {
  if (left < 0n) return isWithinFactor(-left, -right, factor);
  return left <= right * BigInt(factor) && right <= left * BigInt(factor);
}
