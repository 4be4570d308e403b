import { type NodeError, refuseRequest } from "./node-error.ts";

const PREFLIGHT_SECONDS = 86_400;
const ALLOWED_METHODS = ["GET", "POST"];

/** Fields that let a page read the answer: any origin, by echo, because SDKs send credentials. Without an Origin, none. */
export function corsFields(origin: string | null): Record<string, string> {
  return origin === null
    ? {}
    : { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true", Vary: "Origin" };
}

/**
 * The answer to a browser's preflight: undefined when this is none (no Origin, or not OPTIONS), a refusal for methods
 * other than GET and POST.
 */
export function preflight(request: Request): Record<string, string> | NodeError | undefined {
  const origin = request.headers.get("Origin");
  if (request.method !== "OPTIONS" || origin === null) return undefined;
  if (!ALLOWED_METHODS.includes(request.headers.get("Access-Control-Request-Method") ?? "")) {
    return refuseRequest(403, "request-method not allowed");
  }
  return {
    ...corsFields(origin),
    "Access-Control-Allow-Methods": ALLOWED_METHODS.join(","),
    "Access-Control-Allow-Headers": request.headers.get("Access-Control-Request-Headers") ?? "",
    "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
  };
}
