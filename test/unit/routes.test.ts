import { expect, test } from "vitest";
import type { Handler } from "../../src/http/handler.ts";
import { routeTable, surfaceOf } from "../../src/routes.ts";

const handler: Handler = () => ({ kind: "unknown_path" });
const TABLE = routeTable([
  { method: "GET", path: "/api/max-supply", handler },
  { method: "GET", path: "/v1/transactions", handler },
  { method: "POST", path: "/v1/transactions", handler },
  { method: "POST", path: "/v1/view", handler },
  { method: "GET", path: "/v1/accounts/:address/module/:name", handler },
  { method: "GET", path: "/api/unlock-schedule.csv", handler },
]);

test.each([
  ["GET", "/api/max-supply", "handler"],
  ["HEAD", "/api/max-supply", "handler"],
  ["POST", "/api/max-supply", "wrong_method"],
  ["BREW", "/api/max-supply", "wrong_method"],
  ["GET", "/api/max-supply/", "unknown_path"],
  ["GET", "//api/max-supply", "unknown_path"],
  ["GET", "/API/max-supply", "unknown_path"],
  ["GET", "/api/unlock-scheduleXcsv", "unknown_path"],
  ["GET", "/v1/accounts/0x1/module/coin", "handler"],
  ["GET", "/v1/accounts/0x1/module/coin/", "unknown_path"],
  ["GET", "/v1/accounts//module/coin", "unknown_path"],
  ["PUT", "/v1/accounts/0x1/module/coin", "wrong_method"],
  ["HEAD", "/v1/view", "wrong_method"],
  ["GET", "/nope", "unknown_path"],
])("%s %s: %s", (method, path, kind) => {
  expect(TABLE.match(method, path).kind).toBe(kind);
});

test.each([
  ["/api/max-supply", ["GET", "HEAD", "OPTIONS"]],
  ["/v1/transactions", ["GET", "HEAD", "POST", "OPTIONS"]],
  ["/v1/view", ["POST", "OPTIONS"]],
  ["/v1/accounts/0x1/module/coin", ["GET", "HEAD", "OPTIONS"]],
  ["/nope", []],
])("%s allows %j", (path, allow) => {
  expect(TABLE.allow(path)).toEqual(allow);
});

test("path parameters are not decoded", () => {
  expect(TABLE.match("GET", "/v1/accounts/0x1/module/c%6fin")).toMatchObject({
    params: { address: "0x1", name: "c%6fin" },
  });
});

test("a path that was read before is read alike, whatever the method", () => {
  const path = "/v1/accounts/0x2/module/coin";
  const kinds = ["POST", "GET", "POST", "HEAD", "GET", "BREW"].map((method) => TABLE.match(method, path).kind);
  expect(kinds).toEqual(["wrong_method", "handler", "wrong_method", "handler", "handler", "wrong_method"]);
  expect(TABLE.match("GET", path)).toBe(TABLE.match("HEAD", path));
  const long = `/v1/accounts/${"f".repeat(600)}/module/coin`;
  expect(TABLE.match("GET", long), "a long one is not kept").not.toBe(TABLE.match("GET", long));
  expect(TABLE.match("GET", long)).toMatchObject({ params: { name: "coin" } });
});

test.each([
  ["/v1", "node"],
  ["/v1/", "node"],
  ["/v1/view", "node"],
  ["/v10", "api"],
  ["/api/rates", "api"],
  ["/", "api"],
])("%s has the error format of %s", (path, surface) => {
  expect(surfaceOf(path)).toBe(surface);
});
