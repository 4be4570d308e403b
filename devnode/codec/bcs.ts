import type { Address } from "../../src/chain/address.ts";
import { hexOf } from "../../src/chain/hex.ts";
import { BcsError, type BcsReader, type Decoded, decodeBcs } from "./bcs-reader.ts";
import { type BcsWriter, encodeBcs } from "./bcs-writer.ts";

/**
 * One BCS format as a value: a single description of both directions. Source of the rules cited here: the BCS
 * specification, https://github.com/diem/bcs.
 */
export interface Codec<T> {
  read(reader: BcsReader): T;
  write(writer: BcsWriter, value: T): void;
}

/** The type that a codec reads and writes. */
export type ValueOf<C> = C extends Codec<infer T> ? T : never;

/** Decodes exactly one value; trailing bytes are `malformed`. */
export function decode<T>(codec: Codec<T>, bytes: Uint8Array): Decoded<T> {
  return decodeBcs(bytes, (reader) => codec.read(reader));
}

/** Throws RangeError for a value outside the format: a programming error, because values are validated when parsed. */
export function encode<T>(codec: Codec<T>, value: T): Uint8Array {
  return encodeBcs((writer) => codec.write(writer, value));
}

export const bool: Codec<boolean> = { read: (r) => r.bool(), write: (w, value) => w.bool(value) };
export const u8: Codec<number> = { read: (r) => r.u8(), write: (w, value) => w.u8(value) };
export const u16: Codec<number> = { read: (r) => r.u16(), write: (w, value) => w.u16(value) };
export const u32: Codec<number> = { read: (r) => r.u32(), write: (w, value) => w.u32(value) };
export const u64: Codec<bigint> = { read: (r) => r.u64(), write: (w, value) => w.u64(value) };
export const u128: Codec<bigint> = { read: (r) => r.u128(), write: (w, value) => w.u128(value) };
export const u256: Codec<bigint> = { read: (r) => r.u256(), write: (w, value) => w.u256(value) };
/** A variant number or a table index on its own. */
export const uleb: Codec<number> = { read: (r) => r.uleb(), write: (w, value) => w.uleb(value) };
/** 32 bytes without a length. */
export const address: Codec<Address> = { read: (r) => r.address(), write: (w, value) => w.address(value) };
export const string: Codec<string> = { read: (r) => r.string(), write: (w, value) => w.string(value) };
/** `vector<u8>`: a length and the bytes. */
export const bytes: Codec<Uint8Array> = { read: (r) => r.bytes(), write: (w, value) => w.bytes(value) };

/** `size` bytes without a length, as an array of a fixed size is written. */
export function fixedBytes(size: number): Codec<Uint8Array> {
  return { read: (reader) => reader.fixed(size), write: (writer, value) => writer.fixed(value) };
}

/** A `vector<u8>` that is valid with one length only. `what` names it in the error: "an Ed25519 public key". */
export function sizedBytes(size: number, what: string): Codec<Uint8Array> {
  const checked = (value: Uint8Array): Uint8Array => {
    if (value.length !== size) throw new BcsError(`${what} has ${value.length} bytes, not ${size}`);
    return value;
  };
  return transform(bytes, checked, (value) => value);
}

/** BCS, "Fixed and Variable Length Sequences". */
export function vector<T>(element: Codec<T>): Codec<readonly T[]> {
  return {
    read: (reader) => reader.vector((inner) => element.read(inner)),
    write: (writer, list) => writer.vector(list, (inner, item) => element.write(inner, item)),
  };
}

/** BCS, "Optional Data"; null is none. */
export function option<T>(value: Codec<T>): Codec<T | null> {
  return {
    read: (reader) => reader.option((inner) => value.read(inner)),
    write: (writer, given) => writer.option(given, (inner, some) => value.write(inner, some)),
  };
}

