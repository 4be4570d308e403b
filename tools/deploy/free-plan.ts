import type { ChainFamily } from "../../src/chain/asset.ts";
import type { Holding, Schedule } from "../../src/supply/schedule.ts";
import { isNative, walletsOf } from "../../src/supply/wallets.ts";
import { chainFamily } from "../chain-family.ts";

/** What the platform's free plan gives, and what of it the product needs for itself. */
export const FREE_PLAN = {
  requestsPerDay: 100_000,
  /**
   * Reads of wallets. A reading has 50 subrequests: each of two nodes is asked these, and six more (its state, the
   * supply, its decimals, native staking). A few are left for a node that is a second or two behind the other one; one
   * that is further behind, or a third node that decides, may be refused some of its answers.
   */
  walletReads: 16,
  /** Read within the plan's 10 ms of processor time (bench/results.md). */
  listingBytes: 65_536,
} as const;

export interface Wanted {
  readonly schedule: Schedule;
  readonly servesNode: boolean;
  readonly readsChain: boolean;
  /** Of the yield listing; null: there is none, or it does not answer. */
  readonly listingBytes: number | null;
}

/** What one node is asked for a wallet (src/onchain/move-node.ts). */
const READS: Readonly<Record<Holding["holds"], number>> = {
  account: 1,
  stake_pool: 1,
  delegation: 1,
  vesting: 2,
  staking_contract: 3,
};

/** The reads of a schedule's wallets at one node; of an EVM chain they come with the supply, in the same call. */
export function walletReads(schedule: Schedule, family: ChainFamily = chainFamily()): number {
  if (family === "evm") return 0;
  const wallets = walletsOf(schedule).filter(isNative);
  return wallets.reduce((sum, { holds }) => sum + READS[holds], 0);
}

/** All that does not fit into the free plan, each with the reason and the way out. */
export function freePlanProblems({ schedule, servesNode, readsChain, listingBytes }: Wanted): string[] {
  const reads = readsChain ? walletReads(schedule) : 0;
  const paid = 'or deploy with PLAN = "paid"';
  return [
    ...(servesNode
      ? [
          `NODE_GATEWAY is on, but callers of /v1 would use up the free plan's ${FREE_PLAN.requestsPerDay} requests and object calls a day, and the figures with them: set it to off, ${paid}`,
        ]
      : []),
    ...(reads > FREE_PLAN.walletReads
      ? [
          `the wallets of the schedule take ${reads} reads at each of two nodes, but the free plan's 50 subrequests are enough for ${FREE_PLAN.walletReads}: list fewer, ${paid}`,
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

/** How long a listing is, at most one byte more than the free plan reads; null: it does not answer. */
export async function listingLength(url: string, fetch: typeof globalThis.fetch): Promise<number | null> {
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
