import { type Address, addressBytes } from "../../src/chain/address.ts";
import { MAX_SEQUENCE_LENGTH } from "./bcs-reader.ts";

/** The BCS bytes that `write` produces. */
export function encodeBcs(write: (writer: BcsWriter) => void): Uint8Array {
  const writer = new BcsWriter();
  write(writer);
  return writer.toBytes();
}

const MAX_U32 = 2 ** 32 - 1;
const UTF8 = new TextEncoder();

/**
 * BCS output. A value outside its width is the caller's mistake, not input: RangeError. Every method returns `this`.
 */
export class BcsWriter {
  #buffer = new Uint8Array(256);
  #view = new DataView(this.#buffer.buffer);
  #length = 0;

  /** A copy of everything written so far. */
  toBytes(): Uint8Array {
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

  /** Bytes as they are, without a length. */
  fixed(bytes: Uint8Array): this {
    const at = this.#grow(bytes.length);
    this.#buffer.set(bytes, at);
    return this;
  }

  /** `vector<u8>`. */
  bytes(bytes: Uint8Array): this {
    return this.uleb(within(bytes.length, MAX_SEQUENCE_LENGTH)).fixed(bytes);
  }

  string(text: string): this {
    return this.bytes(UTF8.encode(text));
  }

  address(address: Address): this {
    return this.fixed(addressBytes(address));
  }

  vector<T>(list: readonly T[], write: (writer: BcsWriter, element: T) => void): this {
    this.uleb(within(list.length, MAX_SEQUENCE_LENGTH));
    for (const element of list) write(this, element);
    return this;
  }

  option<T>(value: T | null, write: (writer: BcsWriter, value: T) => void): this {
    this.u8(value === null ? 0 : 1);
    if (value !== null) write(this, value);
    return this;
  }

  /**
   * Makes room for `count` bytes and returns their offset. May replace the buffer: read `#buffer` and `#view` after it.
   */
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
