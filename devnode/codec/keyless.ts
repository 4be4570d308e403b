import type { Reader, Writer } from "./bcs.ts";
import { readWebAuthn, type WebAuthnAssertion, writeWebAuthn } from "./web-authn.ts";

/** A keyless signature as it travels. It is carried and printed; verifying one needs an identity provider's keys. */
export interface KeylessSignature {
  readonly certificate: KeylessCertificate;
  readonly jwtHeader: string;
  readonly expirySecs: bigint;
  readonly ephemeralKey: EphemeralKey;
  readonly ephemeralSignature: EphemeralSignature;
}

export type KeylessCertificate =
  | {
      readonly kind: "zero_knowledge";
      /** A Groth16 proof: points of 32, 64 and 32 octets. */
      readonly proof: Uint8Array;
      readonly horizonSecs: bigint;
      readonly extraField: string | null;
      readonly audienceOverride: string | null;
      readonly trainingWheels: EphemeralSignature | null;
    }
  | {
      readonly kind: "open_id";
      readonly jwtSignature: Uint8Array;
      readonly jwtPayload: string;
      readonly uidKey: string;
      readonly blinder: Uint8Array;
      readonly pepper: Uint8Array;
      readonly audience: string | null;
    };

export interface EphemeralKey {
  readonly kind: "ed25519" | "secp256r1_ecdsa";
  readonly key: Uint8Array;
}

export type EphemeralSignature =
  | { readonly kind: "ed25519"; readonly signature: Uint8Array }
  | { readonly kind: "web_authn"; readonly assertion: WebAuthnAssertion };

const PROOF_BYTES = 128;
const PEPPER_BYTES = 31;
const EPHEMERAL_KEYS = ["ed25519", "secp256r1_ecdsa"] as const;

export function readKeylessSignature(reader: Reader): KeylessSignature {
  return {
    certificate: readCertificate(reader),
    jwtHeader: reader.string(),
    expirySecs: reader.u64(),
    ephemeralKey: readEphemeralKey(reader),
    ephemeralSignature: readEphemeralSignature(reader),
  };
}

export function writeKeylessSignature(writer: Writer, signature: KeylessSignature): void {
  writeCertificate(writer, signature.certificate);
  writer.string(signature.jwtHeader).u64(signature.expirySecs);
  writer.uleb(EPHEMERAL_KEYS.indexOf(signature.ephemeralKey.kind)).octets(signature.ephemeralKey.key);
  writeEphemeralSignature(writer, signature.ephemeralSignature);
}

function readCertificate(reader: Reader): KeylessCertificate {
  if (reader.variant(2) === 0) {
    reader.variant(1);
    return {
      kind: "zero_knowledge",
      proof: reader.fixed(PROOF_BYTES),
      horizonSecs: reader.u64(),
      extraField: reader.option((inner) => inner.string()),
      audienceOverride: reader.option((inner) => inner.string()),
      trainingWheels: reader.option(readEphemeralSignature),
    };
  }
  return {
    kind: "open_id",
    jwtSignature: reader.octets(),
    jwtPayload: reader.string(),
    uidKey: reader.string(),
    blinder: reader.octets(),
    pepper: reader.fixed(PEPPER_BYTES),
    audience: reader.option((inner) => inner.string()),
  };
}

function writeCertificate(writer: Writer, certificate: KeylessCertificate): void {
  const writeText = (inner: Writer, text: string): unknown => inner.string(text);
  if (certificate.kind === "zero_knowledge") {
    writer.uleb(0).uleb(0).fixed(certificate.proof).u64(certificate.horizonSecs);
    writer.option(certificate.extraField, writeText).option(certificate.audienceOverride, writeText);
    writer.option(certificate.trainingWheels, writeEphemeralSignature);
    return;
  }
  writer.uleb(1).octets(certificate.jwtSignature).string(certificate.jwtPayload).string(certificate.uidKey);
  writer.octets(certificate.blinder).fixed(certificate.pepper).option(certificate.audience, writeText);
}

function readEphemeralKey(reader: Reader): EphemeralKey {
  const kind = EPHEMERAL_KEYS[reader.variant(EPHEMERAL_KEYS.length)] ?? "ed25519";
  return { kind, key: reader.octets() };
}

function readEphemeralSignature(reader: Reader): EphemeralSignature {
  return reader.variant(2) === 0
    ? { kind: "ed25519", signature: reader.octets() }
    : { kind: "web_authn", assertion: readWebAuthn(reader) };
}

function writeEphemeralSignature(writer: Writer, signature: EphemeralSignature): void {
  if (signature.kind === "ed25519") writer.uleb(0).octets(signature.signature);
  else writeWebAuthn(writer.uleb(1), signature.assertion);
}
