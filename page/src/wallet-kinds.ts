/** What an address of the schedule is on chain, in words. */
export const WALLET_KINDS = {
  account: "account",
  stake_pool: "stake pool",
  vesting: "vesting contract",
} as const;
