import { instantText } from "../base/utc.ts";
import { type BaseUnits, tokenText } from "../chain/amount.ts";
import { NATIVE_STAKING, type StakingTerms, stakedShare, yearlyEmission } from "../chain/staking.ts";
import type { Percent } from "./percent.ts";
import { CURRENT_SECONDS, type Product } from "./product.ts";
import { stakingYield } from "./staking-yield.ts";

/** A reading of native staking. */
export interface StakingReading {
  readonly terms: StakingTerms;
  readonly ledgerVersion: bigint;
  readonly readAtMs: number;
  /** Total supply at that version, in base units; null: not known. */
  readonly total: BaseUnits | null;
}

export interface StakedToken {
  readonly symbol: string;
  readonly address: string;
  readonly decimals: number;
}

const FORMULA =
  "r = numerator / denominator; n = 31536000 / epoch_seconds; apr = 100 r n; apy = 100 ((1 + r)^n - 1); net of a commission c: r (1 - c) for r";

/** The product that the chain itself offers. Anyone can recompute it from any node. */
export function nativeStaking(
  { terms, ledgerVersion, readAtMs, total }: StakingReading,
  asset: StakedToken,
  commissionPercent: Percent | null,
): Product {
  const { apr, apy, net, epochsPerYear } = stakingYield(terms, commissionPercent);
  const share = total === null ? null : stakedShare(terms.staked, total);
  const staked = tokenText(terms.staked, asset.decimals);
  return {
    id: NATIVE_STAKING,
    name: "Native staking",
    kind: "staking",
    provider: "Protocol",
    url: null,
    chain: null,
    asset,
    reward_assets: [asset.symbol],
    apy,
    apy_base: apy,
    apy_reward: 0,
    apr,
    compounds_per_year: Number.isInteger(epochsPerYear) ? epochsPerYear : null,
    rate_type: "variable",
    window: "spot",
    apy_mean_30d: null,
    apy_change_7d: null,
    tvl: staked,
    tvl_usd: null,
    min_deposit: null,
    lockup_seconds: null,
    cooldown_seconds: null,
    status: "active",
    as_of: instantText(readAtMs),
    stale_after: instantText(readAtMs + CURRENT_SECONDS * 1000),
    source: "ledger",
    featured: false,
    order: 0,
    // Marks the rate as a maximum: a pool earns less when it misses proposals, and its operator takes a commission.
    gross: true,
    commission_percent: commissionPercent,
    apr_net: net?.apr ?? null,
    apy_net: net?.apy ?? null,
    staked,
    staked_percent: share === null ? null : Number(share) / 100_000,
    yearly_emission: tokenText(yearlyEmission(terms), asset.decimals),
    methodology: {
      formula: FORMULA,
      numerator: String(terms.numerator),
      denominator: String(terms.denominator),
      epoch_seconds: Number(terms.epochSeconds),
      epochs_per_year: epochsPerYear,
      staked_base_units: String(terms.staked),
      ledger_version: String(ledgerVersion),
    },
  };
}
