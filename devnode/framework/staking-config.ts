import type { Session } from "../vm/session.ts";
import { FRAMEWORK } from "./addresses.ts";
import { defineModule, tupleView } from "./define.ts";
import { bool, struct, u64 } from "./schema.ts";

/** Rewards of one epoch are a share of the stake: rate over denominator. */
export const stakingConfig = struct("0x1::staking_config::StakingConfig", ["copy", "drop", "key"], {
  minimum_stake: u64,
  maximum_stake: u64,
  recurring_lockup_duration_secs: u64,
  allow_validator_set_change: bool,
  rewards_rate: u64,
  rewards_rate_denominator: u64,
  voting_power_increase_limit: u64,
});

const TOKEN = 100_000_000n;

/** 16 millionths of the stake an epoch: with epochs of two hours, 7.008 percent a year. */
export function initializeStaking(session: Session): void {
  session.put(stakingConfig, FRAMEWORK, {
    minimum_stake: 1_000_000n * TOKEN,
    maximum_stake: 50_000_000n * TOKEN,
    recurring_lockup_duration_secs: 1_209_600n,
    allow_validator_set_change: true,
    rewards_rate: 16n,
    rewards_rate_denominator: 1_000_000n,
    voting_power_increase_limit: 20n,
  });
}

export const stakingConfigModule = defineModule("0x1::staking_config", {
  friends: ["genesis", "stake"],
  structs: [stakingConfig],
  functions: [
    tupleView("reward_rate", [], [u64, u64], (session) => {
      const { rewards_rate, rewards_rate_denominator } = session.get(stakingConfig, FRAMEWORK);
      return [rewards_rate, rewards_rate_denominator];
    }),
  ],
});
