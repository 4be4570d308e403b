import type { TypeTag } from "../../src/chain/type-tag.ts";

/** Name of a type's JSON in the node's messages, such as `string<u64>`. */
export function jsonTypeName(type: TypeTag): string {
  switch (type.kind) {
    case "bool":
      return "boolean";
    case "u8":
    case "u16":
    case "u32":
      return `integer<${type.kind}>`;
    case "u64":
    case "u128":
    case "u256":
      return `string<${type.kind}>`;
    case "address":
    case "signer":
      return "string<address>";
    case "vector":
      return type.element.kind === "u8" ? "string<hex>" : `array<${jsonTypeName(type.element)}>`;
    case "struct":
      return "string<move_struct_tag_id>";
  }
}
