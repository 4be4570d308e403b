/** A call of a view function: `function` as `0x1::coin::supply`, arguments as JSON values. */
export interface ViewCall {
  readonly function: string;
  readonly typeArguments: readonly string[];
  readonly arguments: readonly unknown[];
  /** Null: the newest version. */
  readonly ledgerVersion: bigint | null;
}

export type ViewResult =
  | {
      readonly kind: "returned";
      readonly values: readonly unknown[];
      /** The ledger version of the response; null when the node reported none. */
      readonly ledgerVersion: bigint | null;
      /** Whole seconds since the values were last confirmed as current. */
      readonly ageSeconds: number;
    }
  /** The node returned an error, or a body that is not the result of a view. */
  | { readonly kind: "refused"; readonly status: number }
  /** No node responded. */
  | { readonly kind: "unavailable" };

/** Runs a view function through the gateway, with its cache, coalescing and failover. Never rejects. */
export type ReadView = (call: ViewCall) => Promise<ViewResult>;

/**
 * What each upstream answers to a view at an explicit ledger version, past every cache and without failover: one entry
 * per upstream that returned values at exactly that version. An upstream that is excluded, does not answer in time or
 * answers an error has none. All upstreams are asked at the same time. Never rejects.
 */
export type ConfirmView = (call: ViewCall, ledgerVersion: bigint) => Promise<readonly (readonly unknown[])[]>;
