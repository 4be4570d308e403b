import fc from "fast-check";
import { expect, test } from "vitest";
import { preview } from "../../../../devnode/codec/preview.ts";

test.each([
  ["text", '"text"'],
  [5, "5"],
  [undefined, "nothing"],
  [{ a: [1, null, true] }, '{"a":[1,null,true]}'],
  [[[[[[[[[[1]]]]]]]]], "[[[[[[[[[]]]]]]]]]"],
  ["x".repeat(200), `"${"x".repeat(99)}`],
])("the preview of %j is %j", (value, text) => {
  expect(preview(value)).toBe(text);
});

test("a value nested 100,000 levels deep, or without a JSON form, has a preview", () => {
  const lists: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
  expect(preview(lists)).toBe("[".repeat(9) + "]".repeat(9));
  const objects: unknown = JSON.parse('{"a":'.repeat(100_000) + "1" + "}".repeat(100_000));
  expect(preview(objects)).toBe('{"a":'.repeat(8) + "{}" + "}".repeat(8));
  expect(preview(JSON.parse('{"toString":1,"toJSON":2}'))).toBe('{"toString":1,"toJSON":2}');
});

test("the preview of a short, shallow value is its JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(text.length <= 100 && !text.includes("__proto__"));
      expect(preview(value)).toBe(text);
    }),
    { numRuns: 300 },
  );
});
