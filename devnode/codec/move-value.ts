import { parseAddress } from "../../src/chain/address.ts";
import { hexOf, parseHex } from "../../src/chain/hex.ts";
import { parseUnsigned, UNSIGNED_MAX, type UnsignedWidth } from "../../src/chain/integer.ts";
import { printTypeTag, type StructTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { BcsError, type Decoded, decodeBcs, encodeBcs, type Reader, type Writer } from "./bcs.ts";
import { type FieldLayout, instantiate, type LayoutLookup, standardType } from "./move-layout.ts";
import { shown } from "./preview.ts";

/** A Move value as the node writes it in JSON (specification, Account resource). */
export type MoveJson = boolean | number | string | readonly MoveJson[] | { readonly [field: string]: MoveJson };

export type Encoded =
  | { readonly kind: "encoded"; readonly bytes: Uint8Array }
  /** The JSON is no value of the type; `message` says where and why. */
  | { readonly kind: "unfit"; readonly message: string };

/** BCS octets of one value to JSON. Trailing octets and types that nobody declares are `malformed`. */
export function moveValueToJson(type: TypeTag, bytes: Uint8Array, lookup: LayoutLookup): Decoded<MoveJson> {
  return decodeBcs(bytes, (reader) => readValue(reader, type, lookup));
}

/** JSON to BCS octets. Integers of 64 bits and more are strings; an object may be given as its bare address. */
export function moveValueFromJson(type: TypeTag, value: unknown, lookup: LayoutLookup): Encoded {
  try {
    return { kind: "encoded", bytes: encodeBcs((writer) => writeValue(writer, type, value, lookup)) };
  } catch (cause) {
    if (cause instanceof Unfit) return { kind: "unfit", message: cause.message };
    throw cause;
  }
}

/** What the node calls the JSON of a type in its messages, `string<u64>`. */
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

const LONE_SURROGATE = /\p{Surrogate}/u;

/** The key under which an enum's JSON names its variant. */
const VARIANT_FIELD = "__variant__";
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readValue(reader: Reader, type: TypeTag, lookup: LayoutLookup): MoveJson {
  switch (type.kind) {
    case "bool":
      return reader.bool();
    case "u8":
      return reader.u8();
    case "u16":
      return reader.u16();
    case "u32":
      return reader.u32();
    case "u64":
      return reader.u64().toString();
    case "u128":
      return reader.u128().toString();
    case "u256":
      return reader.u256().toString();
    case "address":
    case "signer":
      return reader.address();
    case "vector":
      if (type.element.kind === "u8") return hexOf(reader.octets());
      return reader.vector((inner) => readValue(inner, type.element, lookup));
    case "struct":
      return readStruct(reader, type.struct, lookup);
  }
}

function readStruct(reader: Reader, tag: StructTag, lookup: LayoutLookup): MoveJson {
  const standard = standardType(tag);
  if (standard === "string") return text(reader.octets());
  if (standard === "object") return { inner: reader.address() };
  if (standard === "option") {
    const element = tag.typeArguments[0];
    if (element === undefined) throw new BcsError("an option needs a type argument");
    const list = reader.vector((inner) => readValue(inner, element, lookup));
    if (list.length > 1) throw new BcsError("an option holds one value at most");
    // A vector of octets is hex even inside an option, whose one field is a vector.
    return { vec: element.kind === "u8" ? hexOf(Uint8Array.from(list.map(Number))) : list };
  }
  const layout = lookup(tag);
  if (layout === undefined) throw new BcsError(`unknown type ${printTypeTag({ kind: "struct", struct: tag })}`);
  if (layout.kind === "struct") return readFields(reader, layout.fields, tag, lookup);
  const variant = layout.variants[reader.variant(layout.variants.length)];
  return { [VARIANT_FIELD]: variant?.name ?? "", ...readFields(reader, variant?.fields ?? [], tag, lookup) };
}

function readFields(
  reader: Reader,
  fields: readonly FieldLayout[],
  { typeArguments }: StructTag,
  lookup: LayoutLookup,
): { readonly [field: string]: MoveJson } {
  const entries = fields.map(({ name, type }): [string, MoveJson] => {
    const tag = instantiate(type, typeArguments);
    if (tag === undefined) throw new BcsError(`field ${name} has no readable type`);
    return [name, readValue(reader, tag, lookup)];
  });
  return Object.fromEntries(entries);
}

/** The string type does not promise UTF-8; what is none is shown as the node shows it. */
function text(octets: Uint8Array): string {
  try {
    return UTF8.decode(octets);
  } catch {
    return `Unparsable utf-8 ${hexOf(octets)}`;
  }
}

/** Thrown by the writers below, which nest deeply; turned into data by {@link moveValueFromJson} only. */
class Unfit extends Error {
  override readonly name = "Unfit";
}

function writeValue(writer: Writer, type: TypeTag, value: unknown, lookup: LayoutLookup): void {
  switch (type.kind) {
    case "bool":
      if (typeof value !== "boolean") throw wrongType(value, "a boolean");
      writer.bool(value);
      return;
    case "u8":
      writer.u8(smallInteger(value, type.kind));
      return;
    case "u16":
      writer.u16(smallInteger(value, type.kind));
      return;
    case "u32":
      writer.u32(smallInteger(value, type.kind));
      return;
    case "u64":
      writer.u64(integer(value, type.kind));
      return;
    case "u128":
      writer.u128(integer(value, type.kind));
      return;
    case "u256":
      writer.u256(integer(value, type.kind));
      return;
    case "address":
    case "signer":
      writeAddress(writer, value);
      return;
    case "vector":
      writeVector(writer, type.element, value, lookup);
      return;
    case "struct":
      writeStruct(writer, type.struct, value, lookup);
  }
}

function writeVector(writer: Writer, element: TypeTag, value: unknown, lookup: LayoutLookup): void {
  if (element.kind === "u8") {
    const octets = parseHex(string(value));
    if (octets === undefined) throw new Unfit(`decode hex-encoded string(${shown(value)}) failed`);
    writer.octets(octets);
    return;
  }
  if (!Array.isArray(value)) throw new Unfit(`expected vector<${printTypeTag(element)}>, but got: ${shown(value)}`);
  const list: readonly unknown[] = value;
  writer.vector(list, (inner, item) => writeValue(inner, element, item, lookup));
}

function writeStruct(writer: Writer, tag: StructTag, value: unknown, lookup: LayoutLookup): void {
  switch (standardType(tag)) {
    case "string":
      // Half a surrogate pair has no octets: written, it would be another text.
      if (typeof value !== "string" || LONE_SURROGATE.test(value)) throw new Unfit("failed to parse string::String.");
      writer.string(value);
      return;
    case "object":
      writeAddress(writer, isObject(value) ? fieldOf(value, "inner") : value);
      return;
    case "option":
      writeOption(writer, tag, fieldOf(mapOf(value), "vec"), lookup);
      return;
    case undefined:
      writeDeclared(writer, tag, mapOf(value), lookup);
  }
}

function writeDeclared(writer: Writer, tag: StructTag, value: object, lookup: LayoutLookup): void {
  const layout = lookup(tag);
  if (layout === undefined) throw new Unfit(`unknown type ${printTypeTag({ kind: "struct", struct: tag })}`);
  if (layout.kind === "struct") {
    writeFields(writer, layout.fields, tag, value, lookup);
    return;
  }
  const name = fieldOf(value, VARIANT_FIELD);
  const index = layout.variants.findIndex((variant) => variant.name === name);
  const variant = layout.variants[index];
  if (variant === undefined) throw new Unfit(`unknown variant ${shown(name)}`);
  writeFields(writer.uleb(index), variant.fields, tag, value, lookup);
}

function writeOption(writer: Writer, tag: StructTag, list: unknown, lookup: LayoutLookup): void {
  const element = tag.typeArguments[0];
  if (element === undefined) throw new Unfit("an option needs a type argument");
  const octets = element.kind === "u8" && typeof list === "string" ? parseHex(list) : undefined;
  const items: unknown = octets === undefined ? list : [...octets];
  if (!Array.isArray(items) || items.length > 1) throw new Unfit("an option is a list of one value at most");
  const values: readonly unknown[] = items;
  writer.vector(values, (inner, item) => writeValue(inner, element, item, lookup));
}

function writeFields(
  writer: Writer,
  fields: readonly FieldLayout[],
  { typeArguments }: StructTag,
  value: object,
  lookup: LayoutLookup,
): void {
  for (const { name, type } of fields) {
    const tag = instantiate(type, typeArguments);
    if (tag === undefined) throw new Unfit(`field ${name} has no readable type`);
    writeValue(writer, tag, fieldOf(value, name), lookup);
  }
}

function writeAddress(writer: Writer, value: unknown): void {
  const address = parseAddress(string(value));
  if (address === undefined) throw new Unfit(`Invalid account address ${shown(value)}`);
  writer.address(address);
}

function smallInteger(value: unknown, width: "u8" | "u16" | "u32"): number {
  if (typeof value !== "number") throw wrongType(value, width);
  if (!Number.isInteger(value) || value < 0 || BigInt(value) > UNSIGNED_MAX[width])
    throw new Unfit(`invalid value: ${shown(value)}, expected ${width}`);
  return value;
}

function integer(value: unknown, width: UnsignedWidth): bigint {
  const parsed = parseUnsigned(string(value), width);
  if (parsed === undefined) throw new Unfit(`Parsing ${width} string ${shown(value)} failed`);
  return parsed;
}

function string(value: unknown): string {
  if (typeof value !== "string") throw wrongType(value, "a string");
  return value;
}

function fieldOf(value: object, name: string): unknown {
  if (!Object.hasOwn(value, name)) throw new Unfit(`field ${name} not found.`);
  return Reflect.get(value, name);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapOf(value: unknown): object {
  if (!isObject(value)) throw new Unfit("Expecting a JSON Map for struct.");
  return value;
}

function wrongType(value: unknown, expected: string): Unfit {
  return new Unfit(`invalid type: ${shown(value)}, expected ${expected}`);
}
