import fc from "fast-check";
import { expect, test } from "vitest";
import { packAdmitted, packRefused, unpackDecision } from "../../../src/limiter/decision.ts";

test("an admission as one number has the remaining quota and its seconds, rounded up", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 3_600_000 }), (remaining, resetMs) => {
      const resetSeconds = Math.ceil(resetMs / 1_000);
      expect(unpackDecision(packAdmitted(remaining, resetMs))).toEqual({ admitted: true, remaining, resetSeconds });
    }),
    // Of the last request, when nothing is due.
    { examples: [[0, 0]] },
  );
});

test("a decision has one layout, because isolates and objects of two deployments exchange it", () => {
  expect([packAdmitted(3, 7), packRefused(7)]).toEqual([3 * 4_194_304 + 7, -7]);
});
