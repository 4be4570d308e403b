import { isIdentifier } from "../../src/chain/identifier.ts";
import { MAX_TYPE_NESTING, type Primitive, type StructTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { BcsError, type Reader, type Writer } from "./bcs.ts";

/** Variant numbers of a type tag, in the order of the format; they are not in the order of width. */
const VARIANTS = ["bool", "u8", "u64", "u128", "address", "signer", "vector", "struct", "u16", "u32", "u256"] as const;

export function readTypeTag(reader: Reader): TypeTag {
  return typeTag(reader, 1);
}

export function readStructTag(reader: Reader): StructTag {
  return structTag(reader, 1);
}

export function writeTypeTag(writer: Writer, tag: TypeTag): void {
  writer.uleb(VARIANTS.indexOf(tag.kind));
  if (tag.kind === "vector") writeTypeTag(writer, tag.element);
  if (tag.kind === "struct") writeStructTag(writer, tag.struct);
}

export function writeStructTag(writer: Writer, { address, module, name, typeArguments }: StructTag): void {
  writer.address(address).string(module).string(name).vector(typeArguments, writeTypeTag);
}

/** A module, function, struct or field name. */
export function readIdentifier(reader: Reader): string {
  const name = reader.string();
  if (!isIdentifier(name)) throw new BcsError(`Invalid identifier '${name}'`);
  return name;
}

function typeTag(reader: Reader, nesting: number): TypeTag {
  const kind = VARIANTS[reader.variant(VARIANTS.length)] ?? "bool";
  if (kind !== "vector" && kind !== "struct") return primitive(kind);
  if (nesting > MAX_TYPE_NESTING) throw new BcsError("type tag nesting exceeded during deserialization");
  if (kind === "vector") return { kind, element: typeTag(reader, nesting + 1) };
  return { kind, struct: structTag(reader, nesting) };
}

function structTag(reader: Reader, nesting: number): StructTag {
  const address = reader.address();
  const module = readIdentifier(reader);
  const name = readIdentifier(reader);
  return { address, module, name, typeArguments: reader.vector((inner) => typeTag(inner, nesting + 1)) };
}

function primitive(kind: Primitive): TypeTag {
  return { kind };
}
