/** A rate in percent: 5.25 means 5.25 %. At most five decimals after {@link rounded}. */
export type Percent = number;

const UNITS_PER_PERCENT = 100_000;

/** Rounds to five decimals, half away from zero on the number's exact value. Never -0. */
export function rounded(percent: number): Percent {
  const value = Number(percent.toFixed(5));
  return value === 0 ? 0 : value;
}

/** Adds two rounded rates exactly, in hundred-thousandths, so that 0.1 + 0.2 is 0.3. */
export function sum(left: Percent, right: Percent): Percent {
  return (Math.round(left * UNITS_PER_PERCENT) + Math.round(right * UNITS_PER_PERCENT)) / UNITS_PER_PERCENT;
}

/** Converts a rounded rate to hundred-thousandths of a percent. */
export function unitsOf(percent: Percent): bigint {
  return BigInt(Math.round(percent * UNITS_PER_PERCENT));
}

/**
 * Annual yield of a simple annual rate compounded `compoundsPerYear` times: ((1 + apr/n)^n - 1). With 0 nothing
 * compounds and the yield is the rate. log1p and expm1 keep it exact to five decimals for any n.
 */
export function apyOf(apr: Percent, compoundsPerYear: number): Percent {
  if (compoundsPerYear === 0) return rounded(apr);
  return rounded(Math.expm1(compoundsPerYear * Math.log1p(apr / 100 / compoundsPerYear)) * 100);
}
