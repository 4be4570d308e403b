import type { Session } from "../vm/session.ts";
import { FRAMEWORK } from "./addresses.ts";
import { defineModule, type ModuleDefinition, tupleView } from "./define.ts";
import { bool, struct, u64, u128 } from "./schema.ts";

/** A fraction in units of 2^-64. */
const fixedPoint64 = struct("0x1::fixed_point64::FixedPoint64", ["copy", "drop", "store"], { value: u128 });

/** The terms of staking. Its reward rate is the one of the chain's first days: see {@link stakingRewardsConfig}. */
export const stakingConfig = struct("0x1::staking_config::StakingConfig", ["copy", "drop", "key"], {
  minimum_stake: u64,
  maximum_stake: u64,
  recurring_lockup_duration_secs: u64,
  allow_validator_set_change: bool,
  rewards_rate: u64,
  rewards_rate_denominator: u64,
  voting_power_increase_limit: u64,
});

/** The rewards of one epoch as a share of the stake; once a chain has this, nothing reads the older rate. */
const stakingRewardsConfig = struct("0x1::staking_config::StakingRewardsConfig", ["copy", "drop", "key"], {
  rewards_rate: fixedPoint64,
  min_rewards_rate: fixedPoint64,
  rewards_rate_period_in_secs: u64,
  last_rewards_rate_period_start_in_secs: u64,
  rewards_rate_decrease_rate: fixedPoint64,
});

const TOKEN = 100_000_000n;
const ONE_IN_FIXED_POINT = 1n << 64n;
const MAX_U64 = ONE_IN_FIXED_POINT - 1n;
/** The largest numerator that `reward_rate` returns. */
const MAX_NUMERATOR = 1_000_000n;
const YEAR_SECONDS = 31_536_000n;

/** 16 millionths of the stake an epoch: with epochs of two hours, 7.008 percent a year. It does not decrease here. */
const REWARDS_RATE = { value: (16n * ONE_IN_FIXED_POINT) / 1_000_000n };

export function initializeStaking(session: Session): void {
  session.put(stakingConfig, FRAMEWORK, {
    minimum_stake: 1_000_000n * TOKEN,
    maximum_stake: 50_000_000n * TOKEN,
    recurring_lockup_duration_secs: 1_209_600n,
    allow_validator_set_change: true,
    // Outdated, as on public chains, so that a client that reads it is noticed.
    rewards_rate: 20n,
    rewards_rate_denominator: 1_000_000n,
    voting_power_increase_limit: 20n,
  });
  session.put(stakingRewardsConfig, FRAMEWORK, {
    rewards_rate: REWARDS_RATE,
    min_rewards_rate: REWARDS_RATE,
    rewards_rate_period_in_secs: YEAR_SECONDS,
    last_rewards_rate_period_start_in_secs: 0n,
    rewards_rate_decrease_rate: { value: 0n },
  });
}

/** The rate of one epoch as numerator and denominator, with the public framework's rounding. */
function rewardRate(session: Session): [numerator: bigint, denominator: bigint] {
  const { value } = session.get(stakingRewardsConfig, FRAMEWORK).rewards_rate;
  if (value === 0n) return [0n, 1n];
  const exact = (MAX_NUMERATOR * ONE_IN_FIXED_POINT) / value;
  const denominator = exact < MAX_U64 ? exact : MAX_U64;
  return [(denominator * value) / ONE_IN_FIXED_POINT, denominator];
}

export const stakingConfigModules: readonly ModuleDefinition[] = [
  defineModule("0x1::fixed_point64", { structs: [fixedPoint64] }),
  defineModule("0x1::staking_config", {
    friends: ["genesis", "stake"],
    structs: [stakingConfig, stakingRewardsConfig],
    functions: [tupleView("reward_rate", [], [u64, u64], rewardRate)],
  }),
];
