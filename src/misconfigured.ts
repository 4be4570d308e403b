import { corsHeaders } from "./http/cors.ts";
import type { Failure, Surface } from "./http/failure.ts";
import { respond } from "./http/respond.ts";

const RETRY_SECONDS = 60;

/** The published policies. The configured ones are not known here, and nobody has anything left of either. */
const POLICIES = { api: "default;q=60;w=60", node: "node;q=300;w=60" } as const;
const STATES = { api: `default;r=0;t=${RETRY_SECONDS}`, node: `node;r=0;t=${RETRY_SECONDS}` } as const;

/** The answer of a deployment that must not serve. What is wrong with it is in the log, not on the wire. */
export function misconfiguredResponse(surface: Surface, method: string, requestId: string): Response {
  const message = "This service is not configured.";
  const failure: Failure = { kind: "unavailable", message, retryAfterSeconds: RETRY_SECONDS };
  return respond(failure, surface, method, [corsHeaders(surface, null, "")], {
    RateLimit: STATES[surface],
    "RateLimit-Policy": POLICIES[surface],
    "X-Request-Id": requestId,
  });
}
