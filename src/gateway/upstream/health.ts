import type { UpstreamReport } from "../../chain/upstream-report.ts";
import { isWithin } from "../model/ledger.ts";
import { exclusionOf, isOutdated, type UpstreamPool } from "./upstreams.ts";

/** An upstream that responded within this time counts as reachable. */
const RECENT_MS = 10_000;

/** The upstreams for `/api/health`. */
export function reportsOf(pool: UpstreamPool, nowMs: number): UpstreamReport[] {
  return pool.upstreams.map(({ label, state }) => {
    const { ledger, failedProbes, respondedAtMs } = state;
    const lag = ledger === null || pool.newest === null ? null : pool.newest.ledger.version - ledger.version;
    const exclusion = exclusionOf(state, nowMs);
    return {
      label,
      reachable: isWithin(respondedAtMs, RECENT_MS, nowMs) && failedProbes === 0,
      ledgerVersion: ledger === null ? null : ledger.version.toString(),
      lag: lag === null ? null : (lag > 0n ? lag : 0n).toString(),
      breaker: failedProbes > 0 || exclusion === "throttled" ? "open" : "closed",
      distrust: exclusion === "throttled" ? null : exclusion,
      isOutdated: isOutdated(state, pool, nowMs),
    };
  });
}
