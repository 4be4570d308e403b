import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyStructTag, anyTypeTag } from "../../../devnode/test/codec/arbitraries.ts";
import {
  MAX_TYPE_NESTING,
  parseStructTag,
  parseTypeTag,
  printStructTag,
  printTypeTag,
} from "../../../src/chain/type-tag.ts";

describe("a type tag", () => {
  test.each([
    ["u64", "u64"],
    [" vector < vector< u8 > > ", "vector<vector<u8>>"],
    ["0x0001::coin::Coin<0X1::a::B>".replace("0X", "0x"), "0x1::coin::Coin<0x1::a::B>"],
    ["0xA::m::S<u8,bool,vector<address>>", "0xa::m::S<u8, bool, vector<address>>"],
    ["0x1 :: m ::\tS < u8\n, signer >", "0x1::m::S<u8, signer>"],
    ["0x1::vector::u8", "0x1::vector::u8"],
    ["0x1::m::S<>", "0x1::m::S"],
    ["0x1::m::S::<u8, 0x2::n::T :: <bool>>", "0x1::m::S<u8, 0x2::n::T<bool>>"],
    ["0x1::m::S<u8, >", "0x1::m::S<u8>"],
  ])("%j is %s", (text, canonical) => {
    const tag = parseTypeTag(text);
    expect(tag === undefined ? undefined : printTypeTag(tag)).toBe(canonical);
  });

  test.each([
    "",
    " ",
    "u65",
    "vector",
    "vector<>",
    "vector<u8",
    "vector<u8>>",
    "vector<u8, u8>",
    "vec tor<u8>",
    "&u8",
    "T0",
    "1::m::S",
    "0x1::m",
    "0x1::m::S<,>",
    "0x1::m::S::",
    "0x1::m::S::u8",
    "0x1::m::S::::<u8>",
    "vector::<u8>",
    "0x1::m::<u8>",
    "0x1::m::S<u8,,>",
    "0x1::m::S<u8 u8>",
    "vector<u8,>",
    "0x1::m::S<u8",
    "0x1::m::S u8",
    "0x1:m:S",
    "0x1::m::S-",
    "0x1::m::1S",
    `0x${"1".repeat(65)}::m::S`,
  ])("%j is invalid", (text) => {
    expect(parseTypeTag(text)).toBeUndefined();
  });

  const nested = (depth: number): string => `${"vector<".repeat(depth)}u8${">".repeat(depth)}`;
  const nestedStructs = (depth: number): string =>
    depth === 0 ? "u8" : `0x1::m::S<${nestedStructs(depth - 1)}>`.replace("<u8>", "");

  test.each([nested, nestedStructs])("nests up to the limit", (format) => {
    const deepest = parseTypeTag(format(MAX_TYPE_NESTING));
    expect(deepest).toBeDefined();
    expect(parseTypeTag(format(MAX_TYPE_NESTING + 1))).toBeUndefined();
  });

  test("a formatted tag parses to the same tag, with or without spaces", () => {
    fc.assert(
      fc.property(anyTypeTag, (tag) => {
        expect(parseTypeTag(printTypeTag(tag))).toEqual(tag);
        expect(parseTypeTag(printTypeTag(tag).replaceAll(" ", ""))).toEqual(tag);
        expect(parseTypeTag(printTypeTag(tag).replaceAll(/::|[<>,]/g, " $& "))).toEqual(tag);
      }),
    );
  });
});

describe("a struct tag", () => {
  test.each(["u8", "vector<u8>", "0x1::m", "0x1::m::S::T"])("%j is invalid", (text) => {
    expect(parseStructTag(text)).toBeUndefined();
  });

  test("is the same after formatting and parsing", () => {
    fc.assert(
      fc.property(anyStructTag, (tag) => {
        expect(parseStructTag(printStructTag(tag))).toEqual(tag);
      }),
    );
  });
});
