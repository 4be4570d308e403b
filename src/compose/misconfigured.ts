import type { AdvertisedPolicies } from "../config.ts";
import { corsHeaders } from "../http/cors.ts";
import type { Failure, Surface } from "../http/failure.ts";
import { respond } from "../http/respond.ts";
import { policyHeaders, rateLimitValue } from "../limiter/sliding-window-log.ts";

const RETRY_SECONDS = 60;

/**
 * The 503 of a deployment with invalid settings, which are named in the log only. The rate limit has nothing remaining;
 * an invalid limit is not advertised.
 */
export function misconfiguredResponse(
  surface: Surface,
  policies: AdvertisedPolicies,
  method: string,
  requestId: string,
): Response {
  const policy = policies[surface === "node" ? "node" : "default"];
  const message = "This service is not configured.";
  const failure: Failure = { kind: "unavailable", message, retryAfterSeconds: RETRY_SECONDS };
  const shared = [corsHeaders(surface, null, ""), ...(policy === null ? [] : [policyHeaders(policy)])];
  const limit: Record<string, string> =
    policy === null ? {} : { RateLimit: rateLimitValue(policy, { remaining: 0, resetSeconds: RETRY_SECONDS }) };
  return respond(failure, surface, method, shared, { ...limit, "X-Request-Id": requestId });
}
