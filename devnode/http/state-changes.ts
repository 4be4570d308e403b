import { sha3_256 } from "@noble/hashes/sha3.js";
import { hexOf } from "../../src/chain/hex.ts";
import { printStructTag } from "../../src/chain/type-tag.ts";
import type { StateChange } from "../vm/effects.ts";
import { parseStateKey, type StateKey, stateKeyBytes } from "../vm/state-keys.ts";
import { knownType } from "./event-bcs.ts";
import { moduleJson, toJson } from "./move-json.ts";

const KEY_SALT = sha3_256(new TextEncoder().encode("APTOS::StateKey"));

/** One entry of a record's `changes`. */
export function changeJson(change: StateChange): unknown {
  const place = parseStateKey(change.key)?.place;
  if (place === undefined) throw new Error(`the ledger contains an unknown state key ${change.key}`);
  const state_key_hash = stateKeyHash(change.key);
  switch (place.kind) {
    case "resource": {
      const { address, tag } = place;
      const type = printStructTag(tag);
      return change.kind === "delete"
        ? { address, state_key_hash, resource: type, type: "delete_resource" }
        : {
            address,
            state_key_hash,
            data: { type, data: toJson({ kind: "struct", struct: tag }, change.value) },
            type: "write_resource",
          };
    }
    case "module": {
      const { address, name } = place;
      return change.kind === "delete"
        ? { address, state_key_hash, module: `${address}::${name}`, type: "delete_module" }
        : { address, state_key_hash, data: moduleJson(address, name, change.value), type: "write_module" };
    }
    case "table_item": {
      const item = { state_key_hash, handle: place.handle, key: hexOf(place.key) };
      return change.kind === "delete"
        ? { ...item, data: decodedItem(change, place.key), type: "delete_table_item" }
        : { ...item, value: hexOf(change.value), data: decodedItem(change, place.key), type: "write_table_item" };
    }
  }
}

/** An item as values of its types; a deletion has the key alone. Null where the types were not recorded. */
function decodedItem(change: StateChange, key: Uint8Array): unknown {
  if (change.item === undefined) return null;
  const { key: key_type, value: value_type } = change.item;
  const decodedKey = { key: toJson(knownType(key_type), key), key_type };
  if (change.kind === "delete") return decodedKey;
  return { ...decodedKey, value: toJson(knownType(value_type), change.value), value_type };
}

/** Salted as this family of chains salts every hash: SHA3-256 of SHA3-256(name) and the content. */
function stateKeyHash(key: StateKey): string {
  return hexOf(sha3_256.create().update(KEY_SALT).update(stateKeyBytes(key)).digest());
}
