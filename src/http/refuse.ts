import { corsFields } from "./cors.ts";
import type { Failure, Surface } from "./failure.ts";
import { respond } from "./respond.ts";

const RETRY_SECONDS = 60;

/** The answer of a deployment that must not serve. What is wrong with it is in the log, not on the wire. */
export function refuse(surface: Surface, method: string, requestId: string): Response {
  const message = `This service is not configured; quote ${requestId}.`;
  const failure: Failure = { kind: "unavailable", message, retryAfterSeconds: RETRY_SECONDS };
  return respond(failure, surface, method, [corsFields(surface, null, "")], { "X-Request-Id": requestId });
}