/** BCS, "Maps (Associative Arrays)": entries in the strictly ascending order of their keys' bytes. */
export function map<K, V>(key: Codec<K>, value: Codec<V>): Codec<readonly { readonly key: K; readonly value: V }[]> {
  return {
    read(reader) {
      let last = "";
      return reader.vector((inner) => {
        const start = inner.offset;
        const entryKey = key.read(inner);
        const order = hexOf(inner.since(start));
        if (order <= last) throw new BcsError("keys of serialized maps must be unique and in increasing order");
        last = order;
        return { key: entryKey, value: value.read(inner) };
      });
    },
    write(writer, entries) {
      const ordered = entries
        .map((entry) => ({ keyBytes: encode(key, entry.key), item: entry.value }))
        .map((entry) => ({ ...entry, order: hexOf(entry.keyBytes) }))
        .sort((left, right) => (left.order < right.order ? -1 : 1));
      writer.vector(ordered, (inner, { keyBytes, item }) => value.write(inner.fixed(keyBytes), item));
    },
  };
}

type Fields = Readonly<Record<string, Codec<unknown>>>;
export type StructValue<F> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** BCS, "Structures": the fields in the order of their declaration, nothing between them. */
export function struct<const F extends Fields>(fields: F): Codec<StructValue<F>> {
  const list = Object.entries(fields);
  return {
    read(reader) {
      const value: Record<string, unknown> = {};
      for (const [name, codec] of list) value[name] = codec.read(reader);
      // Cast: `value` has exactly the keys of `fields`, each read by its own codec.
      return value as StructValue<F>;
    },
    write(writer, value) {
      for (const [name, codec] of list) codec.write(writer, value[name]);
    },
  };
}

type Variants = Readonly<Record<string, Codec<object>>>;
type UnionValue<V> = { [K in keyof V & string]: { readonly kind: K } & ValueOf<V[K]> }[keyof V & string];

/**
 * BCS, "Externally Tagged Enumerations": the variant's number, then its fields. Variants are listed in the order of
 * their numbers; a value is the variant's fields beside `kind`, its name.
 */
export function union<const V extends Variants>(variants: V): Codec<UnionValue<V>> {
  const list = Object.entries(variants);
  const numbers = new Map(list.map(([kind], number) => [kind, number]));
  return {
    read(reader) {
      const [kind, codec] = list[reader.variant(list.length)] ?? [];
      // Cast: `kind` and the fields are of the same variant.
      return { kind, ...codec?.read(reader) } as UnionValue<V>;
    },
    write(writer, value) {
      writer.uleb(numbers.get(value.kind) ?? -1);
      variants[value.kind]?.write(writer, value);
    },
  };
}

/** A variant without fields. */
export const unit = struct({});

/** A variant of the format that this chain does not accept, or no longer: refused with this message. */
export function refused(message: string): Codec<never> {
  return {
    read() {
      throw new BcsError(message);
    },
    write() {
      throw new RangeError(message);
    },
  };
}

/** An enum with a single variant, number 0, whose value is the variant's. */
export function onlyVariant<T>(codec: Codec<T>): Codec<T> {
  return {
    read(reader) {
      reader.variant(1);
      return codec.read(reader);
    },
    write: (writer, value) => codec.write(writer.uleb(0), value),
  };
}

/** The same bytes as another value. `to` throws {@link BcsError} for what the format does not allow. */
export function transform<A, B>(codec: Codec<A>, to: (value: A) => B, from: (value: B) => A): Codec<B> {
  return {
    read: (reader) => to(codec.read(reader)),
    write: (writer, value) => codec.write(writer, from(value)),
  };
}

/** One level of a recursive format; see {@link BcsReader.nested}. Evaluated on use, so that it may name itself. */
export function nested<T>(maxDepth: number, message: string, codec: () => Codec<T>): Codec<T> {
  return {
    read: (reader) => reader.nested(maxDepth, message, (inner) => codec().read(inner)),
    write: (writer, value) => codec().write(writer, value),
  };
}
