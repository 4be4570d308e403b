import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBcs, encodeBcs, type Reader, type Writer } from "../../../../devnode/codec/bcs.ts";
import { parseHex } from "../../../../src/chain/hex.ts";

const read = <T>(hex: string, with_: (reader: Reader) => T) => decodeBcs(parseHex(hex) ?? new Uint8Array(), with_);

describe("octets that no encoder writes are refused", () => {
  test.each<[string, string, (reader: Reader) => unknown, string]>([
    ["nothing where a value should be", "", (r) => r.u8(), "unexpected end of input"],
    ["half an integer", "000000", (r) => r.u32(), "unexpected end of input"],
    ["octets after the value", "0000", (r) => r.u8(), "remaining input"],
    ["a boolean of two", "02", (r) => r.bool(), "expected boolean"],
    ["an option of two", "0200", (r) => r.option((inner) => inner.u8()), "expected option type"],
    ["a length in two octets where one does", "8000", (r) => r.uleb(), "ULEB128 encoding was not minimal in size"],
    ["a length of 33 bits", "ffffffff1f", (r) => r.uleb(), "ULEB128-encoded integer did not fit in the target size"],
    [
      "a length of six octets",
      "808080808001",
      (r) => r.uleb(),
      "ULEB128-encoded integer did not fit in the target size",
    ],
    ["a length beyond the input", "0501", (r) => r.octets(), "unexpected end of input"],
    ["a huge vector of nothing", "ffffffff07", (r) => r.vector((inner) => inner.u8()), "unexpected end of input"],
    ["a sequence over the format's limit", "8080808008", (r) => r.octets(), "exceeded max sequence length: 2147483648"],
    ["text that is not UTF-8", "01ff", (r) => r.string(), "malformed utf8"],
    ["a surrogate in UTF-8", "03eda080", (r) => r.string(), "malformed utf8"],
    [
      "a variant that there is not",
      "03",
      (r) => r.variant(3),
      "invalid value: integer `3`, expected variant index 0 <= i < 3",
    ],
    ["a short address", "01", (r) => r.address(), "unexpected end of input"],
  ])("%s", (_name, hex, with_, message) => {
    expect(read(hex, with_)).toEqual({ kind: "malformed", message });
  });

  test("what a decoder throws by mistake is not taken for bad input", () => {
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

describe("what is written is read back", () => {
  const big = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
  const law = <T>(name: string, any: fc.Arbitrary<T>, write: (w: Writer, v: T) => unknown, with_: (r: Reader) => T) =>
    test(name, () => {
      fc.assert(
        fc.property(any, (value) => {
          expect(
            decodeBcs(
              encodeBcs((w) => void write(w, value)),
              with_,
            ),
          ).toEqual({ kind: "decoded", value });
        }),
      );
    });
  law(
    "u8",
    fc.nat(255),
    (w, v) => w.u8(v),
    (r) => r.u8(),
  );
  law(
    "u16",
    fc.nat(65_535),
    (w, v) => w.u16(v),
    (r) => r.u16(),
  );
  law(
    "u32",
    fc.nat(2 ** 32 - 1),
    (w, v) => w.u32(v),
    (r) => r.u32(),
  );
  law(
    "u64",
    big(64),
    (w, v) => w.u64(v),
    (r) => r.u64(),
  );
  law(
    "u128",
    big(128),
    (w, v) => w.u128(v),
    (r) => r.u128(),
  );
  law(
    "u256",
    big(256),
    (w, v) => w.u256(v),
    (r) => r.u256(),
  );
  law(
    "lengths",
    fc.nat(2 ** 32 - 1),
    (w, v) => w.uleb(v),
    (r) => r.uleb(),
  );
  law(
    "text",
    fc.string({ unit: "binary" }),
    (w, v) => w.string(v),
    (r) => r.string(),
  );
  law(
    "octets",
    fc.uint8Array({ maxLength: 1000 }).map((octets): Uint8Array => octets),
    (w, v) => w.octets(v),
    (r) => r.octets(),
  );
  law(
    "options in a vector",
    fc.array(fc.option(fc.boolean())),
    (w, v) => w.vector(v, (inner, o) => inner.option(o, (i, b) => i.bool(b))),
    (r) => r.vector((inner) => inner.option((i) => i.bool())),
  );
});

test.each<[string, (writer: Writer) => void]>([
  ["256 as u8", (w) => w.u8(256)],
  ["a fraction", (w) => w.u16(0.5)],
  ["a negative u64", (w) => w.u64(-1n)],
  ["2^64 as u64", (w) => w.u64(2n ** 64n)],
  ["2^128 as u128", (w) => w.u128(2n ** 128n)],
  ["2^256 as u256", (w) => w.u256(2n ** 256n)],
])("writing %s is the caller's mistake", (_name, write) => {
  expect(() => encodeBcs(write)).toThrow(RangeError);
});
