import { BODY_HEADERS, cursorHeaders, ENCRYPTION_KEY, LEDGER_HEADERS } from "../chain/ledger-headers.ts";
import type { Surface } from "./failure.ts";
import { publicFor, type Reply } from "./reply.ts";
import type { HeaderSet } from "./respond.ts";

const PREFLIGHT_SECONDS = 86_400;

/** Headers that scripts may read; browsers hide custom headers that are not listed. */
const EXPOSED_HEADERS =
  "RateLimit, RateLimit-Policy, Retry-After, X-API-Version, Deprecation, Sunset, Link, " +
  "ETag, Last-Modified, Age, Cache-Status, Allow, Server-Timing, X-Request-Id, X-Ledger-Version";

const NODE_HEADERS = [...Object.values(LEDGER_HEADERS), BODY_HEADERS.gasUsed, ENCRYPTION_KEY];

const API_HEADERS: HeaderSet = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED_HEADERS,
};
const WITHOUT_ORIGIN: HeaderSet = { Vary: "Origin" };

/** CORS headers of a response. `/v1` echoes the Origin, because browser SDKs send credentials. */
export function corsHeaders(surface: Surface, origin: string | null, nodePrefix: string): HeaderSet {
  if (surface === "api") return API_HEADERS;
  if (origin === null) return WITHOUT_ORIGIN;
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Expose-Headers": [
      EXPOSED_HEADERS,
      ...NODE_HEADERS.map((name) => nodePrefix + name),
      ...cursorHeaders(nodePrefix),
    ].join(", "),
    Vary: "Origin",
  };
}

/** The reply to a preflight, which browsers may cache for a day. */
export function preflight(surface: Surface, request: Request, allow: readonly string[]): Reply {
  const methods = allow.join(", ");
  const requested = request.headers.get("Access-Control-Request-Headers") ?? "Content-Type";
  const headers = {
    Allow: methods,
    "Access-Control-Allow-Methods": methods,
    "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
    "Cache-Control": publicFor(PREFLIGHT_SECONDS),
    ...(surface === "api"
      ? { "Access-Control-Allow-Headers": "X-API-Version, If-None-Match, If-Modified-Since" }
      : { "Access-Control-Allow-Headers": requested, Vary: "Access-Control-Request-Headers" }),
  };
  return { kind: "reply", status: 204, headers, body: null };
}
