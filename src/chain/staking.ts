/** Id of the yield product that a chain itself offers. */
export const NATIVE_STAKING = "native-staking";
export const YEAR_SECONDS = 31_536_000;
/** Largest yearly yield in percent; anything above it is taken for a mistake of the source. */
export const MAX_PERCENT = 1_000_000;

/** Terms of native staking on a chain, all read at one ledger version. */
export interface StakingTerms {
  /** Numerator of the reward rate: the share of the stake that one epoch pays at full performance. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly epochSeconds: bigint;
  /** Base units that earn rewards in the current epoch. */
  readonly staked: bigint;
}

/** States why terms are impossible, as a clause; null when they are possible. A rate of zero is possible. */
export function termsProblem(terms: StakingTerms): string | null {
  const { numerator, denominator, epochSeconds } = terms;
  if (denominator === 0n) return "the reward rate's denominator is 0";
  if (numerator > denominator) return "the reward rate is above 1";
  if (epochSeconds === 0n) return "the epoch's interval is 0 seconds";
  return yearlyPercent(terms).apy <= MAX_PERCENT ? null : `the yield is beyond ${MAX_PERCENT} percent`;
}

/**
 * Computes the yearly yield of an epoch's reward rate r, with n epochs in 365 days: the APR is r n, the APY expm1(n
 * log1p(r)).
 */
export function yearlyPercent(
  { numerator, denominator, epochSeconds }: StakingTerms,
  share = 1,
): { readonly apr: number; readonly apy: number } {
  const rate = (Number(numerator) / Number(denominator)) * share;
  const epochs = YEAR_SECONDS / Number(epochSeconds);
  return { apr: rate * epochs * 100, apy: Math.expm1(epochs * Math.log1p(rate)) * 100 };
}

/** Computes the staked share of the total supply, in hundred-thousandths of a percent. The total must not be 0. */
export function stakedShare(staked: bigint, totalSupply: bigint): bigint {
  return (staked * 10_000_000n) / totalSupply;
}

/** Computes the base units that a year of 365 days mints for the stake at most. */
export function yearlyEmission({ numerator, denominator, epochSeconds, staked }: StakingTerms): bigint {
  return (staked * numerator * BigInt(YEAR_SECONDS)) / (denominator * epochSeconds);
}
