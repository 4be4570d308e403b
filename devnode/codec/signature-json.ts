import { hexOf } from "../../src/chain/hex.ts";
import type { AccountAuthenticator, Authenticator, SecondarySigners } from "./authenticator.ts";
import { encode } from "./bcs.ts";
import type { JsonObject } from "./json-request.ts";
import { type PublicKey, publicKey, type Signature, signature } from "./keys.ts";

/** A transaction's signature (specification, TransactionSignature). */
export function signatureJson(authenticator: Authenticator): JsonObject {
  switch (authenticator.kind) {
    case "ed25519":
    case "multi_ed25519":
      return accountSignatureJson(authenticator);
    case "multi_agent":
      return { ...secondaryJson(authenticator), type: "multi_agent_signature" };
    case "fee_payer":
      return {
        ...secondaryJson(authenticator),
        fee_payer_address: authenticator.feePayerAddress,
        fee_payer_signer: accountSignatureJson(authenticator.feePayerSigner),
        type: "fee_payer_signature",
      };
    case "single_sender":
      return { ...accountSignatureJson(authenticator.sender), type: "single_sender" };
  }
}

function secondaryJson({ sender, secondaryAddresses, secondarySigners }: SecondarySigners): JsonObject {
  return {
    sender: accountSignatureJson(sender),
    secondary_signer_addresses: secondaryAddresses,
    secondary_signers: secondarySigners.map(accountSignatureJson),
  };
}

function accountSignatureJson(authenticator: AccountAuthenticator): JsonObject {
  switch (authenticator.kind) {
    case "ed25519":
      return {
        public_key: hexOf(authenticator.publicKey),
        signature: hexOf(authenticator.signature),
        type: "ed25519_signature",
      };
    case "multi_ed25519":
      return {
        public_keys: authenticator.publicKeys.map(hexOf),
        signatures: authenticator.signatures.map(hexOf),
        threshold: authenticator.threshold,
        bitmap: hexOf(authenticator.bitmap),
        type: "multi_ed25519_signature",
      };
    case "single_key":
      return {
        public_key: publicKeyJson(authenticator.publicKey),
        signature: anySignatureJson(authenticator.signature),
        type: "single_key_signature",
      };
    case "multi_key": {
      const indexes = signerIndexes(authenticator.bitmap);
      return {
        public_keys: authenticator.publicKeys.map(publicKeyJson),
        signatures: authenticator.signatures.map((each, position) => ({
          index: indexes[position] ?? 0,
          signature: anySignatureJson(each),
        })),
        signatures_required: authenticator.signaturesRequired,
        type: "multi_key_signature",
      };
    }
    case "no_account":
      return { type: "no_account_signature" };
  }
}

/** Which keys signed: bit 0 is the most significant bit of the first byte. */
function signerIndexes(bitmap: Uint8Array): number[] {
  const indexes: number[] = [];
  for (const [index, byte] of bitmap.entries()) {
    for (let bit = 0; bit < 8; bit += 1) if ((byte & (0x80 >> bit)) !== 0) indexes.push(8 * index + bit);
  }
  return indexes;
}

/** The bytes of a plain key; of a keyless one its BCS without the variant number. */
function publicKeyJson(key: PublicKey): JsonObject {
  const value = "key" in key ? key.key : encode(publicKey, key).slice(1);
  return { value: hexOf(value), type: key.kind };
}

function anySignatureJson(given: Signature): JsonObject {
  const isPlain = given.kind === "ed25519" || given.kind === "secp256k1_ecdsa";
  const value = isPlain ? given.signature : encode(signature, given).slice(1);
  return { value: hexOf(value), type: given.kind };
}
