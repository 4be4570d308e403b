import type { Failure } from "../http/failure.ts";
import type { GatewayContext, GatewayPorts } from "./gateway-ports.ts";
import type { NodeRequest } from "./node-types.ts";
import { answerLost, nodesDown, versionNotHere } from "./unavailable.ts";
import type { Attempt, UpstreamsDown } from "./upstream/failover.ts";

/** Counts and logs the results of the attempts at upstreams. */
export function reportAttempts(
  { count, log }: GatewayPorts,
  request: NodeRequest,
  attempts: readonly Attempt[],
  { requestId }: GatewayContext,
): void {
  for (const { upstream, result, milliseconds, detail } of attempts) {
    count?.({ kind: "upstream", route: request.endpoint, upstream, result, milliseconds });
    if (result !== "ok") log("upstream_error", { requestId, upstream, result, milliseconds, detail });
  }
}

/** The caller's result when no upstream had a usable response. */
export function failureOf(
  { log }: GatewayPorts,
  { endpoint }: NodeRequest,
  { retryAfterSeconds, maybeSent, lagging }: UpstreamsDown,
  { requestId, minVersion }: GatewayContext,
): Failure {
  if (lagging && minVersion !== null) return versionNotHere(minVersion);
  log("upstreams_down", { requestId, endpoint, retryAfterSeconds });
  return maybeSent ? answerLost() : nodesDown(retryAfterSeconds);
}
