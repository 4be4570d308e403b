import type { UpstreamReport } from "../chain/upstream-report.ts";
import { complaint } from "../gateway/model/outcomes.ts";
import { exclusionOf, isOutdated, STALLED_MS, type UpstreamPool } from "../gateway/upstream/upstreams.ts";
import { instantText, isWithin } from "../utc.ts";

/** The upstreams for `/api/health`. One is reachable that responded within ten seconds. */
export function reportsOf(pool: UpstreamPool, nowMs: number): UpstreamReport[] {
  return pool.upstreams.map(({ label, state }) => {
    const { ledger, failedProbes, respondedAtMs, excluded, failure } = state;
    const lag = ledger === null || pool.tip === null ? null : pool.tip.ledger.version - ledger.version;
    const exclusion = exclusionOf(state, nowMs);
    const until = exclusion === "throttled" ? instantText((excluded?.atMs ?? 0) + (excluded?.forMs ?? 0)) : null;
    return {
      label,
      reachable: isWithin(respondedAtMs, STALLED_MS, nowMs) && failedProbes === 0,
      ledgerVersion: ledger === null ? null : ledger.version.toString(),
      lag: lag === null ? null : (lag > 0n ? lag : 0n).toString(),
      breaker: failedProbes > 0 || exclusion === "throttled" ? "open" : "closed",
      exclusion,
      cause: failure === null ? null : complaint(failure.error, failure.status, until),
      isOutdated: isOutdated(state, pool, nowMs),
    };
  });
}
