import { describe, expect, test } from "vitest";
import { corsHeaders, EXPOSED_HEADERS, preflightHeaders } from "../../../src/http/cors.ts";

describe("on /api", () => {
  test("any page may read, with every custom field", () => {
    expect(corsHeaders("api", "https://page.example", "X-NODE-")).toEqual({
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(", "),
    });
  });

  test("a preflight allows the version field and may be kept", () => {
    const request = new Request("https://example.org/api/max-supply", {
      method: "OPTIONS",
      headers: { "Access-Control-Request-Headers": "x-api-version, x-other" },
    });
    const fields = preflightHeaders("api", request, ["GET", "HEAD", "OPTIONS"]);
    expect(fields).toMatchObject({
      Allow: "GET, HEAD, OPTIONS",
      "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
      "Access-Control-Allow-Headers": "X-API-Version",
      "Access-Control-Max-Age": "86400",
    });
    expect(fields["Cache-Control"]).toMatch(/^public, max-age=\d+$/);
  });
});

describe("on /v1", () => {
  test("the origin is echoed, because browser SDKs send credentials", () => {
    const fields = corsHeaders("node", "https://page.example", "X-APTOS-");
    expect(fields).toMatchObject({
      "Access-Control-Allow-Origin": "https://page.example",
      "Access-Control-Allow-Credentials": "true",
      Vary: "Origin",
    });
    expect(fields["Access-Control-Expose-Headers"]).toContain("X-APTOS-CURSOR");
  });

  test("without an origin only Vary is said", () => {
    expect(corsHeaders("node", null, "X-NODE-")).toEqual({ Vary: "Origin" });
  });

  test.each([
    ["content-type, x-aptos-client", "content-type, x-aptos-client"],
    [null, "Content-Type"],
  ])("a preflight for %j allows %j", (asked, allowed) => {
    const headers = new Headers(asked === null ? {} : { "Access-Control-Request-Headers": asked });
    const request = new Request("https://example.org/v1/view", { method: "OPTIONS", headers });
    expect(preflightHeaders("node", request, ["POST", "OPTIONS"])).toMatchObject({
      "Access-Control-Allow-Headers": allowed,
      // Joined to the Origin that every answer here varies by.
      Vary: "Access-Control-Request-Headers",
    });
  });
});
