import type { Address } from "../../src/chain/address.ts";
import type { Codec, ValueOf } from "../codec/bcs.ts";
import * as bcs from "../codec/bcs.ts";

/**
 * A Move type with its codec: native functions read and write state with it, and the published interfaces are printed
 * from it. `type` writes free type parameters as T0, T1.
 */
export interface Schema<T> extends Codec<T> {
  readonly type: string;
  /** An Object<T>'s T: an argument of this type must be the address of an object that holds one. */
  readonly objectOf?: string;
}

export type { ValueOf };

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
  /** The struct at the given types. Parameters of declared structs are phantom, so the bytes do not change. */
  of(...typeArguments: readonly string[]): Schema<T>;
}

export const bool: Schema<boolean> = { ...bcs.bool, type: "bool" };
export const u8: Schema<number> = { ...bcs.u8, type: "u8" };
export const u64: Schema<bigint> = { ...bcs.u64, type: "u64" };
export const u128: Schema<bigint> = { ...bcs.u128, type: "u128" };
export const address: Schema<Address> = { ...bcs.address, type: "address" };
export const bytes: Schema<Uint8Array> = { ...bcs.bytes, type: "vector<u8>" };
export const string: Schema<string> = { ...bcs.string, type: "0x1::string::String" };

export function vector<T>(element: Schema<T>): Schema<readonly T[]> {
  return { ...bcs.vector(element), type: `vector<${element.type}>` };
}

/** `0x1::option::Option<T>`: a struct around a vector of at most one value, the same bytes as a BCS option. */
export function option<T>(element: Schema<T>): Schema<T | null> {
  return { ...bcs.option(element), type: `0x1::option::Option<${element.type}>` };
}

/** `0x1::object::Object<T>`: the object's address. */
export function object(type: string): Schema<Address> {
  return { ...address, type: `0x1::object::Object<${type}>`, objectOf: type };
}

interface StructOptions {
  /** Constraints of each type parameter; all of them phantom. */
  readonly phantom?: readonly (readonly Ability[])[];
  readonly event?: true;
}

type Fields = Readonly<Record<string, Schema<unknown>>>;

/** Declares a struct; `fields` are in the order of its declaration, which is the order of its bytes. */
export function struct<const F extends Fields>(
  id: string,
  abilities: readonly Ability[],
  fields: F,
  { phantom = [], event }: StructOptions = {},
): StructSchema<bcs.StructValue<F>> {
  const codec = bcs.struct(fields);
  const of = (...typeArguments: readonly string[]): Schema<bcs.StructValue<F>> => ({
    ...codec,
    type: typeArguments.length === 0 ? id : `${id}<${typeArguments.join(", ")}>`,
  });
  const declaration: StructDeclaration = {
    id,
    abilities,
    typeParameters: phantom.map((constraints) => ({ constraints, isPhantom: true })),
    isEvent: event === true,
    fields: Object.entries(fields).map(([name, { type }]) => ({ name, type })),
  };
  return { ...of(...phantom.map((_, index) => `T${index}`)), declaration, of };
}

/** Declares structs of one module, `0x1::stake`, by their names. */
export function structsOf(module: string) {
  return <const F extends Fields>(name: string, abilities: readonly Ability[], fields: F, options?: StructOptions) =>
    struct(`${module}::${name}`, abilities, fields, options);
}
