import { expect, test } from "vitest";
import { instantiate, standardType } from "../../../../devnode/codec/move-layout.ts";
import { parseStructTag, parseTypeTag, printTypeTag, type TypeTag } from "../../../../src/chain/type-tag.ts";

function typeOf(text: string): TypeTag {
  const tag = parseTypeTag(text);
  if (tag === undefined) throw new Error(`not a type: ${text}`);
  return tag;
}

test.each([
  ["u64", [], "u64"],
  ["T0", ["bool"], "bool"],
  ["vector<T1>", ["bool", "u8"], "vector<u8>"],
  ["0x1::coin::CoinStore<T0>", ["0x2::a::B"], "0x1::coin::CoinStore<0x2::a::B>"],
  ["0x1::a::T0", ["bool"], "0x1::a::T0"],
  ["0x1::type_parameter::T0", ["bool"], "0x1::type_parameter::T0"],
  ["0x0::a::T0", ["bool"], "0x0::a::T0"],
])("%s with %j is %s", (type, typeArguments, expected) => {
  const tag = instantiate(type, typeArguments.map(typeOf));
  expect(tag === undefined ? undefined : printTypeTag(tag)).toBe(expected);
});

test("an invalid type has no instance", () => {
  expect(instantiate("0x1::a", [typeOf("bool")])).toBeUndefined();
});

test.each([
  ["0x1::string::String", "string"],
  ["0x1::option::Option<u8>", "option"],
  ["0x1::object::Object<u8>", "object"],
  ["0x1::string::Other", undefined],
  ["0x1::option::Other", undefined],
  ["0x1::object::Other", undefined],
  ["0x1::other::String", undefined],
  ["0x1::other::Option", undefined],
  ["0x1::other::Object", undefined],
  ["0x2::string::String", undefined],
])("%s has the form of a %s", (type, expected) => {
  const tag = parseStructTag(type);
  expect(tag === undefined ? null : standardType(tag)).toBe(expected);
});
