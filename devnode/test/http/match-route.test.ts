import { expect, test } from "vitest";
import { json, reads } from "../../http/endpoint.ts";
import { matchRoute, type Route } from "../../http/match-route.ts";
import { isError } from "../../http/node-error.ts";

const run = reads({ path: {}, query: {}, answer: () => json(null) });
const TABLE: readonly Route[] = [
  { method: "GET", path: "/v1/transactions", run },
  { method: "POST", path: "/v1/transactions", run },
  { method: "POST", path: "/v1/transactions/batch", run },
  { method: "GET", path: "/v1/accounts/:address/events/:creation_number", run },
  { method: "GET", path: "/v1/accounts/:address/events/:event_handle/:field_name", run },
];

test.each([
  ["GET", "/v1/transactions/", 404, null],
  ["GET", "/v1/transactions/nothing/here/at/all", 404, null],
  ["GET", "/v1/accounts//events/3", 404, null],
  ["GET", "/", 404, null],
  ["DELETE", "/v1/transactions", 405, ["GET", "HEAD", "POST"]],
  ["GET", "/v1/transactions/batch", 405, ["POST"]],
  ["POST", "/v1/accounts/0x1/events/3", 405, ["GET", "HEAD"]],
] as const)("%s %s is %i and allows %o", (method, path, status, allow) => {
  const found = matchRoute(TABLE, method, path);
  expect(isError(found) && [found.status, found.errorCode, found.allow]).toEqual([
    status,
    "web_framework_error",
    allow,
  ]);
});
