import type { SupplyBreakdown } from "./documents.ts";

export type ChainRow = NonNullable<SupplyBreakdown["chains"]>[number];

/** Lists the token's chains; empty in an answer without figures. */
export function chainsIn(breakdown: SupplyBreakdown): readonly ChainRow[] {
  return "chains" in breakdown ? (breakdown.chains ?? []) : [];
}

/** Lists the chains of a token on several; empty for a token on one. */
export function severalChains(breakdown: SupplyBreakdown): readonly ChainRow[] {
  const chains = chainsIn(breakdown);
  return chains.length > 1 ? chains : [];
}

/** Number of nodes that confirmed a chain's amounts; undefined if the answer names none. */
export function nodesOf({ confirmed_by: by }: SupplyBreakdown, chain: string): number | undefined {
  const chains = by !== undefined && "chains" in by ? (by.chains ?? []) : [];
  return chains.find((one) => one.chain === chain)?.nodes.length;
}

export const nodesText = (count: number): string => `${count} ${count === 1 ? "node" : "nodes"}`;

/** Describes the nodes of a reading; for a token on several chains, those of each chain. */
export function readFrom(breakdown: SupplyBreakdown): string {
  // With one node the API leaves out this member.
  const by = "confirmed_by" in breakdown ? breakdown.confirmed_by : undefined;
  const counts = severalChains(breakdown).flatMap(({ chain }) => {
    const count = by === undefined ? undefined : nodesOf(breakdown, chain);
    return count === undefined ? [] : [{ chain, count }];
  });
  const [first] = counts;
  if (first === undefined) return nodesText(by?.nodes.length ?? 1);
  if (counts.length > 1 && counts.every(({ count }) => count === first.count))
    return `${nodesText(first.count)} on each of ${counts.length} chains`;
  return counts.map(({ chain, count }) => `${nodesText(count)} on ${chain}`).join(", ");
}
