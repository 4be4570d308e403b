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

/** Base units that a year of 365 days mints for this stake at most; 0 for terms that are none. */
export function yearlyEmission({ numerator, denominator, epochSeconds, staked }: StakingTerms): bigint {
  const epochs = denominator * epochSeconds;
  return epochs === 0n ? 0n : (staked * numerator * BigInt(YEAR_SECONDS)) / epochs;
}
