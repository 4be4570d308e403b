import type { Attempt } from "./failover.ts";
import type { UpstreamPool } from "./pool.ts";
import type { AttemptError } from "./upstream-result.ts";

/** Errors that may be the upstream's fault rather than the request's. */
const SUSPICIOUS: readonly AttemptError[] = ["connect", "timeout", "truncated", "server_error", "invalid"];

/** A shield object's findings about the upstreams. Plain data. */
export interface UpstreamFindings {
  readonly attempts: readonly Attempt[];
  /** Indexes of the upstreams whose newest ledger is outdated. */
  readonly outdated: readonly number[];
}

/**
 * Applies a shield's findings in an isolate, so that a submit goes to a responding upstream without a probe. Attempts
 * that do not concern the upstream's health change nothing.
 */
export function learnUpstreams(
  { upstreams }: UpstreamPool,
  { attempts, outdated }: UpstreamFindings,
  nowMs: number,
): void {
  for (const upstream of upstreams)
    upstream.state = { ...upstream.state, isOutdated: outdated.includes(upstream.index) };
  for (const { upstream: label, result } of attempts) {
    const upstream = upstreams.find((candidate) => candidate.label === label);
    if (upstream === undefined) continue;
    if (result === "ok") upstream.state = { ...upstream.state, isSuspect: false, respondedAtMs: nowMs };
    else if (SUSPICIOUS.includes(result)) upstream.state = { ...upstream.state, isSuspect: true };
  }
}
