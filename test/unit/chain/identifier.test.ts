import { expect, test } from "vitest";
import { isIdentifier } from "../../../src/chain/identifier.ts";

test.each(["a", "A_1", "_b", "__", "a".repeat(255)])("%s is an identifier", (text) => {
  expect(isIdentifier(text)).toBe(true);
});

test.each(["", "_", "1a", "a-b", "a b", "é", "a".repeat(256)])("%j is not an identifier", (text) => {
  expect(isIdentifier(text)).toBe(false);
});
