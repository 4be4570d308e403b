import { expect, test } from "vitest";
import { type DataPoint, dataPoint, sampledMetrics } from "../../../src/base/metrics.ts";

test("the first column distinguishes requests from upstream calls; the index is the route", () => {
  const request = {
    kind: "request",
    route: "/v1/accounts/:address",
    method: "GET",
    status: 200,
    cache: "hit",
    limiter: "admitted",
    decision: { milliseconds: 2, mode: "exact", region: "weur" },
    dataCenter: "FRA",
    milliseconds: 3,
  } as const;
  expect(dataPoint(request, 100)).toEqual({
    indexes: ["/v1/accounts/:address"],
    blobs: ["request", "/v1/accounts/:address", "GET", "hit", "admitted", "weur", "FRA", "exact"],
    doubles: [3, 200, 2, 100],
  });
  const upstream = {
    kind: "upstream",
    route: "account",
    upstream: "upstream-1",
    result: "timeout",
    milliseconds: 3_000,
  } as const;
  expect(dataPoint(upstream, 1)).toEqual({
    indexes: ["account"],
    blobs: ["upstream", "account", "upstream-1", "timeout"],
    doubles: [3_000, 0, 0, 1],
  });
});

const EVENT = { kind: "upstream", route: "account", upstream: "u", result: "ok", milliseconds: 1 } as const;

test.each([
  [1, 8, 1],
  [0.25, 2, 4],
])("at a rate of %d, of eight events %i are written, each with weight %i", (rate, written, weight) => {
  const points: DataPoint[] = [];
  const draws = [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875];
  const record = sampledMetrics(
    (point) => points.push(point),
    rate,
    () => draws.pop() ?? 0,
  );
  for (let index = 0; index < 8; index += 1) record?.(EVENT);
  expect(points.map(({ doubles }) => doubles[3])).toEqual(Array(written).fill(weight));
});

test("at a rate of 0 nothing is recorded", () => {
  expect(
    sampledMetrics(
      () => undefined,
      0,
      () => 0,
    ),
  ).toBeNull();
});
