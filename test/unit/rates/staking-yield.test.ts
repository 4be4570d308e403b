import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type StakingTerms, stakedShare, termsProblem, yearlyEmission } from "../../../src/chain/staking.ts";
import { stakingYield } from "../../../src/rates/staking-yield.ts";

const TOKENS = 100_000_000n;
const terms = (numerator: bigint, denominator: bigint, epochSeconds: bigint, staked = 0n): StakingTerms => ({
  numerator,
  denominator,
  epochSeconds,
  staked,
});

const EXAMPLE = terms(26n, 1000n * 4380n, 7200n, 880_000_000n * TOKENS);

describe("the worked example: 2.6 % a year in epochs of two hours", () => {
  test("gross", () => {
    const { apr, apy, net, epochsPerYear } = stakingYield(EXAMPLE);
    expect([apr.toFixed(4), apy.toFixed(4), net, epochsPerYear]).toEqual(["2.6000", "2.6341", null, 4380]);
  });

  test("after a commission of 8 %, which is taken of the rewards only", () => {
    const { apr, net } = stakingYield(EXAMPLE, 8);
    expect([net?.apr.toFixed(4), net?.apy.toFixed(4)]).toEqual(["2.3920", "2.4208"]);
    expect(apr).toBe(2.6);
  });

  test("as the view of a chain states it, rounded to a numerator below a million", () => {
    const { apr, apy } = stakingYield(terms(999_999n, 168_461_538_461n, 7200n));
    expect([apr.toFixed(4), apy.toFixed(4)]).toEqual(["2.6000", "2.6341"]);
  });

  test("a year mints 2.6 % of the stake, to the base unit", () => {
    expect(yearlyEmission(EXAMPLE)).toBe((880_000_000n * TOKENS * 26n) / 1000n);
  });
});

test.each([
  ["the rate before that decision", terms(519n, 10_000n * 4380n, 7200n), 5.19, 5.32701],
  ["the embedded chain", terms(999_999n, 62_500_000_000n, 7200n), 7.00799, 7.25933],
  ["an epoch of one second", terms(1n, 1_000_000_000n, 1n), 3.1536, 3.20385],
  ["an epoch of a year", terms(5n, 100n, 31_536_000n), 5, 5],
  ["an epoch that does not divide the year", terms(1n, 100_000n, 7000n), 4.50514, 4.60814],
  ["a chain that pays nothing", terms(0n, 1n, 7200n), 0, 0],
  ["a chain that pays nothing, otherwise written", terms(0n, 1_000_000n, 7200n), 0, 0],
])("%s", (_name, given, apr, apy) => {
  expect(stakingYield(given)).toMatchObject({ apr, apy });
});

test("a yield beyond what is published is none", () => {
  expect(termsProblem(terms(1n, 1n, 1n))).toBe("the yield is beyond 1000000 percent");
  // A stake that doubles 14 times in a year, and 13 times.
  expect(termsProblem(terms(1n, 1n, 31_536_000n / 14n))).toBe("the yield is beyond 1000000 percent");
  expect(termsProblem(terms(1n, 1n, 31_536_000n / 13n))).toBeNull();
});

test.each([
  [820_000_000n, 1_000_000_000n, 8_200_000n],
  [1n, 3n, 3_333_333n],
  [0n, 5n, 0n],
])("%s staked of %s are %s hundred-thousandths of a percent", (staked, supply, share) => {
  expect(stakedShare(staked, supply)).toBe(share);
});

test("property: compounding never lowers a rate, a commission never raises one, and all of it leaves nothing", () => {
  const rates = fc.bigInt({ min: 0n, max: 1_000n });
  const epochs = fc.bigInt({ min: 600n, max: 86_400n });
  fc.assert(
    fc.property(rates, epochs, fc.integer({ min: 0, max: 100 }), (numerator, epochSeconds, commission) => {
      const { apr, apy, net } = stakingYield(terms(numerator, 100_000_000n, epochSeconds), commission);
      expect(apy).toBeGreaterThanOrEqual(apr);
      expect(net?.apy).toBeLessThanOrEqual(apy);
      if (commission === 0) expect(net).toEqual({ apr, apy });
      if (commission === 100) expect(net).toEqual({ apr: 0, apy: 0 });
    }),
  );
});
