import type { SupplyBreakdown } from "./documents.ts";
import { groupOf } from "./reconciliation.ts";

type Bucket = SupplyBreakdown["buckets"][number];

/**
 * Judges whether the allocations' wallets held what the schedule locks when they were read. The sentence has no full
 * stop. Other wallets are in the sum below it.
 */
export function verdictOf({ buckets, non_circulating_wallets: all, complete }: SupplyBreakdown): {
  text: string;
  state: "none" | "short" | "partial" | "verified";
} {
  const wallets = all.filter((wallet) => groupOf(wallet) === "locked");
  if (all.length === 0) return { text: "The schedule names no wallets that hold locked tokens", state: "none" };
  const short = buckets.filter(isShort).map(({ label }) => label);
  if (short.length > 0) return { text: `Less than scheduled was held for ${short.join(", ")}`, state: "short" };
  const odd = all.filter(({ anomaly }) => anomaly).length;
  if (odd > 0) return { text: `${odd} of ${all.length} wallets needed a look`, state: "short" };
  if (!complete) return { text: "Not every wallet could be read", state: "partial" };
  if (wallets.length === 0) return { text: "The schedule names no wallets of its allocations", state: "none" };
  const who = wallets.length === 1 ? "The allocations’ wallet" : `The ${wallets.length} wallets of the allocations`;
  return { text: `${who} held what the schedule locks`, state: "verified" };
}

/** Whether a bucket is short by at least one whole token. A smaller difference is the rounding of an unlock. */
export function isShort({ difference }: Bucket): boolean {
  return difference !== null && /^-[1-9]/.test(difference.tokens);
}
