export const YEAR_SECONDS = 31_536_000;

/** What a chain says of native staking, all at one ledger version. */
export interface StakingTerms {
  /** The reward of one epoch as a share of the stake, at full performance, is numerator over denominator. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly epochSeconds: bigint;
  /** Base units that earn rewards in the current epoch. */
  readonly staked: bigint;
}

/** Why no chain has these terms, as a clause; null: one can. A rate of zero is one. */
export function whyNoTerms({ numerator, denominator, epochSeconds }: StakingTerms): string | null {
  if (denominator === 0n) return "the reward rate's denominator is 0";
  if (numerator > denominator) return "the reward rate is above 1";
  return epochSeconds === 0n ? "the epoch's interval is 0 seconds" : null;
}

/** The share of the total supply that is staked, in hundred-thousandths of a percent; null when nothing exists. */
export function stakedShare(staked: bigint, totalSupply: bigint): bigint | null {
  return totalSupply === 0n ? null : (staked * 10_000_000n) / totalSupply;
}

/** Base units that a year of 365 days mints for this stake at most. */
export function yearlyEmission({ numerator, denominator, epochSeconds, staked }: StakingTerms): bigint {
  return (staked * numerator * BigInt(YEAR_SECONDS)) / (denominator * epochSeconds);
}
