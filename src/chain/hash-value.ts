import { hexOf } from "./hex.ts";

/** A transaction or block hash in canonical form: `0x` and 64 lower-case digits. */
export type HashValue = string & { readonly brand: "HashValue" };

const FORM = /^(?:0x)?([0-9a-fA-F]{64})$/;

/** Parses exactly 64 hex digits of either case, `0x` optional. */
export function parseHash(text: string): HashValue | undefined {
  const digits = FORM.exec(text)?.[1];
  // Cast: the brand's own constructor.
  return digits === undefined ? undefined : (`0x${digits.toLowerCase()}` as HashValue);
}

/** Makes a hash from 32 bytes. Throws RangeError for any other length. */
export function hashOfBytes(bytes: Uint8Array): HashValue {
  const hash = parseHash(hexOf(bytes));
  if (hash === undefined) throw new RangeError(`a hash has 32 bytes, not ${bytes.length}`);
  return hash;
}
