import type { GasEstimate } from "./api.ts";

/** Part of a block that the estimate reads. */
export interface BlockPrices {
  readonly users: number;
  /** Lowest gas unit price among its user transactions; null when it has none. */
  readonly lowestPrice: bigint | null;
}

/** A block with this many user transactions is full: its lowest price was needed to get in. */
export const FULL_BLOCK_TRANSACTIONS = 250;
/** How many blocks back each figure looks; the maximum bounds what a caller has to load. */
export const HISTORY = { low: 10, market: 30, aggressive: 120 } as const;
const BUCKETS = [0n, 150n, 300n, 500n, 1_000n, 3_000n, 5_000n, 10_000n, 100_000n, 1_000_000n] as const;

/**
 * Gas unit prices that recently sufficed (specification, Gas): of a full block the next bucket above its lowest price,
 * of any other block the minimum. `recent` is newest first.
 */
export function estimateGas(recent: readonly BlockPrices[], minimumPrice: bigint): GasEstimate {
  const prices = recent.map((block) => priceToEnter(block, minimumPrice));
  if (prices.length === 0)
    return { deprioritized: minimumPrice, market: minimumPrice, prioritized: bucketAbove(minimumPrice) };
  const deprioritized = sorted(prices.slice(0, HISTORY.low))[0] ?? minimumPrice;
  const market = greater(deprioritized, ranked(prices.slice(0, HISTORY.market), 0.5, minimumPrice));
  const steep = ranked(prices.slice(0, HISTORY.aggressive), 0.9, minimumPrice);
  return { deprioritized, market, prioritized: greater(market, bucketAbove(steep)) };
}

function priceToEnter({ users, lowestPrice }: BlockPrices, minimumPrice: bigint): bigint {
  return users >= FULL_BLOCK_TRANSACTIONS && lowestPrice !== null ? bucketAbove(lowestPrice) : minimumPrice;
}

function bucketAbove(price: bigint): bigint {
  return BUCKETS.find((bucket) => bucket > price) ?? price;
}

function ranked(prices: readonly bigint[], share: number, fallback: bigint): bigint {
  return sorted(prices)[Math.floor(prices.length * share)] ?? fallback;
}

function sorted(prices: readonly bigint[]): bigint[] {
  return [...prices].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

function greater(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
