import type { Doubts, Known, Seen } from "../swr/loader.ts";
import { unitsOf } from "./percent.ts";
import type { Product } from "./product.ts";

/** Products whose rates count, and the rates that await confirmation, by the products' ids. */
interface Gated {
  readonly value: readonly Product[];
  readonly doubts: Doubts;
}

/**
 * The gate between a listing, which is the only source of its rates, and a value. A rate within `factor` of the last
 * good one counts; where there is none, one that is as far above the highest of the others at most. Any other counts
 * when a rate at least `confirmMs` before was like it and none between was good; until then the last good product
 * stands for it, or none. The first listing counts as it is.
 */
export function gated(
  products: readonly Product[],
  { best, doubts }: Known<readonly Product[]>,
  nowMs: number,
  factor: number,
  confirmMs: number,
): Gated {
  if (best === undefined) return { value: products, doubts: new Map() };
  const last = new Map(best.value.map((product) => [product.id, product]));
  const highest = best.value.reduce((most, { apy }) => (apy !== null && unitsOf(apy) > most ? unitsOf(apy) : most), 0n);
  const raised = new Map<string, Seen>();
  const value = products.flatMap((product): Product | Product[] => {
    const { id, apy } = product;
    if (apy === null) return product;
    const seen = { value: unitsOf(apy), atMs: nowMs };
    const before = last.get(id)?.apy ?? null;
    const isNear =
      before === null ? seen.value <= highest * BigInt(factor) : isWithinFactor(seen.value, unitsOf(before), factor);
    if (isNear) return product;
    const doubt = doubts.get(id);
    // A doubt of a time to come is from before the clock was set back.
    const isRepeated = doubt !== undefined && doubt.atMs <= nowMs && isWithinFactor(seen.value, doubt.value, factor);
    if (isRepeated && nowMs - doubt.atMs >= confirmMs) return product;
    raised.set(id, isRepeated ? doubt : seen);
    return last.get(id) ?? [];
  });
  return { value, doubts: raised };
}

/** Whether two numbers have one sign and neither is more than `factor` times the other. */
export function isWithinFactor(left: bigint, right: bigint, factor: number): boolean {
  if (left < 0n) return isWithinFactor(-left, -right, factor);
  return left <= right * BigInt(factor) && right <= left * BigInt(factor);
}
