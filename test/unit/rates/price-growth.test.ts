import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { growthsUpTo, type RecordedPrice, yearlyGrowth } from "../../../src/rates/price-growth.ts";
import { yearlyPercentExactly } from "../../support/fixed-point.ts";

const DAY_MS = 86_400_000;
const START = Date.parse("2026-03-01T00:00:00Z");

function priceOn(day: number, value: bigint, lateSeconds = 0): RecordedPrice {
  const atMs = START + day * DAY_MS + lateSeconds * 1_000;
  const row = { series: "s", day: new Date(atMs).toISOString().slice(0, 10), value: String(value), ledgerVersion: "1" };
  return { ...row, atMs, observedAtMs: atMs, source: "observed", witnesses: 2 };
}

/** Growth up to the last of these prices. */
function growths(prices: readonly RecordedPrice[]) {
  const last = prices.at(-1) ?? expect.fail("no price");
  return growthsUpTo(last, new Map(prices.map((price) => [price.day, price])));
}

describe("a growth as a yearly yield", () => {
  test("property: is that of an arithmetic with 50 decimals", () => {
    const price = fc.bigInt({ min: 1n, max: 10n ** 40n });
    /** Change of a price in billionths, from a fall to 1 percent to a growth by a fifth. */
    const change = fc.bigInt({ min: -990_000_000n, max: 200_000_000n });
    const seconds = fc.integer({ min: 5 * 86_400, max: 36 * 86_400 });
    fc.assert(
      fc.property(price, change, seconds, (first, billionths, after) => {
        const last = first + (first * billionths) / 10n ** 9n;
        fc.pre(last > 0n);
        const apy = yearlyGrowth({ value: String(first), atMs: 0 }, { value: String(last), atMs: after * 1_000 });
        const exact = yearlyPercentExactly(first, last, after);
        if (exact > 1_000_000) expect(apy).toBeNull();
        else expect(Math.abs((apy ?? Number.NaN) - exact)).toBeLessThan(0.000006 + Math.abs(exact) * 1e-12);
      }),
    );
  });

  test("property: of any two numbers of 256 bits and any times is a number within the bounds, or null", () => {
    const value = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const atMs = fc.integer({ min: 0, max: 2 ** 43 });
    const price = fc.record({ value: value.map(String), atMs });
    fc.assert(
      fc.property(price, price, (first, last) => {
        const apy = yearlyGrowth(first, last);
        expect(apy === null || (apy >= -100 && apy <= 1_000_000)).toBe(true);
        if (last.atMs <= first.atMs) expect(apy).toBeNull();
      }),
    );
  });

  test.each([
    ["of a tenth in a year", 10n, 11n, 365, 10],
    ["of nothing", 10n, 10n, 7, 0],
    ["that is a fall", 10n, 9n, 365, -10],
    ["that is a fall to next to nothing", 10n ** 70n, 1n, 7, -100],
  ])("%s", (_case, first, last, days, expected) => {
    expect(yearlyGrowth(priceOn(0, first), priceOn(days, last))).toBe(expected);
  });

  test.each([
    ["beyond a million percent", 1n, 2n, 7],
    ["from a price of 0", 0n, 2n, 7],
    ["to a price of 0", 2n, 0n, 7],
    ["in no time", 1n, 2n, 0],
    ["against time", 1n, 2n, -1],
  ])("%s is not known", (_case, first, last, days) => {
    expect(yearlyGrowth(priceOn(0, first), priceOn(days, last))).toBeNull();
  });
});

describe("the windows", () => {
  const daily = (count: number) => Array.from({ length: count }, (_, day) => priceOn(day, 10n ** 18n + BigInt(day)));

  test.each([
    [1, null, null],
    [7, null, null],
    [8, 0, null],
    [30, 22, null],
    [31, 23, 0],
    [60, 52, 29],
  ])("after %i recorded days begin on these days", (count, week, month) => {
    const all = daily(count);
    const found = growths(all);
    expect(found["7d"].since).toBe(week === null ? null : all[week]);
    expect(found["30d"].since).toBe(month === null ? null : all[month]);
    expect(found["7d"].apy === null).toBe(week === null);
  });

  test.each([
    ["7d", 7, 8],
    ["30d", 30, 35],
  ] as const)("%s begin with the newest price of at least %i and at most %i days before", (window, least, most) => {
    for (let before = least - 3; before <= most + 3; before += 1) {
      const [first, last] = [priceOn(100 - before, 10n ** 18n), priceOn(100, 10n ** 18n + 10n ** 15n)];
      const isWithin = before >= least && before <= most;
      expect(growths([first, last])[window].since, `${before} days`).toBe(isWithin ? first : null);
    }
    const [older, newer, last] = [priceOn(100 - most, 1n), priceOn(100 - least, 2n), priceOn(100, 3n)];
    expect(growths([older, newer, last])[window].since).toBe(newer);
  });

  test("are annualised by the times of the blocks, however late on its day each was read", () => {
    const [first, last] = [priceOn(0, 10n ** 18n, 80_000), priceOn(7, 10n ** 18n + 10n ** 15n, 13)];
    const { seconds, apy } = growths([first, last])["7d"];
    expect(seconds).toBe(7 * 86_400 - 80_000 + 13);
    expect(apy).toBeCloseTo(yearlyPercentExactly(10n ** 18n, 10n ** 18n + 10n ** 15n, 7 * 86_400 - 79_987), 5);
  });
});
