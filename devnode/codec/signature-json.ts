import { hexOf } from "../../src/chain/hex.ts";
import type { AccountAuthenticator, Authenticator, SecondarySigners } from "./authenticator.ts";
import { encodeBcs } from "./bcs.ts";
import { type PublicKey, type Signature, writePublicKey, writeSignature } from "./keys.ts";

type Json = Readonly<Record<string, unknown>>;

/** A transaction's signature (specification, TransactionSignature). */
export function signatureJson(authenticator: Authenticator): Json {
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

function secondaryJson({ sender, secondaryAddresses, secondarySigners }: SecondarySigners): Json {
  return {
    sender: accountSignatureJson(sender),
    secondary_signer_addresses: secondaryAddresses,
    secondary_signers: secondarySigners.map(accountSignatureJson),
  };
}

function accountSignatureJson(authenticator: AccountAuthenticator): Json {
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
      const places = placesOf(authenticator.bitmap);
      return {
        public_keys: authenticator.publicKeys.map(publicKeyJson),
        signatures: authenticator.signatures.map((signature, index) => ({
          index: places[index] ?? 0,
          signature: anySignatureJson(signature),
        })),
        signatures_required: authenticator.signaturesRequired,
        type: "multi_key_signature",
      };
    }
    case "no_account":
      return { type: "no_account_signature" };
  }
}

/** Which keys signed: bit 0 is the most significant of the first octet. */
function placesOf(bitmap: Uint8Array): number[] {
  const places: number[] = [];
  for (const [index, octet] of bitmap.entries()) {
    for (let bit = 0; bit < 8; bit += 1) if ((octet & (0x80 >> bit)) !== 0) places.push(8 * index + bit);
  }
  return places;
}

/** Plain keys are shown as they are; keyless ones as their BCS without the number of their kind. */
function publicKeyJson(key: PublicKey): Json {
  const value = "key" in key ? key.key : encodeBcs((writer) => writePublicKey(writer, key)).slice(1);
  return { value: hexOf(value), type: key.kind };
}

function anySignatureJson(signature: Signature): Json {
  const plain = signature.kind === "ed25519" || signature.kind === "secp256k1_ecdsa";
  const value = plain ? signature.signature : encodeBcs((writer) => writeSignature(writer, signature)).slice(1);
  return { value: hexOf(value), type: signature.kind };
}
