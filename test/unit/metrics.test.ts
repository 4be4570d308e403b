import { expect, test } from "vitest";
import { dataPoint } from "../../src/metrics.ts";

test("a request and an upstream call are told apart by their first column, and indexed by route", () => {
  const request = {
    kind: "request",
    route: "/v1/accounts/:address",
    method: "GET",
    status: 200,
    cache: "hit",
    limiter: "admitted",
    milliseconds: 3,
  } as const;
  expect(dataPoint(request)).toEqual({
    indexes: ["/v1/accounts/:address"],
    blobs: ["request", "/v1/accounts/:address", "GET", "hit", "admitted"],
    doubles: [3, 200],
  });
  const upstream = {
    kind: "upstream",
    route: "account",
    upstream: "upstream-1",
    result: "timeout",
    milliseconds: 3_000,
  } as const;
  expect(dataPoint(upstream)).toEqual({
    indexes: ["account"],
    blobs: ["upstream", "account", "upstream-1", "timeout"],
    doubles: [3_000, 0],
  });
});
