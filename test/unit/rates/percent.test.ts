import fc from "fast-check";
import { expect, test } from "vitest";
import { apyOf, rounded, sum } from "../../../src/rates/percent.ts";

test.each([
  [10, 365, 10.51558],
  [10, 12, 10.47131],
  [10, 4, 10.38129],
  [10, 2, 10.25],
  [10, 1, 10],
  [10, 0, 10],
  [10, 31_536_000, 10.51709],
  [0, 365, 0],
  [100, 365, 171.45675],
  [0.01, 365, 0.01],
  [-10, 365, -9.5175],
  [0.00001, 365, 0.00001],
])("%d percent APR compounded %i times a year is %d percent APY", (apr, compoundsPerYear, apy) => {
  expect(apyOf(apr, compoundsPerYear)).toBe(apy);
});

test.each([
  [5.25, 5.25],
  [5.123456, 5.12346],
  [1.000005, 1.00001],
  [0.000004, 0],
  [-0.000004, 0],
  [1e-7, 0],
  [999_999.999999, 1_000_000],
])("%d is published as %d", (percent, published) => {
  expect(Object.is(rounded(percent), published)).toBe(true);
});

const anyRate = fc.double({ min: -100, max: 1_000_000, noNaN: true });

test("property: a published rate has at most five decimals, no exponent and no negative zero", () => {
  fc.assert(
    fc.property(anyRate, (percent) => {
      const text = JSON.stringify(rounded(percent));
      expect(text).toMatch(/^-?\d+(\.\d{1,5})?$/);
      expect(text).not.toBe("-0");
    }),
  );
});

test("property: a sum is the decimal sum of its parts, to the last digit", () => {
  const units = (percent: number): bigint => BigInt(percent.toFixed(5).replace(".", ""));
  fc.assert(
    fc.property(anyRate.map(rounded), anyRate.map(rounded), (left, right) => {
      expect(units(sum(left, right))).toBe(units(left) + units(right));
    }),
    { numRuns: 1_000 },
  );
  expect(sum(0.1, 0.2)).toBe(0.3);
});

test("property: more frequent compounding never lowers a positive rate", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1_000, noNaN: true }), fc.integer({ min: 1, max: 1_000 }), (apr, n) => {
      expect(apyOf(apr, n)).toBeGreaterThanOrEqual(rounded(apr) - 0.00001);
      expect(apyOf(apr, n + 1)).toBeGreaterThanOrEqual(apyOf(apr, n));
    }),
  );
});
