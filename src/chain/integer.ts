/** The unsigned integer widths of the chain with their maximum values. */
export const UNSIGNED_MAX = {
  u8: 2n ** 8n - 1n,
  u16: 2n ** 16n - 1n,
  u32: 2n ** 32n - 1n,
  u64: 2n ** 64n - 1n,
  u128: 2n ** 128n - 1n,
  u256: 2n ** 256n - 1n,
} as const;

export type UnsignedWidth = keyof typeof UNSIGNED_MAX;

/** Digits of 2^256 - 1; longer numbers are rejected before they are computed. */
const MAX_DIGITS = 78;
const DECIMAL = /^0*([0-9]+)$/;

/** Parses a decimal of the given width. Leading zeros are accepted, as by the node; signs and spaces are not. */
export function parseUnsigned(text: string, width: UnsignedWidth): bigint | undefined {
  const digits = DECIMAL.exec(text)?.[1];
  if (digits === undefined || digits.length > MAX_DIGITS) return undefined;
  const value = BigInt(digits);
  return value <= UNSIGNED_MAX[width] ? value : undefined;
}

/** Parses a decimal 64-bit unsigned integer (specification, U64). */
export function parseU64(text: string): bigint | undefined {
  return parseUnsigned(text, "u64");
}
