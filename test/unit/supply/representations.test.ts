import { expect, test } from "vitest";
import { percentText } from "../../../src/supply/representations.ts";

test.each([
  [0n, 100n, "0"],
  [1n, 1n, "100"],
  [1n, 3n, "33.3333"],
  [2n, 3n, "66.6666"],
  [1n, 1_000_000n, "0.0001"],
  [1n, 1_000_001n, "0"],
  [-1n, 1_000_000n, "-0.0001"],
  [5n, 0n, "0"],
])("%d of %d is %s percent", (part, whole, text) => {
  expect(percentText(part, whole)).toBe(text);
});
