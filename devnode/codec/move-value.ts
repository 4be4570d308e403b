import { isRecord } from "../../src/base/json.ts";
import { hexOf, parseHex } from "../../src/chain/hex.ts";
import { printTypeTag, type StructTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { address, bool, bytes, type Codec, u8, u16, u32, u64, u128, u256 } from "./bcs.ts";
import { BcsError, type BcsReader, type Decoded, decodeBcs } from "./bcs-reader.ts";
import { type BcsWriter, encodeBcs } from "./bcs-writer.ts";
import {
  addressOf,
  bigintOf,
  booleanOf,
  bytesOf,
  fieldOf,
  invalidJson,
  numberOf,
  recordOf,
  textOf,
  utf8Of,
} from "./json-scalars.ts";
import { type FieldLayout, instantiate, type LayoutLookup, standardType } from "./move-layout.ts";
import { preview } from "./preview.ts";

/** A Move value as the node writes it in JSON (specification, Account resource). */
export type MoveJson = boolean | number | string | readonly MoveJson[] | MoveJsonObject;
interface MoveJsonObject {
  readonly [field: string]: MoveJson;
}

/** BCS of one value to JSON. Trailing bytes and undeclared types are `malformed`. */
export function moveValueToJson(type: TypeTag, value: Uint8Array, lookup: LayoutLookup): Decoded<MoveJson> {
  return decodeBcs(value, (reader) => jsonCodec(type, lookup).read(reader));
}

/**
 * JSON to BCS. Integers of 64 bits and more are strings; an object may be given as its bare address. Throws {@link
 * RequestError} that says where and why.
 */
export function moveValueFromJson(type: TypeTag, value: unknown, lookup: LayoutLookup): Uint8Array {
  return encodeBcs((writer) => jsonCodec(type, lookup).write(writer, value));
}

/** The BCS of a type, with its JSON as the value: what is read is valid, what is written is checked. */
interface JsonCodec<T extends MoveJson = MoveJson> {
  read(reader: BcsReader): T;
  /** Throws {@link RequestError}. */
  write(writer: BcsWriter, value: unknown): void;
}

const NUMBERS = { u8, u16, u32 } as const;
const BIG_NUMBERS = { u64, u128, u256 } as const;

function jsonCodec(type: TypeTag, lookup: LayoutLookup): JsonCodec {
  switch (type.kind) {
    case "bool":
      return converted(bool, same, booleanOf);
    case "u8":
    case "u16":
    case "u32": {
      const width = type.kind;
      return converted(NUMBERS[width], same, (json) => numberOf(json, width));
    }
    case "u64":
    case "u128":
    case "u256": {
      const width = type.kind;
      return converted(BIG_NUMBERS[width], String, (json) => bigintOf(json, width));
    }
    case "address":
    case "signer":
      return converted(address, same, addressOf);
    case "vector":
      return type.element.kind === "u8" ? converted(bytes, hexOf, bytesOf) : vectorCodec(type.element, lookup);
    case "struct":
      return structCodec(type.struct, lookup);
  }
}

const same = <T>(value: T): T => value;

function converted<T>(codec: Codec<T>, toJson: (value: T) => MoveJson, fromJson: (json: unknown) => T): JsonCodec {
  return {
    read: (reader) => toJson(codec.read(reader)),
    write: (writer, json) => codec.write(writer, fromJson(json)),
  };
}

function vectorCodec(element: TypeTag, lookup: LayoutLookup): JsonCodec<readonly MoveJson[]> {
  const codec = jsonCodec(element, lookup);
  return {
    read: (reader) => reader.vector((inner) => codec.read(inner)),
    write(writer, json) {
      if (!Array.isArray(json))
        throw invalidJson(`expected vector<${printTypeTag(element)}>, but got: ${preview(json)}`);
      const items: readonly unknown[] = json;
      writer.vector(items, (inner, item) => codec.write(inner, item));
    },
  };
}

function structCodec(tag: StructTag, lookup: LayoutLookup): JsonCodec {
  switch (standardType(tag)) {
    case "string":
      return converted(bytes, textOf, utf8Of);
    case "object":
      return converted(
        address,
        (inner) => ({ inner }),
        (json) => addressOf(isRecord(json) ? fieldOf(json, "inner") : json),
      );
    case "option":
      return optionCodec(tag, lookup);
    case undefined: {
      const layout = lookup(tag);
      if (layout === undefined) return undeclared(`unknown type ${printTypeTag({ kind: "struct", struct: tag })}`);
      return fieldsCodec(layout, tag, lookup);
    }
  }
}

/** `{vec: []}` or `{vec: [value]}`; as a vector of bytes, an option of u8 is hex. */
function optionCodec(tag: StructTag, lookup: LayoutLookup): JsonCodec {
  const element = tag.typeArguments[0];
  if (element === undefined) return undeclared("an option needs a type argument");
  const list = vectorCodec(element, lookup);
  return {
    read(reader) {
      const values = list.read(reader);
      if (values.length > 1) throw new BcsError("an option holds one value at most");
      return { vec: element.kind === "u8" ? hexOf(Uint8Array.from(values.map(Number))) : values };
    },
    write(writer, json) {
      const given = fieldOf(recordOf(json), "vec");
      const hex = element.kind === "u8" && typeof given === "string" ? parseHex(given) : undefined;
      const values = hex === undefined ? given : [...hex];
      if (!Array.isArray(values) || values.length > 1) throw invalidJson("an option is a list of one value at most");
      list.write(writer, values);
    },
  };
}

function fieldsCodec(
  fields: readonly FieldLayout[],
  { typeArguments }: StructTag,
  lookup: LayoutLookup,
): JsonCodec<MoveJsonObject> {
  // Resolved on use, because a type may contain vectors of itself.
  let resolved: readonly (readonly [string, JsonCodec])[] | undefined;
  const resolve = () => (resolved ??= fields.map(({ name, type }) => [name, fieldCodec(name, type)] as const));
  const fieldCodec = (name: string, type: string): JsonCodec => {
    const tag = instantiate(type, typeArguments);
    return tag === undefined ? undeclared(`field ${name} has no readable type`) : jsonCodec(tag, lookup);
  };
  return {
    read: (reader) => Object.fromEntries(resolve().map(([name, codec]) => [name, codec.read(reader)])),
    write(writer, json) {
      const value = recordOf(json);
      for (const [name, codec] of resolve()) codec.write(writer, fieldOf(value, name));
    },
  };
}

/** A type that no module declares: its values can neither be read nor written. */
function undeclared(message: string): JsonCodec<never> {
  return {
    read() {
      throw new BcsError(message);
    },
    write() {
      throw invalidJson(message);
    },
  };
}
