import { hexOf, parseHex } from "./hex.ts";

/** A 32-byte account address in canonical form: `0x`, lower case, no leading zeros. */
export type Address = string & { readonly brand: "Address" };

export const ADDRESS_BYTES = 32;
const FORM = /^(?:0x)?0*([0-9a-fA-F]{1,64})$/;

/** Parses 1 to 64 hex digits of either case, `0x` optional (specification, Address). */
export function parseAddress(text: string): Address | undefined {
  if (text.length > 2 * ADDRESS_BYTES + 2) return undefined;
  const digits = FORM.exec(text)?.[1];
  if (digits === undefined || text.length - (text.startsWith("0x") ? 2 : 0) > 2 * ADDRESS_BYTES) return undefined;
  // Cast: the brand's own constructor.
  return `0x${digits.toLowerCase()}` as Address;
}

/** Returns the 32 bytes of an address, the most significant first. */
export function addressBytes(address: Address): Uint8Array {
  const bytes = parseHex(longAddress(address));
  if (bytes === undefined) throw new RangeError(`not an address: ${address}`);
  return bytes;
}

/** Makes an address from 32 bytes. Throws RangeError for any other length. */
export function addressOfBytes(bytes: Uint8Array): Address {
  const address = bytes.length === ADDRESS_BYTES ? parseAddress(hexOf(bytes)) : undefined;
  if (address === undefined) throw new RangeError(`an address has ${ADDRESS_BYTES} bytes, not ${bytes.length}`);
  return address;
}

/** Writes an address as `0x` and all 64 digits. */
export function longAddress(address: Address): string {
  return `0x${address.slice(2).padStart(2 * ADDRESS_BYTES, "0")}`;
}
