const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Parses hex digits of either case, two for each byte, `0x` optional. `""` and `0x` give no bytes. */
export function parseHex(text: string): Uint8Array | undefined {
  const start = text.startsWith("0x") ? 2 : 0;
  if ((text.length - start) % 2 !== 0) return undefined;
  const bytes = new Uint8Array((text.length - start) / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    const high = digitAt(text, start + 2 * index);
    const low = digitAt(text, start + 2 * index + 1);
    if (high < 0 || low < 0) return undefined;
    bytes[index] = high * 16 + low;
  }
  return bytes;
}

/** Writes lower-case hex with `0x`, including leading zeros. */
export function hexOf(bytes: Uint8Array): string {
  let text = "0x";
  for (const byte of bytes) text += DIGITS[byte];
  return text;
}

/** Returns the value of the hex digit at `index`, or -1. */
function digitAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
