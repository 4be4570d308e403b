import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseStored, storedText } from "../../../src/base/json.ts";

describe("a stored value", () => {
  test("property: is restored unchanged, bigints included", () => {
    // V8 confuses other keys after a key of one backslash (https://github.com/nodejs/node/issues/63785). No row of ours
    // has such a key.
    const key = fc.string({ maxLength: 4 }).filter((text) => !text.includes("\\"));
    const value = fc.object({ withBigInt: true, withNullPrototype: false, key });
    fc.assert(
      fc.property(value, (each) => {
        expect(parseStored(storedText({ each }))).toEqual({ each: plain(each) });
      }),
    );
  });

  test.each([
    ["{ bigint: 2n ** 128n }", { bigint: 2n ** 128n }],
    ["a null", { value: null }],
  ])("a stored value is read back: %s", (_name, value) => {
    expect(parseStored(storedText(value))).toEqual(value);
  });

  test("property: has each distinct part once", () => {
    const part = fc.record({ name: fc.constantFrom("one", "two"), amount: fc.constantFrom(1n, 2n) });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 40 }), (list) => {
        const lines = storedText({ list, again: list }).split("\n");
        expect(new Set(lines).size).toBe(lines.length);
        // Two names, two amounts, four parts, the list and the value.
        expect(lines.length).toBeLessThanOrEqual(10);
      }),
    );
  });

  test.each(["", "{", "undefined", "null", '{"a":1}', '1\n{"a":1}', "1\n[0,2]", '1\n{"a":"0"}', "1\n[0.5]", "1\n[-1]"])(
    "%j is invalid",
    (text) => {
      expect(parseStored(text)).toBeUndefined();
    },
  );
});

/** A value as JSON preserves it: -0 becomes 0, undefined is omitted. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => (each === undefined ? null : plain(each)));
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== "object" || value === null) return value;
  const known = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(known.map(([key, each]) => [key, plain(each)]));
}
