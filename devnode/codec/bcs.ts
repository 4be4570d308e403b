import { ADDRESS_BYTES, type Address, addressBytes, addressOfBytes } from "../../src/chain/address.ts";

/**
 * What is wrong with BCS octets, in the words of the reference decoder. Thrown by {@link Reader} only, because a
 * decoder is a deep nest of reads; {@link decodeBcs} turns it into data at the codec's border, so nobody else catches.
 */
export class BcsError extends Error {
  override readonly name = "BcsError";
}

export type Decoded<T> =
  | { readonly kind: "decoded"; readonly value: T }
  | { readonly kind: "malformed"; readonly message: string };

/** Decodes exactly one value: trailing octets, overlong lengths and every other irregularity are `malformed`. */
export function decodeBcs<T>(bytes: Uint8Array, read: (reader: Reader) => T): Decoded<T> {
  try {
    const reader = new Reader(bytes);
    const value = read(reader);
    reader.end();
    return { kind: "decoded", value };
  } catch (cause) {
    if (cause instanceof BcsError) return { kind: "malformed", message: cause.message };
    throw cause;
  }
}

/** The BCS octets that `write` produces. */
export function encodeBcs(write: (writer: Writer) => void): Uint8Array {
  const writer = new Writer();
  write(writer);
  return writer.bytes();
}

/** The format's own limit on the length of any sequence. */
const MAX_SEQUENCE_LENGTH = 2 ** 31 - 1;
const MAX_U32 = 2 ** 32 - 1;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const TO_UTF8 = new TextEncoder();

/** Strict BCS input. Every method throws {@link BcsError} on octets that no encoder writes. */
export class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Octets read so far. */
  get offset(): number {
    return this.#offset;
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  /** Refuses octets after the value. */
  end(): void {
    if (this.remaining > 0) throw new BcsError("remaining input");
  }

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

  bool(): boolean {
    const octet = this.u8();
    if (octet > 1) throw new BcsError("expected boolean");
    return octet === 1;
  }

  /** A length or variant number: at most 32 bits, in its shortest spelling. */
  uleb(): number {
    let value = 0;
    for (let shift = 0; shift < 32; shift += 7) {
      const octet = this.u8();
      value += (octet & 0x7f) * 2 ** shift;
      if (octet < 0x80) {
        if (octet === 0 && shift > 0) throw new BcsError("ULEB128 encoding was not minimal in size");
        if (value > MAX_U32) break;
        return value;
      }
    }
    throw new BcsError("ULEB128-encoded integer did not fit in the target size");
  }

  /** The length of a sequence. Elements take an octet at least, so a length beyond the input is refused at once. */
  length(): number {
    const length = this.uleb();
    if (length > MAX_SEQUENCE_LENGTH) throw new BcsError(`exceeded max sequence length: ${length}`);
    if (length > this.remaining) throw new BcsError("unexpected end of input");
    return length;
  }

  /** A copy of the next `count` octets. */
  fixed(count: number): Uint8Array {
    const start = this.#take(count);
    return this.#bytes.slice(start, start + count);
  }

  /** `vector<u8>`. */
  octets(): Uint8Array {
    return this.fixed(this.length());
  }

  string(): string {
    try {
      return UTF8.decode(this.octets());
    } catch (cause) {
      throw cause instanceof BcsError ? cause : new BcsError("malformed utf8");
    }
  }

  address(): Address {
    return addressOfBytes(this.fixed(ADDRESS_BYTES));
  }

  vector<T>(read: (reader: Reader) => T): T[] {
    const length = this.length();
    const list: T[] = [];
    for (let index = 0; index < length; index += 1) list.push(read(this));
    return list;
  }

  option<T>(read: (reader: Reader) => T): T | null {
    const octet = this.u8();
    if (octet > 1) throw new BcsError("expected option type");
    return octet === 1 ? read(this) : null;
  }

  /** The number of an enum's variant, below `count`. */
  variant(count: number): number {
    const index = this.uleb();
    if (index >= count)
      throw new BcsError(`invalid value: integer \`${index}\`, expected variant index 0 <= i < ${count}`);
    return index;
  }

  /** The octets between an earlier {@link offset} and here, as a copy. */
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

/** BCS output. A value outside its width is the caller's mistake, not input: RangeError. Every method returns `this`. */
export class Writer {
  #buffer = new Uint8Array(256);
  #view = new DataView(this.#buffer.buffer);
  #length = 0;

  /** A copy of what was written. */
  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  u8(value: number): this {
    const at = this.#grow(1);
    this.#view.setUint8(at, within(value, 0xff));
    return this;
  }

  u16(value: number): this {
    const at = this.#grow(2);
    this.#view.setUint16(at, within(value, 0xffff), true);
    return this;
  }

  u32(value: number): this {
    const at = this.#grow(4);
    this.#view.setUint32(at, within(value, MAX_U32), true);
    return this;
  }

  u64(value: bigint): this {
    const at = this.#grow(8);
    this.#view.setBigUint64(at, withinBits(value, 64n), true);
    return this;
  }

  u128(value: bigint): this {
    withinBits(value, 128n);
    return this.u64(value & 0xffff_ffff_ffff_ffffn).u64(value >> 64n);
  }

  u256(value: bigint): this {
    withinBits(value, 256n);
    return this.u128(value & (2n ** 128n - 1n)).u128(value >> 128n);
  }

  bool(value: boolean): this {
    return this.u8(value ? 1 : 0);
  }

  uleb(value: number): this {
    let rest = within(value, MAX_U32);
    while (rest >= 0x80) {
      this.u8((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    return this.u8(rest);
  }

  /** Octets as they are, without a length. */
  fixed(octets: Uint8Array): this {
    const at = this.#grow(octets.length);
    this.#buffer.set(octets, at);
    return this;
  }

  /** `vector<u8>`. */
  octets(octets: Uint8Array): this {
    return this.uleb(within(octets.length, MAX_SEQUENCE_LENGTH)).fixed(octets);
  }

  string(text: string): this {
    return this.octets(TO_UTF8.encode(text));
  }

  address(address: Address): this {
    return this.fixed(addressBytes(address));
  }

  vector<T>(list: readonly T[], write: (writer: Writer, element: T) => void): this {
    this.uleb(within(list.length, MAX_SEQUENCE_LENGTH));
    for (const element of list) write(this, element);
    return this;
  }

  option<T>(value: T | null, write: (writer: Writer, value: T) => void): this {
    this.u8(value === null ? 0 : 1);
    if (value !== null) write(this, value);
    return this;
  }

  /** Makes room for `count` octets and says where they begin. May replace the buffer: call it before naming one. */
  #grow(count: number): number {
    const start = this.#length;
    this.#length = start + count;
    if (this.#length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(this.#length, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, start));
      this.#buffer = larger;
      this.#view = new DataView(larger.buffer);
    }
    return start;
  }
}

function within(value: number, max: number): number {
  if (!Number.isInteger(value) || value < 0 || value > max) throw new RangeError(`${value} is not within 0 to ${max}`);
  return value;
}

function withinBits(value: bigint, bits: bigint): bigint {
  if (value < 0n || value >> bits !== 0n) throw new RangeError(`${value} is not an unsigned ${bits}-bit integer`);
  return value;
}
