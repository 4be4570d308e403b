import { expect, test } from "vitest";
import { corsHeaders, preflight } from "../../../../devnode/http/cors.ts";

const ORIGIN = "https://app.example";

/** Not a Request: Node's drops the headers that only browsers may set. */
function options(fields: Record<string, string>): Request {
  const headers = new Headers(Object.entries(fields));
  return { method: "OPTIONS", headers } as Request; // only method and header fields are read
}

test("any origin is echoed, with credentials, as SDKs in browsers require", () => {
  expect(corsHeaders(ORIGIN)).toEqual({
    "Access-Control-Allow-Origin": ORIGIN,
    "Access-Control-Allow-Credentials": "true",
    Vary: "Origin",
  });
  expect(corsHeaders(null)).toEqual({});
});

test.each(["GET", "POST"])("a preflight for %s is allowed, with its requested header fields", (method) => {
  const request = options({
    Origin: ORIGIN,
    "Access-Control-Request-Method": method,
    "Access-Control-Request-Headers": "content-type, x-custom",
  });
  expect(preflight(request)).toMatchObject({
    "Access-Control-Allow-Methods": "GET,POST",
    "Access-Control-Allow-Headers": "content-type, x-custom",
    "Access-Control-Allow-Origin": ORIGIN,
  });
});

test("a preflight for another method is 403; OPTIONS without an origin is not a preflight", () => {
  expect(preflight(options({ Origin: ORIGIN, "Access-Control-Request-Method": "DELETE" }))).toMatchObject({
    status: 403,
    message: "request-method not allowed",
  });
  expect(preflight(options({}))).toBeUndefined();
});
