import type { Reader, Writer } from "./bcs.ts";
import { ECDSA_SIGNATURE_BYTES, readSized } from "./fixed-bytes.ts";

/** What an authenticator device returned: a P-256 signature over its own data and the client's. */
export interface WebAuthnAssertion {
  readonly signature: Uint8Array;
  readonly authenticatorData: Uint8Array;
  readonly clientDataJson: Uint8Array;
}

/** The assertion's signature is itself an enum, of which P-256 is the only member. */
export function readWebAuthn(reader: Reader): WebAuthnAssertion {
  reader.variant(1);
  const signature = readSized(reader, ECDSA_SIGNATURE_BYTES, "an ECDSA signature");
  return { signature, authenticatorData: reader.octets(), clientDataJson: reader.octets() };
}

export function writeWebAuthn(writer: Writer, assertion: WebAuthnAssertion): void {
  writer.uleb(0).octets(assertion.signature).octets(assertion.authenticatorData).octets(assertion.clientDataJson);
}
