import { BODY_HEADERS, cursorHeaders, ENCRYPTION_KEY, LEDGER_HEADERS } from "../chain/ledger-headers.ts";
import type { Surface } from "./failure.ts";
import { publicFor, type Reply } from "./reply.ts";
import type { HeaderSet } from "./respond.ts";

const PREFLIGHT_SECONDS = 86_400;

/** Headers that scripts may read; browsers hide custom headers that are not listed. */
const EXPOSED_HEADERS =
  "RateLimit, RateLimit-Policy, Retry-After, X-API-Version, Deprecation, Sunset, Link, " +
  "ETag, Last-Modified, Age, Date, Cache-Status, Allow, Server-Timing, X-Request-Id, X-Ledger-Version";

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

/** Headers allowed when a preflight asks for none, or its list is invalid. */
const FIXED_HEADERS: Readonly<Record<Surface, string>> = {
  api: "X-API-Version, If-None-Match, If-Modified-Since",
  node: "Content-Type",
};
/** A list of field names (RFC 9110 section 5.6.2), with whitespace allowed around the commas. */
const FIELD_NAMES = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;
const MAX_FIELD_NAMES = 32;
const MAX_LIST_CHARACTERS = 1_024;

/**
 * Request headers that a page may send: all that it asks for. Tracing libraries and HTTP clients add their own, and no
 * header grants anything here.
 */
function allowedHeaders(surface: Surface, requested: string): string {
  const isList = requested.length <= MAX_LIST_CHARACTERS && FIELD_NAMES.test(requested);
  return isList && requested.split(",").length <= MAX_FIELD_NAMES ? requested : FIXED_HEADERS[surface];
}

/** Reply to a preflight, which browsers may cache for a day. */
export function preflight(surface: Surface, request: Request, allow: readonly string[]): Reply {
  const methods = allow.join(", ");
  const headers = {
    Allow: methods,
    "Access-Control-Allow-Methods": methods,
    "Access-Control-Allow-Headers": allowedHeaders(
      surface,
      request.headers.get("Access-Control-Request-Headers") ?? "",
    ),
    "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
    "Cache-Control": publicFor(PREFLIGHT_SECONDS),
    Vary: "Access-Control-Request-Headers",
  };
  return { kind: "reply", status: 204, headers, body: null };
}
