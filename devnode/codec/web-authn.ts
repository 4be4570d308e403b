import { bytes, onlyVariant, sizedBytes, struct, type ValueOf } from "./bcs.ts";

export const ECDSA_SIGNATURE_BYTES = 64;

/**
 * `PartialAuthenticatorAssertionResponse` (types/src/transaction/webauthn.rs): what an authenticator device returned,
 * a P-256 signature over its own data and the client's. The signature is an enum whose only variant is P-256.
 */
export const webAuthnAssertion = struct({
  signature: onlyVariant(sizedBytes(ECDSA_SIGNATURE_BYTES, "an ECDSA signature")),
  authenticatorData: bytes,
  clientDataJson: bytes,
});

export type WebAuthnAssertion = ValueOf<typeof webAuthnAssertion>;
