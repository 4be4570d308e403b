import { address, bytes, fixedBytes, onlyVariant, option, sizedBytes, string, struct, u64, union } from "./bcs.ts";
import { webAuthnAssertion } from "./web-authn.ts";

/*
 * Keyless keys and signatures (types/src/keyless/mod.rs). They are carried and printed; verifying one needs the keys
 * of an identity provider.
 */

const COMMITMENT_BYTES = 32;
/** A Groth16 proof: points of 32, 64 and 32 bytes. */
const PROOF_BYTES = 128;
const PEPPER_BYTES = 31;

const publicKeyFields = { issuer: string, identityCommitment: sizedBytes(COMMITMENT_BYTES, "an identity commitment") };

/** `KeylessPublicKey`. */
export const keylessPublicKey = struct(publicKeyFields);
/** `FederatedKeylessPublicKey`: the address holds the provider's keys. */
export const federatedKeylessPublicKey = struct({ jwkAddress: address, ...publicKeyFields });

/** `EphemeralPublicKey`. */
const ephemeralKey = union({ ed25519: struct({ key: bytes }), secp256r1_ecdsa: struct({ key: bytes }) });

/** `EphemeralSignature`. */
const ephemeralSignature = union({
  ed25519: struct({ signature: bytes }),
  web_authn: struct({ assertion: webAuthnAssertion }),
});

/** `EphemeralCertificate`: `ZeroKnowledgeSig` (Groth16 is the proof's only variant) or `OpenIdSig`. */
const certificate = union({
  zero_knowledge: struct({
    proof: onlyVariant(fixedBytes(PROOF_BYTES)),
    horizonSecs: u64,
    extraField: option(string),
    audienceOverride: option(string),
    trainingWheels: option(ephemeralSignature),
  }),
  open_id: struct({
    jwtSignature: bytes,
    jwtPayload: string,
    uidKey: string,
    blinder: bytes,
    pepper: fixedBytes(PEPPER_BYTES),
    audience: option(string),
  }),
});

/** `KeylessSignature`. */
export const keylessSignature = struct({
  certificate,
  jwtHeader: string,
  expirySecs: u64,
  ephemeralKey,
  ephemeralSignature,
});
