import { BODY_HEADERS, cursorHeaders, LEDGER_HEADERS } from "../chain/ledger-headers.ts";
import type { Surface } from "./failure.ts";
import type { HeaderSet } from "./respond.ts";

const PREFLIGHT_SECONDS = 86_400;

/** Headers that scripts may read; browsers hide custom headers that are not listed. */
const EXPOSED_HEADERS: readonly string[] = [
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-API-Version",
  "Deprecation",
  "Sunset",
  "Link",
  "ETag",
  "Last-Modified",
  "Age",
  "Cache-Status",
  "Allow",
  "Server-Timing",
  "X-Request-Id",
];

const NODE_HEADERS = [...Object.values(LEDGER_HEADERS), BODY_HEADERS.gasUsed];

const API_HEADERS: HeaderSet = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(", "),
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
      ...EXPOSED_HEADERS,
      ...NODE_HEADERS.map((name) => nodePrefix + name),
      ...cursorHeaders(nodePrefix),
    ].join(", "),
    Vary: "Origin",
  };
}

/** Headers of a preflight response, which browsers may cache for a day. */
export function preflightHeaders(surface: Surface, request: Request, allow: readonly string[]): Record<string, string> {
  const requested = request.headers.get("Access-Control-Request-Headers");
  const shared = {
    Allow: allow.join(", "),
    "Access-Control-Allow-Methods": allow.join(", "),
    "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
    "Cache-Control": `public, max-age=${PREFLIGHT_SECONDS}`,
  };
  if (surface === "api")
    return { ...shared, "Access-Control-Allow-Headers": "X-API-Version", "Access-Control-Allow-Origin": "*" };
  return {
    ...shared,
    "Access-Control-Allow-Headers": requested ?? "Content-Type",
    Vary: "Access-Control-Request-Headers",
  };
}
