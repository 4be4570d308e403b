import { describe, expect, test } from "vitest";
import { BoundedMap, memoByObject } from "../../src/memo.ts";

describe("memoByObject", () => {
  test("builds once for each object, whatever the objects contain", () => {
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
  test("stores up to its maximum of entries, then restarts with the new one", () => {
    const map = new BoundedMap<string, number>(2);
    map.set("a", 1);
    map.set("b", 2);
    expect([map.get("a"), map.get("b"), map.size]).toEqual([1, 2, 2]);
    map.set("c", 3);
    expect([map.get("a"), map.get("b"), map.get("c"), map.size]).toEqual([undefined, undefined, 3, 1]);
  });

  test("replaces a known key's value without losing the others", () => {
    const map = new BoundedMap<string, number>(2);
    map.set("a", 1);
    map.set("b", 2);
    map.set("a", 3);
    expect([map.get("a"), map.get("b")]).toEqual([3, 2]);
  });
});
