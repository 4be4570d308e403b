/** Display names for the kinds of wallets in a schedule. */
export const WALLET_KINDS = {
  account: "account",
  stake_pool: "stake pool",
  vesting: "vesting contract",
} as const;
