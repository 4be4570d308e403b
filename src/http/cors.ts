import type { Surface } from "./failure.ts";
import type { HeaderSet } from "./respond.ts";

const PREFLIGHT_SECONDS = 86_400;

/** Every field a page may want to read; browsers hide custom fields that are not listed. */
export const EXPOSED_HEADERS: readonly string[] = [
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

/** The ledger fields of the node interface, without their chain-specific prefix. */
export const LEDGER_HEADERS: readonly string[] = [
  "CHAIN-ID",
  "LEDGER-VERSION",
  "LEDGER-OLDEST-VERSION",
  "LEDGER-TIMESTAMPUSEC",
  "EPOCH",
  "BLOCK-HEIGHT",
  "OLDEST-BLOCK-HEIGHT",
  "GAS-USED",
  "CURSOR",
];

const API_FIELDS: HeaderSet = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(", "),
};
const NODE_FIELDS_WITHOUT_ORIGIN: HeaderSet = { Vary: "Origin" };

/** Fields for an ordinary answer. Never touches the status. `/v1` echoes the Origin: browser SDKs send credentials. */
export function corsHeaders(surface: Surface, origin: string | null, nodePrefix: string): HeaderSet {
  if (surface === "api") return API_FIELDS;
  if (origin === null) return NODE_FIELDS_WITHOUT_ORIGIN;
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Expose-Headers": [...EXPOSED_HEADERS, ...LEDGER_HEADERS.map((name) => nodePrefix + name)].join(
      ", ",
    ),
    Vary: "Origin",
  };
}

/** Fields for the answer to OPTIONS, which a browser may keep for a day. */
export function preflightHeaders(surface: Surface, request: Request, allow: readonly string[]): Record<string, string> {
  const asked = request.headers.get("Access-Control-Request-Headers");
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
    "Access-Control-Allow-Headers": asked ?? "Content-Type",
    Vary: "Access-Control-Request-Headers",
  };
}
