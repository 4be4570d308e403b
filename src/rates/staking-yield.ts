import { type StakingTerms, YEAR_SECONDS } from "../chain/staking.ts";
import { type Percent, rounded } from "./percent.ts";
import { MAX_PERCENT } from "./row-validation.ts";

/** A yearly yield in percent, before an operator's commission and after it. */
export interface StakingYield {
  readonly epochsPerYear: number;
  readonly apr: Percent;
  readonly apy: Percent;
  /** null: no commission was given. */
  readonly net: { readonly apr: Percent; readonly apy: Percent } | null;
}

/**
 * With r the reward of one epoch and n the epochs of a year of 365 days: APR = r n, APY = expm1(n log1p(r)). A
 * commission c is taken of the rewards alone, so r (1 - c) is what a delegator earns. A string says why there is no
 * yield; a rate of zero is a yield of zero.
 */
export function stakingYield(terms: StakingTerms, commissionPercent: Percent | null = null): StakingYield | string {
  const { numerator, denominator, epochSeconds } = terms;
  const epochsPerYear = YEAR_SECONDS / Number(epochSeconds);
  const rate = Number(numerator) / Number(denominator);
  const gross = yearly(rate, epochsPerYear);
  if (!(gross.apy <= MAX_PERCENT)) return `the yield is beyond ${MAX_PERCENT} percent`;
  const net = commissionPercent === null ? null : yearly(rate * (1 - commissionPercent / 100), epochsPerYear);
  return { epochsPerYear, ...gross, net };
}

function yearly(rate: number, epochsPerYear: number): { readonly apr: Percent; readonly apy: Percent } {
  const apr = rounded(rate * epochsPerYear * 100);
  return { apr, apy: rounded(Math.expm1(epochsPerYear * Math.log1p(rate)) * 100) };
}
