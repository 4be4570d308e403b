import type { Attempt } from "./failover.ts";
import type { UpstreamPool } from "./pool.ts";
import type { AttemptError } from "./state.ts";

/** Errors that may be the upstream's fault rather than the request's. */
const SUSPICIOUS: readonly AttemptError[] = ["connect", "timeout", "truncated", "server_error", "invalid"];

/**
 * Applies the outcomes of the shield's attempts in an isolate, so that a submit goes to a responding upstream without a
 * probe. Attempts that do not concern the upstream's health change nothing.
 */
export function learnAttempts({ upstreams }: UpstreamPool, attempts: readonly Attempt[], nowMs: number): void {
  for (const { upstream: label, result } of attempts) {
    const upstream = upstreams.find((candidate) => candidate.label === label);
    if (upstream === undefined) continue;
    if (result === "ok") upstream.state = { ...upstream.state, isSuspect: false, respondedAtMs: nowMs };
    else if (SUSPICIOUS.includes(result)) upstream.state = { ...upstream.state, isSuspect: true };
  }
}
