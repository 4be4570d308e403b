import type { Address } from "../../src/chain/address.ts";
import type { EntryFunctionId } from "../../src/chain/entry-function.ts";
import type { TypeTag } from "../../src/chain/type-tag.ts";

/** One who signed, with what its key would have to be recorded as; null where no key was given (simulation). */
export interface Signer {
  readonly address: Address;
  readonly authenticationKey: Uint8Array | null;
}

export interface EntryCall {
  readonly function: EntryFunctionId;
  readonly typeArguments: readonly TypeTag[];
  /** BCS of each argument. */
  readonly arguments: readonly Uint8Array[];
}

export type Payload =
  | { readonly kind: "entry_function"; readonly call: EntryCall }
  /** `call` null: run what the multisig account has stored. */
  | { readonly kind: "multisig"; readonly address: Address; readonly call: EntryCall | null }
  | { readonly kind: "script" };

/** A transaction as the machine sees it, whatever its authenticator looked like. */
export interface UserTransaction {
  readonly sender: Signer;
  readonly secondary: readonly Signer[];
  /** Null: the sender pays. */
  readonly feePayer: Signer | null;
  readonly sequenceNumber: bigint;
  readonly payload: Payload;
  readonly maxGasAmount: bigint;
  readonly gasUnitPrice: bigint;
  readonly expirationSeconds: bigint;
  readonly chainId: number;
  /** Octets of BCS(SignedTransaction). */
  readonly sizeBytes: number;
}
