import type { Attempt } from "./failover.ts";
import type { UpstreamPool } from "./pool.ts";
import type { AttemptError } from "./state.ts";

/** What may be the upstream's own trouble, and not the request's. */
const SUSPICIOUS: readonly AttemptError[] = ["connect", "timeout", "truncated", "server_error", "invalid"];

/**
 * An isolate takes over how the shield's attempts went: a submit then goes to an upstream that answers, at once. An
 * attempt that says nothing of the upstream's health changes nothing.
 */
export function learnAttempts({ upstreams }: UpstreamPool, attempts: readonly Attempt[], nowMs: number): void {
  for (const { upstream: label, result } of attempts) {
    const upstream = upstreams.find((candidate) => candidate.label === label);
    if (upstream === undefined) continue;
    if (result === "ok") upstream.state = { ...upstream.state, isSuspect: false, respondedAtMs: nowMs };
    else if (SUSPICIOUS.includes(result)) upstream.state = { ...upstream.state, isSuspect: true };
  }
}
