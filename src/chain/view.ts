/** A call of a view function: `function` as `0x1::coin::supply`, arguments as JSON values. */
export interface ViewCall {
  readonly function: string;
  readonly typeArguments: readonly string[];
  readonly arguments: readonly unknown[];
  /** Null: at the newest version. */
  readonly ledgerVersion: bigint | null;
}

export type ViewResult =
  | {
      readonly kind: "returned";
      readonly values: readonly unknown[];
      /** Of the ledger when the node answered; null when it did not say. */
      readonly ledgerVersion: bigint | null;
      /** Whole seconds since the values were last known to be current. */
      readonly ageSeconds: number;
    }
  /** The node answered with an error of its own, or with something that is no view's result. */
  | { readonly kind: "refused"; readonly status: number }
  /** No node answered. */
  | { readonly kind: "unavailable" };

/** Runs a view function through the gateway with its cache, coalescing and failover. Never rejects. */
export type ReadView = (call: ViewCall) => Promise<ViewResult>;
