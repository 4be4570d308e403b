import { describe, expect, test } from "vitest";
import { chaskey, keyedHash } from "../../../../src/base/hash/chaskey.ts";

describe("Chaskey-12", () => {
  const hash = chaskey([0x833d3433, 0x009f389f, 0x2398e64f, 0x417acf39]);

  // The reference implementation's vectors: the bytes 0, 1, 2 and so on.
  test.each([
    [0, 0x43cb1f41, 0x51eba0c2, 0xff0a8ac3, 0x7ee3f642],
    [1, 0xf9ac2067, 0x9c35a846, 0x441aad3d, 0x777b7330],
    [7, 0xb7d29cb8, 0x40a2819d, 0xae403cdb, 0x6fbefa95],
    [15, 0x03cfb44b, 0x283c8163, 0xfca71448, 0xc40a0aea],
    [16, 0x5dd0e2a9, 0xfb5eac8c, 0x633a392e, 0x500c36f3],
    [17, 0x8b5f6d5a, 0x202314f6, 0x22092368, 0x9639e606],
    [32, 0x77962784, 0x07c647fa, 0xdd752c0f, 0xd2f5a799],
    [63, 0x2dd072e1, 0x42b89efe, 0xfb26b615, 0x049aa451],
  ])("of %i bytes is the reference implementation's", (length, ...expected) => {
    const text = String.fromCharCode(...Array(length).keys());
    expect(hash(text).map((word) => word >>> 0)).toEqual(expected);
  });
});

test("a keyed hash depends on every character of its secret and of its text", () => {
  const secret = "0123456789abcdef0123456789abcdef";
  const changed = (text: string) =>
    Array.from(text, (_character, index) => `${text.slice(0, index)}!${text.slice(index + 1)}`);
  const hashes = [
    ...[secret, ...changed(secret), ""].map((each) => keyedHash(each)("203.0.113.7")),
    ...changed("203.0.113.7").map(keyedHash(secret)),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(keyedHash(secret)("203.0.113.7")).toBe(hashes[0]);
});
