import type { Address } from "../../src/chain/address.ts";
import { hexOf } from "../../src/chain/hex.ts";
import {
  type JsonObject,
  RequestError,
  readAddress,
  readArray,
  readField,
  readHex,
  readObject,
  readSmallInteger,
} from "./json-request.ts";

/** One JSON form as a value: a single description of both directions. `name` is the member's name, for errors. */
export interface JsonForm<T> {
  /** Throws {@link RequestError}. */
  read(json: unknown, name: string): T;
  write(value: T): unknown;
}

/** The members of a JSON object; others are ignored. */
export interface ObjectForm<T> {
  read(json: JsonObject): T;
  write(value: T): JsonObject;
}

type Members = Readonly<Record<string, readonly [name: string, form: JsonForm<unknown>]>>;
type FormValue<F> = F extends JsonForm<infer T> ? T : never;
type MembersValue<M extends Members> = { readonly [K in keyof M]: FormValue<M[K][1]> };

/** An object's members in the order in which they are written, each with its JSON name. */
export function members<const M extends Members>(spec: M): ObjectForm<MembersValue<M>> {
  const rows = Object.entries(spec);
  return {
    read(json) {
      const read = rows.map(([key, [name, form]]) => [key, form.read(readField(json, name), name)]);
      // Cast: exactly the keys of `spec`, each read by its own form.
      return Object.fromEntries(read) as MembersValue<M>;
    },
    write(value) {
      return Object.fromEntries(rows.map(([key, [name, form]]) => [name, form.write(value[key])]));
    },
  };
}

/** `what` names the specification's type in errors. */
export function objectOf<T>(what: string, form: ObjectForm<T>): JsonForm<T> {
  return { read: (json) => form.read(readObject(json, what)), write: (value) => form.write(value) };
}

export function list<T>(form: JsonForm<T>): JsonForm<readonly T[]> {
  return {
    read: (json, name) => readArray(json, name).map((each) => form.read(each, name)),
    write: (values) => values.map((each) => form.write(each)),
  };
}

/** Hex of exactly `size` bytes. */
export function sizedHex(size: number): JsonForm<Uint8Array> {
  return {
    read(json, name) {
      const bytes = readHex(json, name);
      if (bytes.length === size) return bytes;
      throw new RequestError("invalid", `\`${name}\` has ${bytes.length} bytes, not ${size}`);
    },
    write: hexOf,
  };
}

export const u8: JsonForm<number> = {
  read: (json, name) => readSmallInteger({ [name]: json }, name),
  write: (value) => value,
};

export const address: JsonForm<Address> = { read: readAddress, write: (value) => value };
