import { isWhole } from "../view/format.ts";
import { severalChains } from "./chain-nodes.ts";
import { type SupplyBreakdown, units } from "./documents.ts";
import { groupOf } from "./reconciliation.ts";

type Bucket = SupplyBreakdown["buckets"][number];

/**
 * Judges whether the allocations' wallets held what the schedule locks when they were read. The sentence has no full
 * stop. Other wallets are in the sum below it.
 */
export function verdictOf(breakdown: SupplyBreakdown): {
  text: string;
  state: "none" | "short" | "partial" | "verified";
} {
  const { token, buckets } = breakdown;
  const wallets = breakdown.non_circulating_wallets.filter((wallet) => groupOf(wallet) === "locked");
  const short = buckets.filter((one) => isShort(one, token.decimals)).map(({ label }) => label);
  if (short.length > 0) return { text: `Less than scheduled was held for ${short.join(", ")}`, state: "short" };
  const [defect] = readingDefects(breakdown);
  if (defect !== undefined) return { text: defect, state: "partial" };
  if (wallets.length === 0) return { text: "The schedule names no wallets that hold locked tokens", state: "none" };
  const who = wallets.length === 1 ? "The allocations’ wallet" : `The ${wallets.length} wallets of the allocations`;
  return { text: `${who} held what the schedule locks`, state: "verified" };
}

/**
 * Describes chains and wallets that this reading lacks, and wallets whose balance fell. The words are without a full
 * stop, and the same in the verdict and in the alerts. A wallet that cannot be read has its last good balance.
 */
export function readingDefects(breakdown: SupplyBreakdown): readonly string[] {
  const wallets = breakdown.non_circulating_wallets;
  const away = severalChains(breakdown).filter(({ unavailable }) => unavailable !== null);
  const halved = wallets.filter(({ anomaly, observed_balance: now }) => anomaly && now !== null).length;
  const unread = wallets.filter(({ anomaly, balance }) => anomaly || balance === null).length - halved;
  return [
    ...away.map(({ chain }) => `The chain ${chain} could not be read`),
    ...(unread === 0 ? [] : [`${unread} of ${wallets.length} wallets could not be read`]),
    ...(halved === 0 ? [] : [`The balance of ${halved} of ${wallets.length} wallets fell by more than half`]),
  ];
}

/** Whether the wallets of a bucket lack at least one whole token. */
export function isShort({ difference }: Bucket, decimals: number): boolean {
  return difference !== null && isWhole(-units(difference), decimals);
}
