/** A call of a view function: `function` as `0x1::coin::supply`, arguments as JSON values. */
export interface ViewCall {
  readonly function: string;
  readonly typeArguments: readonly string[];
  readonly arguments: readonly unknown[];
  readonly ledgerVersion: bigint;
}

export type ViewResult =
  | {
      readonly kind: "returned";
      readonly values: readonly unknown[];
      /** The ledger version of the response; null when the node reported none. */
      readonly ledgerVersion: bigint | null;
    }
  /** The node returned an error, or a body that is not the result of a view. */
  | { readonly kind: "refused"; readonly status: number }
  /** The node did not respond. */
  | { readonly kind: "unavailable" };

/** Call that reads a resource of an account; its result has one value, the resource's members. */
export interface ResourceCall {
  readonly address: string;
  readonly type: string;
  readonly ledgerVersion: bigint;
}

/** Reads a resource of one node, past every cache. Never rejects. */
export type ReadResource = (call: ResourceCall) => Promise<ViewResult>;

/** Runs a view function at one node, past every cache. Never rejects. */
export type ReadView = (call: ViewCall) => Promise<ViewResult>;
