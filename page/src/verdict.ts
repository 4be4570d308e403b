import { isWhole } from "../view/format.ts";
import { type SupplyBreakdown, units, type Wallet } from "./documents.ts";
import { groupOf } from "./reconciliation.ts";

type Bucket = SupplyBreakdown["buckets"][number];

/**
 * Judges whether the allocations' wallets held what the schedule locks when they were read. The sentence has no full
 * stop. Other wallets are in the sum below it.
 */
export function verdictOf({ token, buckets, non_circulating_wallets: all, complete }: SupplyBreakdown): {
  text: string;
  state: "none" | "short" | "partial" | "verified";
} {
  const wallets = all.filter((wallet) => groupOf(wallet) === "locked");
  const short = buckets.filter((one) => isShort(one, token.decimals)).map(({ label }) => label);
  if (short.length > 0) return { text: `Less than scheduled was held for ${short.join(", ")}`, state: "short" };
  const odd = all.filter(({ anomaly }) => anomaly).length;
  if (odd > 0) return { text: `${odd} of ${all.length} wallets needed a look`, state: "short" };
  const unread = unreadWallets(all);
  if (unread > 0) return { text: `${unread} of ${all.length} wallets could not be read`, state: "partial" };
  if (!complete) return { text: "Not every chain could be read", state: "partial" };
  if (wallets.length === 0) return { text: "The schedule names no wallets that hold locked tokens", state: "none" };
  const who = wallets.length === 1 ? "The allocations’ wallet" : `The ${wallets.length} wallets of the allocations`;
  return { text: `${who} held what the schedule locks`, state: "verified" };
}

/** Counts wallets without a balance, and those whose last good balance stands because they cannot be read. */
export function unreadWallets(wallets: readonly Wallet[]): number {
  return wallets.filter(({ anomaly, observed_balance: now, balance }) => balance === null || (anomaly && now === null))
    .length;
}

/** Whether the wallets of a bucket lack at least one whole token. */
export function isShort({ difference }: Bucket, decimals: number): boolean {
  return difference !== null && isWhole(-units(difference), decimals);
}
