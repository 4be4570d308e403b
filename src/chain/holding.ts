/** The `chain` of addresses on the token's first chain. */
export const NATIVE_CHAIN = "native";

/** Kinds of holdings, each with the member that it needs besides an address. */
export const HOLDS = {
  account: null,
  stake_pool: null,
  vesting: null,
  delegation: "pool",
  staking_contract: "operator",
} as const;
export type Holds = keyof typeof HOLDS;

/** Tokens of one owner, of one kind. Addresses on a chain of the token are canonical in its family's form. */
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
);
