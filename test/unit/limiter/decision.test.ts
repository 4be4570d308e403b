import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { packAdmitted, packRefused, unpackDecision } from "../../../src/limiter/decision.ts";
import { policyHeaders, rateLimitValue } from "../../../src/limiter/rate-limit-headers.ts";

describe("a decision as one number", () => {
  test("an admission has the remaining quota and its seconds, rounded up", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 3_600_000 }), (remaining, resetMs) => {
        expect(unpackDecision(packAdmitted(remaining, resetMs))).toEqual({
          admitted: true,
          remaining,
          resetSeconds: Math.ceil(resetMs / 1_000),
        });
      }),
    );
  });

  test("an admission of the last request, of which nothing is due, is one", () => {
    expect(unpackDecision(packAdmitted(0, 0))).toEqual({ admitted: true, remaining: 0, resetSeconds: 0 });
  });

  test("has one layout, because isolates and objects of two deployments exchange it", () => {
    expect([packAdmitted(3, 7), packRefused(7)]).toEqual([3 * 4_194_304 + 7, -7]);
  });

  test.each([
    [1, 1],
    [1_000, 1],
    [1_001, 2],
    [3_600_000, 3_600],
  ])("a refusal for %i ms is one for %i seconds", (retryMs, resetSeconds) => {
    expect(unpackDecision(packRefused(retryMs))).toEqual({ admitted: false, remaining: 0, resetSeconds });
  });
});

test("the header fields match the specification, byte for byte", () => {
  const policy = { name: "default", quota: 60, windowSeconds: 60 } as const;
  expect(policyHeaders(policy)).toEqual({ "RateLimit-Policy": "default;q=60;w=60" });
  expect(rateLimitValue(policy, { remaining: 59, resetSeconds: 60 })).toBe("default;r=59;t=60");
});
