import { type Address, addressOfBytes } from "../../src/chain/address.ts";
import type { Reader, Writer } from "../codec/bcs.ts";

/**
 * A Move type with its codec: the one description from which state is read and written by the native functions and from
 * which the published interfaces are printed. `type` spells free type parameters as T0, T1.
 */
export interface Schema<T> {
  readonly type: string;
  /** An Object<T>'s T: an argument of this type must be the address of an object that holds one. */
  readonly objectOf?: string;
  read(reader: Reader): T;
  write(writer: Writer, value: T): void;
}

export type Ability = "copy" | "drop" | "store" | "key";

/** A struct as its module publishes it. */
export interface StructDeclaration {
  /** `0x1::coin::CoinStore` */
  readonly id: string;
  readonly abilities: readonly Ability[];
  readonly typeParameters: readonly TypeParameter[];
  readonly isEvent: boolean;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
}

export interface TypeParameter {
  readonly constraints: readonly Ability[];
  readonly isPhantom: boolean;
}

/** A declared struct; as a schema it is the struct without type arguments, or with its parameters left free. */
export interface StructSchema<T> extends Schema<T> {
  readonly declaration: StructDeclaration;
  /** The struct at the given types. Parameters of declared structs are phantom, so the octets do not change. */
  of(...typeArguments: readonly string[]): Schema<T>;
}

const scalar = <T>(type: string, read: (r: Reader) => T, write: (w: Writer, v: T) => void): Schema<T> => ({
  type,
  read,
  write,
});

export const bool = scalar<boolean>(
  "bool",
  (r) => r.bool(),
  (w, v) => w.bool(v),
);
export const u8 = scalar<number>(
  "u8",
  (r) => r.u8(),
  (w, v) => w.u8(v),
);
export const u64 = scalar<bigint>(
  "u64",
  (r) => r.u64(),
  (w, v) => w.u64(v),
);
export const u128 = scalar<bigint>(
  "u128",
  (r) => r.u128(),
  (w, v) => w.u128(v),
);
export const address = scalar<Address>(
  "address",
  (r) => addressOfBytes(r.fixed(32)),
  (w, v) => w.address(v),
);
/** `vector<u8>`. */
export const bytes = scalar<Uint8Array>(
  "vector<u8>",
  (r) => r.octets(),
  (w, v) => w.octets(v),
);
export const string = scalar<string>(
  "0x1::string::String",
  (r) => r.string(),
  (w, v) => w.string(v),
);

export function vector<T>(element: Schema<T>): Schema<readonly T[]> {
  return scalar(
    `vector<${element.type}>`,
    (r) => r.vector((inner) => element.read(inner)),
    (w, list) => w.vector(list, (inner, item) => element.write(inner, item)),
  );
}

/** `0x1::option::Option<T>`, a struct around a vector of at most one; null is none. */
export function option<T>(element: Schema<T>): Schema<T | null> {
  return scalar(
    `0x1::option::Option<${element.type}>`,
    (r) => r.option((inner) => element.read(inner)),
    (w, value) => w.option(value, (inner, item) => element.write(inner, item)),
  );
}

/** `0x1::object::Object<T>`: the object's address. */
export function object(type: string): Schema<Address> {
  return { ...address, type: `0x1::object::Object<${type}>`, objectOf: type };
}

interface StructOptions {
  readonly abilities?: readonly Ability[];
  /** Constraints of each type parameter; all of them phantom. */
  readonly phantom?: readonly (readonly Ability[])[];
  readonly event?: true;
}

/** Declares a struct; `fields` are in the order of its declaration, which is the order of its octets. */
export function struct<T extends object>(
  id: string,
  { abilities = [], phantom = [], event }: StructOptions,
  fields: { readonly [K in keyof T]: Schema<T[K]> },
): StructSchema<T> {
  const codec = fieldsCodec(fields);
  const list: [string, Schema<unknown>][] = Object.entries(fields);
  const parameters = phantom.map((_, index) => `T${index}`);
  const of = (...typeArguments: readonly string[]): Schema<T> => ({
    ...codec,
    type: typeArguments.length === 0 ? id : `${id}<${typeArguments.join(", ")}>`,
  });
  const declaration: StructDeclaration = {
    id,
    abilities,
    typeParameters: phantom.map((constraints) => ({ constraints, isPhantom: true })),
    isEvent: event === true,
    fields: list.map(([name, { type }]) => ({ name, type })),
  };
  return { ...of(...parameters), declaration, of };
}

function fieldsCodec<T extends object>(fields: { readonly [K in keyof T]: Schema<T[K]> }): Omit<Schema<T>, "type"> {
  const list: [string, Schema<unknown>][] = Object.entries(fields);
  return {
    read(reader) {
      // Cast: the entries are exactly the keys of `fields`, each read by its own schema.
      return Object.fromEntries(list.map(([name, schema]) => [name, schema.read(reader)])) as T;
    },
    write(writer, value) {
      for (const [name, schema] of list) schema.write(writer, Reflect.get(value, name));
    },
  };
}
