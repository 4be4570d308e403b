import { ADDRESS_BYTES, type Address, addressOfBytes } from "../../src/chain/address.ts";
import { decodeUtf8 } from "../../src/chain/utf8.ts";

/**
 * Why bytes are not valid BCS, with the reference decoder's messages. Thrown by {@link BcsReader} and caught by {@link
 * decodeBcs} only: exceptions unwind the nested reads, and callers get data.
 */
export class BcsError extends Error {
  override readonly name = "BcsError";
}

export type Decoded<T> =
  | { readonly kind: "decoded"; readonly value: T }
  | { readonly kind: "malformed"; readonly message: string };

/** Decodes exactly one value: trailing bytes, non-canonical lengths and every other irregularity are `malformed`. */
export function decodeBcs<T>(bytes: Uint8Array, read: (reader: BcsReader) => T): Decoded<T> {
  try {
    const reader = new BcsReader(bytes);
    const value = read(reader);
    if (reader.remaining > 0) throw new BcsError("remaining input");
    return { kind: "decoded", value };
  } catch (cause) {
    if (cause instanceof BcsError) return { kind: "malformed", message: cause.message };
    throw cause;
  }
}

/** BCS, "Fixed and Variable Length Sequences": no sequence is longer. */
export const MAX_SEQUENCE_LENGTH = 2 ** 31 - 1;
const MAX_U32 = 2 ** 32 - 1;

/** Strict BCS input. Every method throws {@link BcsError} on bytes that no encoder writes. */
export class BcsReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes read so far. */
  get offset(): number {
    return this.#offset;
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  /** BCS, "Integers": fixed width, little-endian. */
  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  u128(): bigint {
    const low = this.u64();
    return low | (this.u64() << 64n);
  }

  u256(): bigint {
    const low = this.u128();
    return low | (this.u128() << 128n);
  }

  /** BCS, "Booleans": one byte, 0 or 1. */
  bool(): boolean {
    const byte = this.u8();
    if (byte > 1) throw new BcsError("expected boolean");
    return byte === 1;
  }

  /** BCS, "ULEB128-Encoded Integers": at most 32 bits, in the shortest form only. */
  uleb(): number {
    let value = 0;
    for (let shift = 0; shift < 32; shift += 7) {
      const byte = this.u8();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (byte === 0 && shift > 0) throw new BcsError("ULEB128 encoding was not minimal in size");
        if (value > MAX_U32) break;
        return value;
      }
    }
    throw new BcsError("ULEB128-encoded integer did not fit in the target size");
  }

  /**
   * The length of a sequence. Every element takes at least one byte, so a length beyond the input is refused at once.
   */
  length(): number {
    const length = this.uleb();
    if (length > MAX_SEQUENCE_LENGTH) throw new BcsError(`exceeded max sequence length: ${length}`);
    if (length > this.remaining) throw new BcsError("unexpected end of input");
    return length;
  }

  /** A copy of the next `count` bytes. */
  fixed(count: number): Uint8Array {
    const start = this.#take(count);
    return this.#bytes.slice(start, start + count);
  }

  /** `vector<u8>`. */
  bytes(): Uint8Array {
    return this.fixed(this.length());
  }

  /** BCS, "Strings": a length and valid UTF-8. */
  string(): string {
    const text = decodeUtf8(this.bytes());
    if (text === undefined) throw new BcsError("malformed utf8");
    return text;
  }

  address(): Address {
    return addressOfBytes(this.fixed(ADDRESS_BYTES));
  }

  vector<T>(read: (reader: BcsReader) => T): T[] {
    const length = this.length();
    const list: T[] = [];
    for (let index = 0; index < length; index += 1) list.push(read(this));
    return list;
  }

  /** BCS, "Optional Data": one byte, 0 or 1, and the value after 1. */
  option<T>(read: (reader: BcsReader) => T): T | null {
    const byte = this.u8();
    if (byte > 1) throw new BcsError("expected option type");
    return byte === 1 ? read(this) : null;
  }

  /** BCS, "Externally Tagged Enumerations": the number of a variant, below `count`. */
  variant(count: number): number {
    const index = this.uleb();
    if (index >= count)
      throw new BcsError(`invalid value: integer \`${index}\`, expected variant index 0 <= i < ${count}`);
    return index;
  }

  /** Runs `read` one level deeper; more than `maxDepth` levels are refused with `message`. */
  nested<T>(maxDepth: number, message: string, read: (reader: BcsReader) => T): T {
    if (this.#depth >= maxDepth) throw new BcsError(message);
    this.#depth += 1;
    const value = read(this);
    this.#depth -= 1;
    return value;
  }

  /** The bytes between an earlier {@link offset} and the current one, as a copy. */
  since(offset: number): Uint8Array {
    return this.#bytes.slice(offset, this.#offset);
  }

  #take(count: number): number {
    const start = this.#offset;
    if (count > this.#bytes.length - start) throw new BcsError("unexpected end of input");
    this.#offset = start + count;
    return start;
  }
}
