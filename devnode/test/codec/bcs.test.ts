import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hexOf, parseHex } from "../../../src/chain/hex.ts";
import * as bcs from "../../codec/bcs.ts";
import { type BcsReader, decodeBcs } from "../../codec/bcs-reader.ts";
import { type BcsWriter, encodeBcs } from "../../codec/bcs-writer.ts";

const read = <T>(hex: string, with_: (reader: BcsReader) => T) => decodeBcs(parseHex(hex) ?? new Uint8Array(), with_);

describe("non-canonical bytes are refused", () => {
  test.each<[string, string, (reader: BcsReader) => unknown, string]>([
    ["an empty input", "", (r) => r.u8(), "unexpected end of input"],
    ["a truncated integer", "000000", (r) => r.u32(), "unexpected end of input"],
    ["bytes after the value", "0000", (r) => r.u8(), "remaining input"],
    ["a boolean of two", "02", (r) => r.bool(), "expected boolean"],
    ["an option of two", "0200", (r) => r.option((inner) => inner.u8()), "expected option type"],
    ["a length in two bytes where one is enough", "8000", (r) => r.uleb(), "ULEB128 encoding was not minimal in size"],
    ["a length of 33 bits", "ffffffff1f", (r) => r.uleb(), "ULEB128-encoded integer did not fit in the target size"],
    [
      "a length of six bytes",
      "808080808001",
      (r) => r.uleb(),
      "ULEB128-encoded integer did not fit in the target size",
    ],
    ["a length beyond the input", "0501", (r) => r.bytes(), "unexpected end of input"],
    ["a huge vector without elements", "ffffffff07", (r) => r.vector((inner) => inner.u8()), "unexpected end of input"],
    ["a sequence over the format's limit", "8080808008", (r) => r.bytes(), "exceeded max sequence length: 2147483648"],
    ["text that is not UTF-8", "01ff", (r) => r.string(), "malformed utf8"],
    ["a surrogate in UTF-8", "03eda080", (r) => r.string(), "malformed utf8"],
    ["an unknown variant", "03", (r) => r.variant(3), "invalid value: integer `3`, expected variant index 0 <= i < 3"],
    ["a short address", "01", (r) => r.address(), "unexpected end of input"],
  ])("the reader refuses %s", (_name, hex, with_, message) => {
    expect(read(hex, with_)).toEqual({ kind: "malformed", message });
  });

  test("a bug in a decoder is not reported as bad input", () => {
    expect(() =>
      read("00", () => {
        throw new TypeError("a bug");
      }),
    ).toThrow(TypeError);
  });
});

test("a byte order mark is text like any other", () => {
  expect(read("03efbbbf", (r) => r.string())).toEqual({ kind: "decoded", value: "\ufeff" });
});

const big = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
const anyBytes = fc.uint8Array({ maxLength: 300 }).map((value): Uint8Array => value);
const shape = bcs.union({
  circle: bcs.struct({ radius: bcs.u32 }),
  nothing: bcs.unit,
  polygon: bcs.struct({ corners: bcs.vector(bcs.option(bcs.bool)), label: bcs.string }),
});

describe("encoding and decoding are inverse", () => {
  const table: readonly (readonly [string, bcs.Codec<unknown>, fc.Arbitrary<unknown>])[] = [
    ["u8", bcs.u8, fc.nat(255)],
    ["u16", bcs.u16, fc.nat(65_535)],
    ["u32", bcs.u32, fc.nat(2 ** 32 - 1)],
    ["u64", bcs.u64, big(64)],
    ["u128", bcs.u128, big(128)],
    ["u256", bcs.u256, big(256)],
    ["uleb", bcs.uleb, fc.nat(2 ** 32 - 1)],
    ["string", bcs.string, fc.string({ unit: "binary" })],
    ["bytes", bcs.bytes, anyBytes],
    ["fixed bytes", bcs.fixedBytes(4), fc.uint8Array({ minLength: 4, maxLength: 4 })],
    ["vector of options", bcs.vector(bcs.option(bcs.bool)), fc.array(fc.option(fc.boolean()))],
    ["single variant", bcs.onlyVariant(bcs.u8), fc.nat(255)],
    [
      "union of structs",
      shape,
      fc.oneof(
        fc.record({ kind: fc.constant("circle"), radius: fc.nat(9) }),
        fc.record({ kind: fc.constant("nothing") }),
        fc.record({
          kind: fc.constant("polygon"),
          corners: fc.array(fc.option(fc.boolean())),
          label: fc.string({ unit: "binary" }),
        }),
      ),
    ],
  ];

  test.each(table)("what is written is read back: %s", (_name, codec, any) => {
    fc.assert(
      fc.property(any, (value) => {
        expect(bcs.decode(codec, bcs.encode(codec, value))).toEqual({ kind: "decoded", value });
      }),
    );
  });
});

describe("a map", () => {
  const codec = bcs.map(bcs.string, bcs.u8);
  const [a, b] = [
    { key: "a", value: 1 },
    { key: "b", value: 2 },
  ];

  test("is encoded in the order of its keys' bytes", () => {
    expect(hexOf(bcs.encode(codec, [b, a]))).toBe("0x02016101016202");
    expect(bcs.decode(codec, bcs.encode(codec, [b, a]))).toEqual({ kind: "decoded", value: [a, b] });
  });

  test.each([
    ["unordered keys", "02016202016101"],
    ["a repeated key", "02016101016102"],
  ])("with %s is refused", (_name, hex) => {
    expect(bcs.decode(codec, parseHex(hex) ?? new Uint8Array())).toEqual({
      kind: "malformed",
      message: "keys of serialized maps must be unique and in increasing order",
    });
  });
});

test("variants are numbered in the order of the description", () => {
  expect(hexOf(bcs.encode(shape, { kind: "polygon", corners: [], label: "x" }))).toBe("0x02000178");
});

test("a value of an unknown variant cannot be encoded", () => {
  // Cast: the type forbids the tested value.
  const unknown = { kind: "square" } as unknown as bcs.ValueOf<typeof shape>;
  expect(() => bcs.encode(shape, unknown)).toThrow(RangeError);
});

test.each<[string, (writer: BcsWriter) => void]>([
  ["256 as u8", (w) => w.u8(256)],
  ["a fraction", (w) => w.u16(0.5)],
  ["a negative u64", (w) => w.u64(-1n)],
  ["2^64 as u64", (w) => w.u64(2n ** 64n)],
  ["2^128 as u128", (w) => w.u128(2n ** 128n)],
  ["2^256 as u256", (w) => w.u256(2n ** 256n)],
])("writing %s throws RangeError", (_name, write) => {
  expect(() => encodeBcs(write)).toThrow(RangeError);
});

test.each([
  [0, "0x00"],
  [1, "0x01"],
  [127, "0x7f"],
  [128, "0x8001"],
  [129, "0x8101"],
  [16_383, "0xff7f"],
  [16_384, "0x808001"],
  [4_294_967_295, "0xffffffff0f"],
])("the length %i is written as %s", (value, hex) => {
  expect(hexOf(encodeBcs((writer) => writer.uleb(value)))).toBe(hex);
  expect(read(hex, (reader) => reader.uleb())).toEqual({ kind: "decoded", value });
});

test("a length above 32 bits is not written", () => {
  expect(() => encodeBcs((writer) => writer.uleb(4_294_967_296))).toThrow();
});
