import type { Address } from "../../src/chain/address.ts";
import type { AccountAuthenticator } from "../codec/authenticator.ts";
import { authenticationKey } from "../codec/signing.ts";
import type { Payload, SignedTransaction } from "../codec/transaction.ts";

/** A signer with the authentication key that its public key proves; null without a key (simulation). */
export interface Signer {
  readonly address: Address;
  readonly authenticationKey: Uint8Array | null;
}

/** A transaction as the machine executes it, independent of the kind of authenticator. */
export interface UserTransaction {
  readonly sender: Signer;
  readonly secondary: readonly Signer[];
  /** Null: the sender pays. */
  readonly feePayer: Signer | null;
  readonly sequenceNumber: bigint;
  /** Scripts are refused whatever they contain. */
  readonly payload: Payload | { readonly kind: "script" };
  readonly maxGasAmount: bigint;
  readonly gasUnitPrice: bigint;
  readonly expirationSeconds: bigint;
  readonly chainId: number;
  /** Size of BCS(SignedTransaction). */
  readonly sizeBytes: number;
}

/**
 * The machine's view of a decoded transaction. `verifySignatures` checks the signatures and that there is one for each
 * named signer.
 */
export function userTransactionOf({ raw, authenticator }: SignedTransaction, sizeBytes: number): UserTransaction {
  const common = {
    sequenceNumber: raw.sequenceNumber,
    payload: raw.payload,
    maxGasAmount: raw.maxGasAmount,
    gasUnitPrice: raw.gasUnitPrice,
    expirationSeconds: raw.expirationTimestampSecs,
    chainId: raw.chainId,
    sizeBytes,
  };
  switch (authenticator.kind) {
    case "ed25519":
    case "multi_ed25519":
      return { ...common, sender: signerOf(raw.sender, authenticator), secondary: [], feePayer: null };
    case "single_sender":
      return { ...common, sender: signerOf(raw.sender, authenticator.sender), secondary: [], feePayer: null };
    case "multi_agent":
    case "fee_payer": {
      const { sender, secondaryAddresses, secondarySigners } = authenticator;
      const secondary = secondaryAddresses.map((address, index) => signerOf(address, secondarySigners[index]));
      const feePayer =
        authenticator.kind === "fee_payer"
          ? signerOf(authenticator.feePayerAddress, authenticator.feePayerSigner)
          : null;
      return { ...common, sender: signerOf(raw.sender, sender), secondary, feePayer };
    }
  }
}

/** A signer without a signature has no key, which never matches an account. */
function signerOf(address: Address, authenticator: AccountAuthenticator | undefined): Signer {
  const key = authenticator === undefined ? undefined : authenticationKey(authenticator);
  return { address, authenticationKey: key ?? null };
}
