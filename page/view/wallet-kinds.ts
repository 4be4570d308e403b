/** Place of a wallet's tokens, as written after "in". */
export const WALLET_KINDS = {
  account: "its account",
  stake_pool: "its stake pool",
  vesting: "a vesting contract",
  delegation: "delegated stake",
  staking_contract: "a staking contract",
  lock: "a lock contract",
} as const;

/** Writes a category of the schedule file as words: `public sale`. */
export const categoryText = (category: string): string => category.replaceAll("_", " ");
