import { sha3_256 } from "@noble/hashes/sha3.js";
import { type Address, addressBytes, addressOfBytes } from "../../src/chain/address.ts";
import { FRAMEWORK } from "./addresses.ts";
import type { ModuleDefinition } from "./define.ts";
import { address, type Schema, type StructDeclaration, struct, vector } from "./schema.ts";

/** A table is its handle; its items are stored under that handle. */
export interface Table {
  readonly handle: Address;
}

export const table = struct<Table>(
  "0x1::table::Table",
  { abilities: ["store"], phantom: [["copy", "drop"], []] },
  { handle: address },
);

/** A handle derived from owner and label: each owner has one table per label. */
export function tableHandle(owner: Address, label: string): Address {
  return addressOfBytes(sha3_256(Uint8Array.of(...addressBytes(owner), ...new TextEncoder().encode(label))));
}

export interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
}

export interface SimpleMap<K, V> {
  readonly data: readonly Entry<K, V>[];
}

/** `0x1::simple_map::SimpleMap<K, V>`: a list of pairs, in order of insertion. */
export function simpleMap<K, V>(key: Schema<K>, value: Schema<V>): Schema<SimpleMap<K, V>> {
  const element = struct<Entry<K, V>>("0x1::simple_map::Element", {}, { key, value });
  const map = struct<SimpleMap<K, V>>("0x1::simple_map::SimpleMap", {}, { data: vector(element) });
  return map.of(key.type, value.type);
}

const parameters = [
  { constraints: [], isPhantom: false },
  { constraints: [], isPhantom: false },
];
const declarations: readonly StructDeclaration[] = [
  {
    id: "0x1::simple_map::Element",
    abilities: ["copy", "drop", "store"],
    typeParameters: parameters,
    isEvent: false,
    fields: [
      { name: "key", type: "T0" },
      { name: "value", type: "T1" },
    ],
  },
  {
    id: "0x1::simple_map::SimpleMap",
    abilities: ["copy", "drop", "store"],
    typeParameters: parameters,
    isEvent: false,
    fields: [{ name: "data", type: "vector<0x1::simple_map::Element<T0, T1>>" }],
  },
];

export const containerModules: readonly ModuleDefinition[] = [
  { address: FRAMEWORK, name: "table", friends: [], structs: [table], functions: [] },
  {
    address: FRAMEWORK,
    name: "simple_map",
    friends: [],
    structs: declarations.map((declaration) => ({ declaration })),
    functions: [],
  },
];
