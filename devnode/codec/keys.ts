import type { Address } from "../../src/chain/address.ts";
import type { Reader, Writer } from "./bcs.ts";
import {
  ECDSA_KEY_BYTES,
  ECDSA_SIGNATURE_BYTES,
  ED25519_KEY_BYTES,
  ED25519_SIGNATURE_BYTES,
  readSized,
} from "./fixed-bytes.ts";
import { type KeylessSignature, readKeylessSignature, writeKeylessSignature } from "./keyless.ts";
import { readWebAuthn, type WebAuthnAssertion, writeWebAuthn } from "./web-authn.ts";

/** A public key that says its scheme (specification, PublicKey). Keyless ones are carried, never verified here. */
export type PublicKey =
  | { readonly kind: "ed25519" | "secp256k1_ecdsa" | "secp256r1_ecdsa"; readonly key: Uint8Array }
  | { readonly kind: "keyless"; readonly issuer: string; readonly identityCommitment: Uint8Array }
  | {
      readonly kind: "federated_keyless";
      readonly jwkAddress: Address;
      readonly issuer: string;
      readonly identityCommitment: Uint8Array;
    };

/** A signature that says its scheme (specification, Signature). */
export type Signature =
  | { readonly kind: "ed25519" | "secp256k1_ecdsa"; readonly signature: Uint8Array }
  | { readonly kind: "web_authn"; readonly assertion: WebAuthnAssertion }
  | { readonly kind: "keyless"; readonly signature: KeylessSignature };

const IDENTITY_COMMITMENT_BYTES = 32;

const KEY_KINDS = ["ed25519", "secp256k1_ecdsa", "secp256r1_ecdsa", "keyless", "federated_keyless"] as const;
const SIGNATURE_KINDS = ["ed25519", "secp256k1_ecdsa", "web_authn", "keyless"] as const;

export function readPublicKey(reader: Reader): PublicKey {
  const kind = KEY_KINDS[reader.variant(KEY_KINDS.length)] ?? "ed25519";
  switch (kind) {
    case "ed25519":
      return { kind, key: readSized(reader, ED25519_KEY_BYTES, "an Ed25519 public key") };
    case "secp256k1_ecdsa":
    case "secp256r1_ecdsa":
      return { kind, key: readSized(reader, ECDSA_KEY_BYTES, "an ECDSA public key") };
    case "keyless":
      return { kind, ...readKeylessKey(reader) };
    case "federated_keyless":
      return { kind, jwkAddress: reader.address(), ...readKeylessKey(reader) };
  }
}

export function writePublicKey(writer: Writer, key: PublicKey): void {
  writer.uleb(KEY_KINDS.indexOf(key.kind));
  switch (key.kind) {
    case "ed25519":
    case "secp256k1_ecdsa":
    case "secp256r1_ecdsa":
      writer.octets(key.key);
      return;
    case "keyless":
      writer.string(key.issuer).octets(key.identityCommitment);
      return;
    case "federated_keyless":
      writer.address(key.jwkAddress).string(key.issuer).octets(key.identityCommitment);
      return;
  }
}

export function readSignature(reader: Reader): Signature {
  const kind = SIGNATURE_KINDS[reader.variant(SIGNATURE_KINDS.length)] ?? "ed25519";
  switch (kind) {
    case "ed25519":
      return { kind, signature: readSized(reader, ED25519_SIGNATURE_BYTES, "an Ed25519 signature") };
    case "secp256k1_ecdsa":
      return { kind, signature: readSized(reader, ECDSA_SIGNATURE_BYTES, "an ECDSA signature") };
    case "web_authn":
      return { kind, assertion: readWebAuthn(reader) };
    case "keyless":
      return { kind, signature: readKeylessSignature(reader) };
  }
}

export function writeSignature(writer: Writer, signature: Signature): void {
  writer.uleb(SIGNATURE_KINDS.indexOf(signature.kind));
  switch (signature.kind) {
    case "ed25519":
    case "secp256k1_ecdsa":
      writer.octets(signature.signature);
      return;
    case "web_authn":
      writeWebAuthn(writer, signature.assertion);
      return;
    case "keyless":
      writeKeylessSignature(writer, signature.signature);
      return;
  }
}

function readKeylessKey(reader: Reader): { issuer: string; identityCommitment: Uint8Array } {
  return {
    issuer: reader.string(),
    identityCommitment: readSized(reader, IDENTITY_COMMITMENT_BYTES, "an identity commitment"),
  };
}
