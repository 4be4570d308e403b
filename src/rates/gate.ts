import type { Sample } from "../swr/loader.ts";
import { unitsOf } from "./percent.ts";
import type { Product } from "./product.ts";

/** A rate and when it was read, milliseconds since the epoch. */
export interface Seen {
  readonly value: bigint;
  readonly atMs: number;
}

/** What is known of earlier listings. Plain data, to be stored. */
export interface ListingMemory {
  /** The last products that count, of any age. */
  readonly good: Sample<readonly Product[]> | null;
  /** The rates that await confirmation, by the products' ids. */
  readonly doubts: readonly (readonly [id: string, seen: Seen])[];
}

export const NO_LISTING: ListingMemory = { good: null, doubts: [] };

/** Products whose rates count, and the rates that await confirmation. */
interface Gated extends Pick<ListingMemory, "doubts"> {
  readonly value: readonly Product[];
}

/**
 * The gate between a listing, which is the only source of its rates, and a value. A rate within `factor` of the last
 * good one counts; where there is none, one that is as far above the highest of the others at most. Any other counts
 * when a rate at least `confirmMs` before was like it and none between was good; until then the last good product
 * stands for it, or none. The first listing counts as it is.
 */
export function gated(
  products: readonly Product[],
  before: ListingMemory,
  nowMs: number,
  factor: number,
  confirmMs: number,
): Gated {
  if (before.good === null) return { value: products, doubts: [] };
  const { value: best } = before.good;
  const last = new Map(best.map((product) => [product.id, product]));
  const doubts = new Map(before.doubts);
  const highest = best.reduce((most, { apy }) => (apy !== null && unitsOf(apy) > most ? unitsOf(apy) : most), 0n);
  const raised = new Map<string, Seen>();
  const value = products.flatMap((product): Product | Product[] => {
    const { id, apy } = product;
    if (apy === null) return product;
    const seen = { value: unitsOf(apy), atMs: nowMs };
    const known = last.get(id)?.apy ?? null;
    const isNear =
      known === null ? seen.value <= highest * BigInt(factor) : isWithinFactor(seen.value, unitsOf(known), factor);
    if (isNear) return product;
    const doubt = doubts.get(id);
    // A doubt of a time to come is from before the clock was set back.
    const isRepeated = doubt !== undefined && doubt.atMs <= nowMs && isWithinFactor(seen.value, doubt.value, factor);
    if (isRepeated && nowMs - doubt.atMs >= confirmMs) return product;
    raised.set(id, isRepeated ? doubt : seen);
    return last.get(id) ?? [];
  });
  return { value, doubts: [...raised] };
}

/** Whether two numbers have one sign and neither is more than `factor` times the other. */
export function isWithinFactor(left: bigint, right: bigint, factor: number): boolean {
  if (left < 0n) return isWithinFactor(-left, -right, factor);
  return left <= right * BigInt(factor) && right <= left * BigInt(factor);
}
