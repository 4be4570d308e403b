/** Display names for the kinds of wallets in a schedule. */
export const WALLET_KINDS = {
  account: "account",
  stake_pool: "stake pool",
  vesting: "vesting contract",
  delegation: "delegated stake",
  staking_contract: "staking contract",
} as const;
