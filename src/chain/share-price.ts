/** Yield product whose rate is the growth of what one share is worth, as a view of a contract reports it. */
export interface SharePrice {
  /** Id of the product. */
  readonly id: string;
  readonly name: string;
  readonly kind: "staking" | "liquid_staking" | "lending" | "vault" | "savings" | "liquidity";
  readonly provider: string;
  /** Page of the product; null: the schedule names none. */
  readonly url: string | null;
  readonly asset: { readonly symbol: string; readonly address: string | null; readonly decimals: number | null };
  /** Id of the chain of the token on which the contract is. */
  readonly chain: string;
  readonly contract: string;
  /** Signature of the view. */
  readonly view: string;
  /** Decimals of the shares, or of the rate if the view takes no shares. */
  readonly decimals: number;
}

/** Price at one version of a chain, as a node reports it. */
export interface ReportedPrice {
  /** Value of the view. */
  readonly value: bigint;
  /** Time of the block by the chain's clock, in milliseconds since 1970. */
  readonly atMs: number;
}

/** Price at a version, with the time at which it was read. */
export interface AcceptedPrice extends ReportedPrice {
  readonly ledgerVersion: bigint;
  readonly readAtMs: number;
}

/** State of a share's price after a reading. Plain data, to be stored. */
export interface SharePriceState {
  /** Id of the product. */
  readonly id: string;
  /** Series of the price, see {@link seriesOf}. */
  readonly series: string;
  /** The last accepted price, of any age; null: none was ever accepted. */
  readonly price: AcceptedPrice | null;
  /** The last confirmed price, with which a lone report is compared; null: none was ever confirmed. */
  readonly reference: bigint | null;
  /** Price far from the reference, which a later reading must repeat; null: no price waits. */
  readonly doubt: AcceptedPrice | null;
  /** Labels of the nodes that reported the price in this reading; empty when `unreadable` is not null. */
  readonly confirmedBy: readonly string[];
  /** Reason why this reading has no price, so that `price` is an earlier one; null when it has one. */
  readonly unreadable: string | null;
}

/**
 * Names a series of prices by everything that makes them, so that prices of another view, or of another network that has
 * the same address, are never compared. `chainId`: the chain's id; null: it is learned from the nodes.
 */
export function seriesOf(
  { chain, contract, view, decimals }: Pick<SharePrice, "chain" | "contract" | "view" | "decimals">,
  chainId: number | null,
): string {
  return `${chain} ${chainId} ${contract} ${view} ${decimals}`;
}
