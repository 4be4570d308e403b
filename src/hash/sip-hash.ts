/** 128 bits in words of 32, the lowest first. */
export type SipKey = readonly [number, number, number, number];

/** Where the four words of 64 bits are, each as a low and a high half: big integers take ten times as long. */
const [V0, V1, V2, V3] = [0, 8, 16, 24];

/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012): 64 bits that nobody can compute or reverse without the key, in half a
 * microsecond. Takes a text of Latin-1, as header values are, and returns eight characters of it, the lowest byte first.
 */
export function sipHash([key0, key1, key2, key3]: SipKey): (text: string) => string {
  const state = new DataView(new ArrayBuffer(32));
  return (text) => {
    set(state, V0, key0 ^ 0x70736575, key1 ^ 0x736f6d65);
    set(state, V1, key2 ^ 0x6e646f6d, key3 ^ 0x646f7261);
    set(state, V2, key0 ^ 0x6e657261, key1 ^ 0x6c796765);
    set(state, V3, key2 ^ 0x79746573, key3 ^ 0x74656462);
    const last = text.length >> 3;
    for (let block = 0; block <= last; block++) {
      const low = wordAt(text, 8 * block);
      const high = wordAt(text, 8 * block + 4) | (block === last ? text.length << 24 : 0);
      xor(state, V3, low, high);
      for (let round = 0; round < 2; round++) mixAll(state);
      xor(state, V0, low, high);
    }
    xor(state, V2, 0xff, 0);
    for (let round = 0; round < 4; round++) mixAll(state);
    for (const word of [V1, V2, V3]) xor(state, V0, state.getInt32(word), state.getInt32(word + 4));
    return charactersOf(state.getInt32(V0)) + charactersOf(state.getInt32(V0 + 4));
  };
}

/** {@link sipHash} under a key made of a text of any length. */
export function keyedHash(secret: string): (text: string) => string {
  const [low, high] = [sipHash([0, 0, 0, 0])(secret), sipHash([1, 0, 0, 0])(secret)];
  return sipHash([wordAt(low, 0), wordAt(low, 4), wordAt(high, 0), wordAt(high, 4)]);
}

function mixAll(state: DataView): void {
  mix(state, V0, V1, 13);
  swap(state, V0);
  mix(state, V2, V3, 16);
  mix(state, V0, V3, 21);
  mix(state, V2, V1, 17);
  swap(state, V2);
}

/** `a += b`, then b is rotated to the left by so many bits, fewer than 32, and `b ^= a`. */
function mix(state: DataView, a: number, b: number, bits: number): void {
  const sum = state.getUint32(a) + state.getUint32(b);
  set(state, a, sum, state.getInt32(a + 4) + state.getInt32(b + 4) + (sum > 0xffffffff ? 1 : 0));
  const [low, high] = [state.getInt32(b), state.getInt32(b + 4)];
  set(state, b, (low << bits) | (high >>> (32 - bits)), (high << bits) | (low >>> (32 - bits)));
  xor(state, b, state.getInt32(a), state.getInt32(a + 4));
}

/** Rotates by 32 bits. */
function swap(state: DataView, word: number): void {
  set(state, word, state.getInt32(word + 4), state.getInt32(word));
}

function xor(state: DataView, word: number, low: number, high: number): void {
  set(state, word, state.getInt32(word) ^ low, state.getInt32(word + 4) ^ high);
}

/** Takes the low 32 bits of both. */
function set(state: DataView, word: number, low: number, high: number): void {
  state.setInt32(word, low);
  state.setInt32(word + 4, high);
}

/** Four characters as bytes, the lowest first; zeros beyond the end. */
function wordAt(text: string, index: number): number {
  const byte = (offset: number) => text.charCodeAt(index + offset) & 255;
  return byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24);
}

function charactersOf(word: number): string {
  return String.fromCharCode(word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24);
}
