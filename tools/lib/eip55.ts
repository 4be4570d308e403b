import { keccak_256 } from "@noble/hashes/sha3.js";

/**
 * Whether a mixed-case address has the right checksum. Addresses in one case have no checksum, and any other text is
 * refused elsewhere.
 */
export function passesChecksum(text: string): boolean {
  const digits = text.slice(2);
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return !isMixed || !/^0x[\da-f]{40}$/i.test(text) || text === withChecksum(text);
}

/** Writes an address with its checksum in the case of its letters (EIP-55); for `0x` and 40 digits. */
export function withChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = keccak_256(new TextEncoder().encode(digits));
  // A letter is upper case where the hash's digit at its place is above 7.
  const isUpper = (index: number): boolean => ((hash[index >> 1] ?? 0) & (index % 2 === 0 ? 0x80 : 0x08)) !== 0;
  return `0x${[...digits].map((digit, index) => (isUpper(index) ? digit.toUpperCase() : digit)).join("")}`;
}
