import { BoundedMap } from "../../src/base/memo.ts";
import { type Address, longAddress } from "../../src/chain/address.ts";
import { hexOf, parseHex } from "../../src/chain/hex.ts";
import { parseStructTag, type StructTag } from "../../src/chain/type-tag.ts";
import { bytes, decode, encode, struct, union } from "../codec/bcs.ts";
import { type BcsReader, decodeBcs } from "../codec/bcs-reader.ts";
import { encodeBcs } from "../codec/bcs-writer.ts";
import { moduleId, structTag } from "../codec/type-tag-bcs.ts";

/**
 * The key of one value of the state: lower-case hex, without 0x, of the bytes below. String order is byte order, which
 * is the order of resource and module listings; the list endpoints' cursor is this very string.
 *
 *     00 | address (32) | ULEB length | 00 | BCS(ModuleId)     a module
 *     00 | address (32) | ULEB length | 01 | BCS(StructTag)    a resource
 *     01 | table handle (32) | BCS(key)                        a table item
 */
export type StateKey = string & { readonly brand: "StateKey" };

/** One version of the whole state: always returns the same value for the same key. */
export interface StateReader {
  get(key: StateKey): Uint8Array | undefined;
}

export type StatePlace =
  | { readonly kind: "module"; readonly address: Address; readonly name: string }
  | { readonly kind: "resource"; readonly address: Address; readonly tag: StructTag }
  | { readonly kind: "table_item"; readonly handle: Address; readonly key: Uint8Array };

const ACCESS_PATH = 0;
const TABLE_ITEM = 1;

/** `Path` (types/src/access_path.rs). */
const accessPath = union({ module: moduleId, resource: struct({ tag: structTag }) });

export function moduleKey(address: Address, name: string): StateKey {
  return keyIn(address, hexPath(encode(accessPath, { kind: "module", address, name })));
}

export function resourceKey(address: Address, tag: StructTag): StateKey {
  return keyIn(address, resourcePath(tag));
}

/** Paths by type: there are a few dozen types, and each is looked up many times in a block. */
const pathsByType = new BoundedMap<string, string>(1_000);

/** Throws RangeError for a text that is not a struct type. */
export function resourceKeyOfType(type: string, address: Address): StateKey {
  const known = pathsByType.get(type);
  if (known !== undefined) return keyIn(address, known);
  const tag = parseStructTag(type);
  if (tag === undefined) throw new RangeError(`${type} is not a resource type`);
  const path = resourcePath(tag);
  pathsByType.set(type, path);
  return keyIn(address, path);
}

/** The part of a resource key after the address. The same for every account, so it can be cached. */
function resourcePath(tag: StructTag): string {
  return hexPath(encode(accessPath, { kind: "resource", tag }));
}

function hexPath(path: Uint8Array): string {
  return hexOf(encode(bytes, path)).slice(2);
}

/** The key of a path in an account. */
function keyIn(address: Address, path: string): StateKey {
  // Cast: the brand's own constructor.
  return `00${longAddress(address).slice(2)}${path}` as StateKey;
}

export function tableItemKey(handle: Address, key: Uint8Array): StateKey {
  return stateKey(encodeBcs((writer) => writer.u8(TABLE_ITEM).address(handle).fixed(key)));
}

/** The common prefix of all module and resource keys of an address. */
export function accountKeyPrefix(address: Address): string {
  return stateKey(encodeBcs((writer) => writer.u8(ACCESS_PATH).address(address)));
}

/** The bytes of a key, whose hash is `state_key_hash`. */
export function stateKeyBytes(key: StateKey): Uint8Array {
  return parseHex(key) ?? new Uint8Array();
}

/** Parses a key; undefined for text that no function here produces (an invented cursor). */
export function parseStateKey(text: string): { readonly key: StateKey; readonly place: StatePlace } | undefined {
  const keyBytes = parseHex(text);
  if (keyBytes === undefined || text.startsWith("0x")) return undefined;
  const decoded = decodeBcs(keyBytes, readPlace);
  if (decoded.kind === "malformed" || decoded.value === undefined) return undefined;
  return { key: stateKey(keyBytes), place: decoded.value };
}

function readPlace(reader: BcsReader): StatePlace | undefined {
  const kind = reader.u8();
  const address = reader.address();
  if (kind === TABLE_ITEM) return { kind: "table_item", handle: address, key: reader.fixed(reader.remaining) };
  if (kind !== ACCESS_PATH) return undefined;
  const path = decode(accessPath, reader.bytes());
  if (path.kind === "malformed") return undefined;
  if (path.value.kind === "resource") return { ...path.value, address };
  return path.value.address === address ? path.value : undefined;
}

/** The key of these bytes; the reverse of {@link stateKeyBytes}. */
export function stateKey(keyBytes: Uint8Array): StateKey {
  // Cast: the brand's own constructor.
  return hexOf(keyBytes).slice(2) as StateKey;
}
