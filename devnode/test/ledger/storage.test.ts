import { expect, test } from "vitest";
import { bytesIn, integerIn, nullableBytesIn, textIn } from "../../ledger/storage.ts";

const BYTES = Uint8Array.of(1, 2, 3);

test.each([
  ["an ArrayBuffer, as Durable Objects return it", BYTES.buffer],
  ["bytes, as node:sqlite returns them", BYTES],
])("a blob column may be %s", (_, value) => {
  expect(bytesIn({ value }, "value")).toEqual(BYTES);
});

test("a null blob is null in a nullable column, and refused by name in another", () => {
  expect(nullableBytesIn({ value: null }, "value")).toBeNull();
  expect(() => bytesIn({ value: null }, "value")).toThrow("value is null");
});

test.each([
  [bytesIn, "text"],
  [integerIn, "7"],
  [textIn, 7],
])("%o refuses a column of another type by name", (read, value) => {
  expect(() => read({ column: value }, "column")).toThrow(/^column is no/);
});
