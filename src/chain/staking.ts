export const YEAR_SECONDS = 31_536_000;
/** A yearly yield beyond it is a mistake of whoever states it. */
export const MAX_PERCENT = 1_000_000;

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
export function whyNoTerms(terms: StakingTerms): string | null {
  const { numerator, denominator, epochSeconds } = terms;
  if (denominator === 0n) return "the reward rate's denominator is 0";
  if (numerator > denominator) return "the reward rate is above 1";
  if (epochSeconds === 0n) return "the epoch's interval is 0 seconds";
  return yearlyPercent(terms).apy <= MAX_PERCENT ? null : `the yield is beyond ${MAX_PERCENT} percent`;
}

/** The reward of one epoch, r, over the n epochs of a year of 365 days: r n, and compounded expm1(n log1p(r)). */
export function yearlyPercent(
  { numerator, denominator, epochSeconds }: StakingTerms,
  share = 1,
): { readonly apr: number; readonly apy: number } {
  const rate = (Number(numerator) / Number(denominator)) * share;
  const epochs = YEAR_SECONDS / Number(epochSeconds);
  return { apr: rate * epochs * 100, apy: Math.expm1(epochs * Math.log1p(rate)) * 100 };
}

/** The share of the total supply, which is not zero, that is staked, in hundred-thousandths of a percent. */
export function stakedShare(staked: bigint, totalSupply: bigint): bigint {
  return (staked * 10_000_000n) / totalSupply;
}

/** Base units that a year of 365 days mints for this stake at most. */
export function yearlyEmission({ numerator, denominator, epochSeconds, staked }: StakingTerms): bigint {
  return (staked * numerator * BigInt(YEAR_SECONDS)) / (denominator * epochSeconds);
}
