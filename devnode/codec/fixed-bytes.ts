import { BcsError, type Reader } from "./bcs.ts";

/** Octets of each fixed-size key and signature. */
export const ED25519_KEY_BYTES = 32;
export const ED25519_SIGNATURE_BYTES = 64;
export const ECDSA_KEY_BYTES = 65;
export const ECDSA_SIGNATURE_BYTES = 64;

/** Octets with a length in front that can only be `count`. */
export function readSized(reader: Reader, count: number, what: string): Uint8Array {
  const octets = reader.octets();
  if (octets.length !== count) throw new BcsError(`${what} has ${octets.length} octets, not ${count}`);
  return octets;
}
