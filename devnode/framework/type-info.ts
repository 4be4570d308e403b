import type { Address } from "../../src/chain/address.ts";
import { parseStructTag, printStructTag } from "../../src/chain/type-tag.ts";
import { FRAMEWORK } from "./addresses.ts";
import type { ModuleDefinition } from "./define.ts";
import { address, bytes, struct } from "./schema.ts";

export interface TypeInfo {
  readonly account_address: Address;
  readonly module_name: Uint8Array;
  readonly struct_name: Uint8Array;
}

export const typeInfo = struct<TypeInfo>(
  "0x1::type_info::TypeInfo",
  { abilities: ["copy", "drop", "store"] },
  { account_address: address, module_name: bytes, struct_name: bytes },
);

const UTF8 = new TextEncoder();

/** The parts of a struct type; the name keeps its type arguments. */
export function typeInfoOf(type: string): TypeInfo {
  const tag = parseStructTag(type);
  if (tag === undefined) throw new RangeError(`${type} is no struct type`);
  const name = printStructTag(tag).slice(`${tag.address}::${tag.module}::`.length);
  return { account_address: tag.address, module_name: UTF8.encode(tag.module), struct_name: UTF8.encode(name) };
}

export const typeInfoModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "type_info",
  friends: [],
  structs: [typeInfo],
  functions: [],
};
