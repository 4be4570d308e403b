import { describe, expect, test } from "vitest";
import { keyedHash, sipHash } from "../../../src/hash/sip-hash.ts";

const hex = (text: string) => [...text].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join(" ");

describe("SipHash-2-4", () => {
  const hash = sipHash([0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c]);

  // The reference implementation's vectors: the bytes 0, 1, 2 and so on, under the key of the bytes 0 to 15.
  test.each([
    [0, "31 0e 0e dd 47 db 6f 72"],
    [1, "fd 67 dc 93 c5 39 f8 74"],
    [7, "37 d1 01 8b f5 00 02 ab"],
    [8, "62 24 93 9a 79 f5 f5 93"],
    [15, "e5 45 be 49 61 ca 29 a1"],
    [63, "72 45 06 eb 4c 32 8a 95"],
  ])("of %i bytes is the reference implementation's", (length, expected) => {
    const text = String.fromCharCode(...Array(length).keys());
    expect([hex(hash(text)), hex(hash(text))]).toEqual([expected, expected]);
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
