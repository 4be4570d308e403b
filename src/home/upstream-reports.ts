import { instantText, isWithin } from "../base/utc.ts";
import type { UpstreamReport } from "../chain/upstream-report.ts";
import { type AttemptError, filled, outcomeOf } from "../gateway/model/outcomes.ts";
import { exclusionOf, isOutdated, STALLED_MS, type UpstreamPool } from "../gateway/upstream/upstreams.ts";

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

/** What a status that is not the node's own asks of the operator. */
const REMEDIES: readonly (readonly [status: RegExp, remedy: string])[] = [
  [/^3/, "it has moved, name its new address in NODE_URLS"],
  [/^401/, "it wants a key, or another one (NODE_API_KEY)"],
  [/^402/, "its operator wants to be paid"],
  [/^403/, "its firewall or plan does not admit this service"],
  [/^404/, "the path of its address in NODE_URLS is wrong"],
];

/** What health says of a node whose probe ended so, with the remedy. */
function complaint(error: AttemptError, status: number | null, until: string | null): string {
  return withRemedy(filled(outcomeOf(error).does ?? "does not answer", status, until), status);
}

export function withRemedy(does: string, status: number | null): string {
  const remedy = REMEDIES.find(([pattern]) => pattern.test(String(status)))?.[1];
  return remedy === undefined ? does : `${does}: ${remedy}`;
}
