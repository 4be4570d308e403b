import { familyOf } from "../src/families/family.ts";
import { isFirst, type TokenChain } from "../src/families/token-chain.ts";
import type { Schedule } from "../src/supply/schedule.ts";
import { pricesOn } from "../src/supply/share-prices.ts";
import { holdingsOn } from "../src/supply/wallets.ts";

/** Limits of the platform's free plan, and of what the product needs within it. */
export const FREE_PLAN = {
  requestsPerDay: 100_000,
  /**
   * Most calls at one node of each chain, added up, where no chain has more than two nodes. A reading has 50
   * subrequests: two nodes of each chain are asked, and every further one is probed. A few subrequests remain for a
   * node that is a second or two behind the other. A node further behind, or a third node that decides, may be refused
   * some answers.
   */
  calls: 22,
  /** Largest yield listing that is read within the plan's 10 ms of processor time (bench/results.md). */
  listingBytes: 65_536,
} as const;

export interface DeploymentNeeds {
  readonly schedule: Schedule;
  /** Chains that are read. */
  readonly chains: readonly TokenChain[];
  /** Number of configured nodes by chain id; absent: two. */
  readonly nodes?: Readonly<Record<string, number>>;
  readonly servesNode: boolean;
  readonly readsChain: boolean;
  /** Length of the yield listing; null: there is none, or it does not answer. */
  readonly listingBytes: number | null;
}

/** Counts the calls that one reading makes at a node of each of these chains. */
export function callsOfReading(schedule: Schedule, chains: readonly TokenChain[]): number {
  return chains.reduce((sum, chain) => {
    const { calls, hasStaking } = familyOf(chain.family);
    const hasView = chain.circulatingView !== undefined;
    const prices = pricesOn(schedule, chain.id).length;
    return sum + calls.reading(holdingsOn(schedule, chain.id), hasStaking && isFirst(chain), hasView, prices);
  }, 0);
}

/** Counts the calls at nodes that are probed only. */
function probesOfReading({ chains, nodes = {} }: DeploymentNeeds): number {
  return chains.reduce(
    (sum, { id, family }) =>
      sum + familyOf(family).calls.probe * Math.max(0, (nodes[id] ?? NODES_PER_READING) - NODES_PER_READING),
    0,
  );
}

/** Nodes of a chain that are asked in a reading. */
const NODES_PER_READING = 2;

/** Lists what exceeds the free plan, each with the reason and the remedy. */
export function freePlanProblems(wanted: DeploymentNeeds): string[] {
  const { schedule, chains, servesNode, readsChain, listingBytes } = wanted;
  const calls = readsChain ? callsOfReading(schedule, chains) : 0;
  const probes = readsChain ? probesOfReading(wanted) : 0;
  const most = NODES_PER_READING * FREE_PLAN.calls;
  const further = probes === 0 ? "" : ` and ${probes} at the others`;
  const paid = 'or deploy with PLAN = "paid"';
  return [
    ...(servesNode
      ? [
          `NODE_GATEWAY is on, but callers of /v1 would use up the free plan's ${FREE_PLAN.requestsPerDay} requests and object calls a day, and then no figure is served: set it to off, ${paid}`,
        ]
      : []),
    ...(NODES_PER_READING * calls + probes > most
      ? [
          `a reading takes ${calls} calls at each of two nodes${further}, but the free plan's 50 subrequests are enough for ${most} in all: list fewer wallets of Move chains, fewer chains, or fewer nodes, ${paid}`,
        ]
      : []),
    ...((listingBytes ?? 0) > FREE_PLAN.listingBytes
      ? [
          `RATES_URL has a listing of more than ${FREE_PLAN.listingBytes / 1024} KiB, which takes longer than the free plan's 10 ms of processor time: give one of your own products alone, ${paid}`,
        ]
      : []),
  ];
}

const LISTING_MS = 20_000;

/** Measures a listing, up to one chunk beyond the free plan's limit; null: it does not answer. */
export async function cappedListingLength(url: string, fetch: typeof globalThis.fetch): Promise<number | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(LISTING_MS) });
    if (!response.ok || response.body === null) return null;
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += chunk.byteLength;
      if (bytes > FREE_PLAN.listingBytes) break;
    }
    return bytes;
  } catch {
    return null;
  }
}
