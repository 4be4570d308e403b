import { describe, expect, test } from "vitest";
import { corsHeaders, preflight } from "../../../src/http/cors.ts";

/** The headers that a page may read: written out, so that a removal fails a test. */
const READABLE =
  "RateLimit, RateLimit-Policy, Retry-After, X-API-Version, Deprecation, Sunset, Link, ETag, Last-Modified, Age, Date, " +
  "Cache-Status, Allow, Server-Timing, X-Request-Id, X-Ledger-Version";
const LEDGER =
  "X-APTOS-CHAIN-ID, X-APTOS-LEDGER-VERSION, X-APTOS-LEDGER-OLDEST-VERSION, X-APTOS-LEDGER-TIMESTAMPUSEC, " +
  "X-APTOS-EPOCH, X-APTOS-BLOCK-HEIGHT, X-APTOS-OLDEST-BLOCK-HEIGHT, X-APTOS-GAS-USED, X-APTOS-TXN-ENCRYPTION-KEY, X-APTOS-CURSOR, X-NODE-CURSOR";

describe("on /api", () => {
  test("any page may read every custom header", () => {
    expect(corsHeaders("api", "https://page.example", "X-NODE-")).toEqual({
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": READABLE,
    });
  });

  test("a preflight that asks for no header allows ours, and may be stored", () => {
    const request = new Request("https://example.org/api/max-supply", { method: "OPTIONS" });
    const { status, headers: fields, body } = preflight("api", request, ["GET", "HEAD", "OPTIONS"]);
    expect([status, body]).toEqual([204, null]);
    expect(fields).toMatchObject({
      Allow: "GET, HEAD, OPTIONS",
      "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
      "Access-Control-Allow-Headers": OURS,
      "Access-Control-Max-Age": "86400",
    });
    expect(fields["Cache-Control"]).toBe("public, max-age=86400");
  });
});

describe("on /v1", () => {
  test("the origin is echoed, because browser SDKs send credentials", () => {
    expect(corsHeaders("node", "https://page.example", "X-APTOS-")).toEqual({
      "Access-Control-Allow-Origin": "https://page.example",
      "Access-Control-Allow-Credentials": "true",
      "Access-Control-Expose-Headers": `${READABLE}, ${LEDGER}`,
      Vary: "Origin",
    });
  });

  test("without an origin there is only Vary", () => {
    expect(corsHeaders("node", null, "X-NODE-")).toEqual({ Vary: "Origin" });
  });

  test("a preflight that asks for no header allows a body's type", () => {
    expect(allowed("node", null)).toBe("Content-Type");
  });
});

const OURS = "X-API-Version, If-None-Match, If-Modified-Since";

function allowed(surface: "api" | "node", requested: string | null): string | undefined {
  const headers = new Headers(requested === null ? {} : { "Access-Control-Request-Headers": requested });
  const request = new Request("https://example.org/", { method: "OPTIONS", headers });
  const { headers: fields } = preflight(surface, request, ["GET", "OPTIONS"]);
  // Added to the Origin in the Vary of every response on /v1.
  expect(fields["Vary"]).toBe("Access-Control-Request-Headers");
  return fields["Access-Control-Allow-Headers"];
}

describe.each([
  ["api", OURS],
  ["node", "Content-Type"],
] as const)("a preflight on %s that asks for headers", (surface, fixed) => {
  const names = (count: number): string => Array.from({ length: count }, (_, index) => `x-${index}`).join(",");

  test.each([
    "baggage,sentry-trace",
    "traceparent, tracestate",
    "authorization",
    "content-type,x-aptos-client",
    "x_y!#$%&'*+.^`|~-1",
    names(32),
    `x-${"a".repeat(1_022)}`,
  ])("allows %s", (asked) => {
    expect(allowed(surface, asked)).toBe(asked);
  });

  test.each(["", ",", "a,,b", "a b", "a:b", 'a"', "a;b", "é", names(33), `x-${"a".repeat(1_023)}`])(
    "that are no list of names, or too many, allows its own: %s",
    (asked) => {
      expect(allowed(surface, asked)).toBe(fixed);
    },
  );
});
