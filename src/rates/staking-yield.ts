import { type StakingTerms, YEAR_SECONDS, yearlyPercent } from "../chain/staking.ts";
import { type Percent, rounded } from "./percent.ts";

/** A yearly yield in percent, before and after an operator's commission. */
export interface StakingYield {
  readonly epochsPerYear: number;
  readonly apr: Percent;
  readonly apy: Percent;
  /** null: no commission was given. */
  readonly net: { readonly apr: Percent; readonly apy: Percent } | null;
}

/**
 * Computes the yield of staking. A commission is taken from the rewards alone, so a delegator gets the rest of the
 * rate. A rate of 0 yields 0.
 */
export function stakingYield(terms: StakingTerms, commissionPercent: Percent | null = null): StakingYield {
  return {
    epochsPerYear: YEAR_SECONDS / Number(terms.epochSeconds),
    ...yearly(terms, 1),
    net: commissionPercent === null ? null : yearly(terms, 1 - commissionPercent / 100),
  };
}

function yearly(terms: StakingTerms, share: number): { readonly apr: Percent; readonly apy: Percent } {
  const { apr, apy } = yearlyPercent(terms, share);
  return { apr: rounded(apr), apy: rounded(apy) };
}
