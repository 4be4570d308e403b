import { describe, expect, test } from "vitest";
import { parseEntryFunctionId, printEntryFunctionId } from "../../../../devnode/codec/entry-function-id.ts";

describe("an entry function id", () => {
  test.each([
    ["0x1::coin::transfer", "0x1::coin::transfer"],
    ["0001::A_1::_b", "0x1::A_1::_b"],
  ])("%s is %s", (text, canonical) => {
    const id = parseEntryFunctionId(text);
    expect(id === undefined ? undefined : printEntryFunctionId(id)).toBe(canonical);
  });

  test.each([
    "",
    "0x1::coin",
    "0x1::coin::a::b",
    "0x1::coin:: a",
    "0x1::1coin::a",
    "0x1::_::a",
    "coin::a::b",
    "0x1:coin:a",
  ])("%j is refused", (text) => {
    expect(parseEntryFunctionId(text)).toBeUndefined();
  });
});
