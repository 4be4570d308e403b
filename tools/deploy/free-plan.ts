import type { Schedule } from "../../src/supply/schedule.ts";
import { isOnChain, walletsOf } from "../../src/supply/wallets.ts";

/** What the platform's free plan gives, and what of it the product needs for itself. */
export const FREE_PLAN = {
  requestsPerDay: 100_000,
  /** Of the 50 subrequests of one request; the others are for the limiter, the home object and the total. */
  wallets: 40,
  /** Read within the plan's 10 ms of processor time (bench/results.md). */
  listingBytes: 65_536,
} as const;

export interface Wanted {
  readonly schedule: Schedule;
  readonly servesNode: boolean;
  /** Of the yield listing; null: there is none, or it does not answer. */
  readonly listingBytes: number | null;
}

/** All that does not fit into the free plan, each with the reason and the way out. */
export function freePlanProblems({ schedule, servesNode, listingBytes }: Wanted): string[] {
  const wallets = walletsOf(schedule).filter(isOnChain).length;
  const paid = "or deploy with --plan paid";
  return [
    ...(servesNode
      ? [
          `NODE_GATEWAY is on, but callers of /v1 would use up the free plan's ${FREE_PLAN.requestsPerDay} requests and object calls a day, and the figures with them: set it to off, ${paid}`,
        ]
      : []),
    ...(wallets > FREE_PLAN.wallets
      ? [
          `the schedule lists ${wallets} wallets on chain, but the free plan's 50 subrequests a request read ${FREE_PLAN.wallets}: list fewer, ${paid}`,
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

/** wrangler.toml with the plan in the environment's settings, where later deployments find it. */
export function withPlan(toml: string, environment: string, plan: string): string {
  const line = new RegExp(`(^\\[env\\.${environment}\\.vars\\]\\n(?:(?!\\[).*\\n)*?PLAN = )"\\w*"`, "m");
  return toml.replace(line, `$1"${plan}"`);
}
