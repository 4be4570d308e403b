import { sizedBytes, struct, union, type ValueOf } from "./bcs.ts";
import { federatedKeylessPublicKey, keylessPublicKey, keylessSignature } from "./keyless.ts";
import { ECDSA_SIGNATURE_BYTES, webAuthnAssertion } from "./web-authn.ts";

export const ED25519_KEY_BYTES = 32;
export const ED25519_SIGNATURE_BYTES = 64;
/** An uncompressed curve point: 0x04, x, y. */
const ECDSA_KEY_BYTES = 65;

export const ed25519PublicKey = sizedBytes(ED25519_KEY_BYTES, "an Ed25519 public key");
export const ed25519Signature = sizedBytes(ED25519_SIGNATURE_BYTES, "an Ed25519 signature");
const ecdsaPublicKey = sizedBytes(ECDSA_KEY_BYTES, "an ECDSA public key");

/**
 * A public key with its scheme (specification, PublicKey; `AnyPublicKey` in types/src/transaction/authenticator.rs).
 * Keyless ones are carried, never verified here.
 */
export const publicKey = union({
  ed25519: struct({ key: ed25519PublicKey }),
  secp256k1_ecdsa: struct({ key: ecdsaPublicKey }),
  secp256r1_ecdsa: struct({ key: ecdsaPublicKey }),
  keyless: keylessPublicKey,
  federated_keyless: federatedKeylessPublicKey,
});

/** A signature with its scheme (specification, Signature; `AnySignature` in types/src/transaction/authenticator.rs). */
export const signature = union({
  ed25519: struct({ signature: ed25519Signature }),
  secp256k1_ecdsa: struct({ signature: sizedBytes(ECDSA_SIGNATURE_BYTES, "an ECDSA signature") }),
  web_authn: struct({ assertion: webAuthnAssertion }),
  keyless: struct({ signature: keylessSignature }),
});

export type PublicKey = ValueOf<typeof publicKey>;
export type Signature = ValueOf<typeof signature>;
