import { sha3_256 } from "@noble/hashes/sha3.js";
import { type Address, addressBytes, addressOfBytes } from "../../src/chain/address.ts";
import { address, type Schema, struct, vector } from "./schema.ts";

/** A table is its handle; its items are stored under that handle. */
export const table = struct("0x1::table::Table", ["store"], { handle: address }, { phantom: [["copy", "drop"], []] });

/** A handle derived from owner and label: each owner has one table per label. */
export function tableHandle(owner: Address, label: string): Address {
  return addressOfBytes(sha3_256(Uint8Array.of(...addressBytes(owner), ...new TextEncoder().encode(label))));
}

/** `0x1::simple_map::SimpleMap<K, V>`: a list of pairs, in order of insertion. */
export function simpleMap<K, V>(key: Schema<K>, value: Schema<V>) {
  const element = struct("0x1::simple_map::Element", [], { key, value });
  return struct("0x1::simple_map::SimpleMap", [], { data: vector(element) }).of(key.type, value.type);
}
