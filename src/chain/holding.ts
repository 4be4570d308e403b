/** Id of the token's first chain, as wallets name it in `chain`. */
export const NATIVE_CHAIN = "native";

/** Kinds of holdings, each with the member that it needs besides the address. */
export const HOLDING_KINDS = {
  account: null,
  stake_pool: null,
  vesting: null,
  delegation: "pool",
  staking_contract: "operator",
  lock: "view",
} as const;
export type HoldingKind = keyof typeof HOLDING_KINDS;

/**
 * Tokens of one owner in one place. An address on a chain of the token has the canonical form of the chain's family.
 */
export type Holding = {
  readonly chain: string;
  readonly address: string;
  readonly label: string;
} & (
  | { readonly holds: "account" | "stake_pool" | "vesting" }
  /** Stake that `address` has delegated to a delegation pool. */
  | { readonly holds: "delegation"; readonly pool: string }
  /** Stake that `address` has with an operator. */
  | { readonly holds: "staking_contract"; readonly operator: string }
  /**
   * Tokens at `address` that a contract reports as locked, by the view of this signature. `contract`: the contract, if
   * the view is about an address; null: `address` itself.
   */
  | { readonly holds: "lock"; readonly view: string; readonly contract: string | null }
);
