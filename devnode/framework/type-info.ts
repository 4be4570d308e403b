import { parseStructTag, printStructTag } from "../../src/chain/type-tag.ts";
import { address, bytes, struct, type ValueOf } from "./schema.ts";

export const typeInfo = struct("0x1::type_info::TypeInfo", ["copy", "drop", "store"], {
  account_address: address,
  module_name: bytes,
  struct_name: bytes,
});

const UTF8 = new TextEncoder();

/** The parts of a struct type; the name keeps its type arguments. */
export function typeInfoOf(type: string): ValueOf<typeof typeInfo> {
  const tag = parseStructTag(type);
  if (tag === undefined) throw new RangeError(`${type} is no struct type`);
  const name = printStructTag(tag).slice(`${tag.address}::${tag.module}::`.length);
  return { account_address: tag.address, module_name: UTF8.encode(tag.module), struct_name: UTF8.encode(name) };
}
