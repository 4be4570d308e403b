import { describe, expect, test } from "vitest";
import { BoundedMap, memoByObject } from "../../../src/base/memo.ts";

describe("memoByObject", () => {
  test("builds once per object identity", () => {
    const built: object[] = [];
    const lengthOf = memoByObject((list: readonly number[]) => {
      built.push(list);
      return { length: list.length };
    });
    const [one, equal] = [[1], [1]];
    expect(lengthOf(one)).toBe(lengthOf(one));
    expect(lengthOf(equal)).not.toBe(lengthOf(one));
    expect(built).toEqual([one, equal]);
  });
});

describe("BoundedMap", () => {
  test("evicts the least recently used entry above its maximum", () => {
    const map = new BoundedMap<string, number>(2);
    map.set("a", 1);
    map.set("b", 2);
    expect(map.get("a")).toBe(1);
    map.set("c", 3);
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([1, undefined, 3]);
  });

  test("a look is no use", () => {
    const map = new BoundedMap<string, number>(2);
    map.set("a", 1);
    map.set("b", 2);
    expect([map.peek("a"), map.peek("c")]).toEqual([1, undefined]);
    map.set("c", 3);
    expect([map.peek("a"), map.peek("b"), map.peek("c")]).toEqual([undefined, 2, 3]);
  });

  test("counts each entry's size, and subtracts it on eviction", () => {
    const map = new BoundedMap<string, string>(10, (key, value) => key.length + value.length);
    const kept = () => ["a", "b", "c", "d", "e", "f"].filter((key) => map.peek(key) !== undefined);
    map.set("a", "1234");
    map.set("b", "1234");
    expect(kept()).toEqual(["a", "b"]);
    map.set("c", "12345678");
    expect(kept()).toEqual(["c"]);
    map.set("d", "");
    expect(kept()).toEqual(["c", "d"]);
    map.delete("c");
    map.delete("c");
    map.set("e", "12345678");
    expect(kept()).toEqual(["d", "e"]);
    map.set("f", "");
    expect(kept()).toEqual(["e", "f"]);
  });
});
