import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressBytes, addressOfBytes, longAddress, parseAddress } from "../../../src/chain/address.ts";
import { hashOfBytes, parseHash } from "../../../src/chain/hash-value.ts";
import { hexOf, parseHex } from "../../../src/chain/hex.ts";
import { parseU64, parseUnsigned, UNSIGNED_MAX, type UnsignedWidth } from "../../../src/chain/integer.ts";

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const ZEROS = "0".repeat(64);

describe("hex bytes", () => {
  test.each([
    ["", []],
    ["0x", []],
    ["0x00ff", [0, 255]],
    ["ABcd", [171, 205]],
  ])("%j is read", (text, bytes) => {
    expect(parseHex(text)).toEqual(Uint8Array.from(bytes));
  });

  test.each(["0", "0x0", "0xg0", "0x 0", "x0", "0X00", "0x0x", "0x00 ", "ͦͦ", "0x/0", "0x:0", "0x@a", "0x`a"])(
    "%j is refused",
    (text) => {
      expect(parseHex(text)).toBeUndefined();
    },
  );

  test("formatted bytes parse to the same bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(parseHex(hexOf(bytes))).toEqual(bytes);
      }),
    );
  });
});

describe("an address", () => {
  test.each([
    ["1", "0x1"],
    ["0x1", "0x1"],
    ["0x0", "0x0"],
    [ZEROS, "0x0"],
    [`0x${ZEROS}`, "0x0"],
    ["0x0A550C18", "0xa550c18"],
    [`0x${"F".repeat(64)}`, `0x${"f".repeat(64)}`],
  ])("%s is %s", (text, canonical) => {
    expect(parseAddress(text)).toBe(canonical);
  });

  test.each(["", "0x", "0X1", "0xg", " 0x1", "0x1 ", "0x1\n", `0${ZEROS}`, `0x0${ZEROS}`, "0x-1", "0x0x1", "1_0"])(
    "%j is invalid",
    (text) => {
      expect(parseAddress(text)).toBeUndefined();
    },
  );

  test("has one canonical form and 32 bytes", () => {
    fc.assert(
      fc.property(bytes32, (bytes) => {
        const address = addressOfBytes(bytes);
        expect(addressBytes(address)).toEqual(bytes);
        expect(longAddress(address)).toBe(hexOf(bytes));
        expect(parseAddress(longAddress(address).toUpperCase().slice(2))).toBe(address);
      }),
    );
  });

  test("has 32 bytes, no other number", () => {
    expect(() => addressOfBytes(new Uint8Array(31))).toThrow(RangeError);
  });
});

describe("a hash", () => {
  test("has exactly 64 digits, 0x optional", () => {
    expect(parseHash("A".repeat(64))).toBe(`0x${"a".repeat(64)}`);
    expect(parseHash(`0x${ZEROS}`)).toBe(`0x${ZEROS}`);
    expect(hashOfBytes(new Uint8Array(32))).toBe(`0x${ZEROS}`);
  });

  test.each(["", "0x1", "a".repeat(63), "a".repeat(65), "g".repeat(64), `0X${ZEROS}`])("%j is invalid", (text) => {
    expect(parseHash(text)).toBeUndefined();
  });
});

describe("an unsigned integer", () => {
  test.each(Object.entries(UNSIGNED_MAX))("the maximum of %s is %s", (name, max) => {
    // Cast: Object.entries loses the keys' type.
    const width = name as UnsignedWidth;
    expect(parseUnsigned(max.toString(), width)).toBe(max);
    expect(parseUnsigned((max + 1n).toString(), width)).toBeUndefined();
  });

  test.each([
    ["0", 0n],
    ["007", 7n],
    [`${"0".repeat(500)}1`, 1n],
  ])("%s is read", (text, value) => {
    expect(parseU64(text)).toBe(value);
  });

  test.each(["", "+1", "-1", "1.0", "1e3", "0x1", " 1", "1 ", "1n", "1_0", "٣", "9".repeat(1000)])(
    "%j is invalid",
    (text) => {
      expect(parseU64(text)).toBeUndefined();
    },
  );
});
