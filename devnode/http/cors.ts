import { type NodeError, refuseRequest } from "./node-error.ts";

const PREFLIGHT_SECONDS = 86_400;
const ALLOWED_METHODS = ["GET", "POST"];

/**
 * Headers that let a page read the response: the origin is echoed, because SDKs send credentials. None without Origin.
 */
export function corsHeaders(origin: string | null): Record<string, string> {
  return origin === null
    ? {}
    : { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true", Vary: "Origin" };
}

/**
 * The response to a browser's preflight: undefined when it is not one (no Origin, or not OPTIONS), an error for methods
 * other than GET and POST.
 */
export function preflight(request: Request): Record<string, string> | NodeError | undefined {
  const origin = request.headers.get("Origin");
  if (request.method !== "OPTIONS" || origin === null) return undefined;
  if (!ALLOWED_METHODS.includes(request.headers.get("Access-Control-Request-Method") ?? "")) {
    return refuseRequest(403, "request-method not allowed");
  }
  return {
    ...corsHeaders(origin),
    "Access-Control-Allow-Methods": ALLOWED_METHODS.join(","),
    "Access-Control-Allow-Headers": request.headers.get("Access-Control-Request-Headers") ?? "",
    "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
  };
}
