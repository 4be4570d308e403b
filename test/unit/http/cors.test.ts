import { describe, expect, test } from "vitest";
import { corsHeaders, preflight } from "../../../src/http/cors.ts";

/** The headers that a page may read: written out, so that a removal fails a test. */
const READABLE =
  "RateLimit, RateLimit-Policy, Retry-After, X-API-Version, Deprecation, Sunset, Link, ETag, Last-Modified, Age, " +
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

  test("a preflight allows the version header and may be stored", () => {
    const request = new Request("https://example.org/api/max-supply", {
      method: "OPTIONS",
      headers: { "Access-Control-Request-Headers": "x-api-version, x-other" },
    });
    const { status, headers: fields, body } = preflight("api", request, ["GET", "HEAD", "OPTIONS"]);
    expect([status, body]).toEqual([204, null]);
    expect(fields).toMatchObject({
      Allow: "GET, HEAD, OPTIONS",
      "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
      "Access-Control-Allow-Headers": "X-API-Version, If-None-Match, If-Modified-Since",
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

  test.each([
    ["content-type, x-aptos-client", "content-type, x-aptos-client"],
    [null, "Content-Type"],
  ])("a preflight for %j allows %j", (requested, allowed) => {
    const headers = new Headers(requested === null ? {} : { "Access-Control-Request-Headers": requested });
    const request = new Request("https://example.org/v1/view", { method: "OPTIONS", headers });
    expect(preflight("node", request, ["POST", "OPTIONS"]).headers).toMatchObject({
      "Access-Control-Allow-Headers": allowed,
      // Added to the Origin in the Vary of every response on this surface.
      Vary: "Access-Control-Request-Headers",
    });
  });
});
