import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteBoundedCache } from "../../../../devnode/ledger/byte-bounded-cache.ts";

const entry = fc.record({ key: fc.constantFrom("a", "bb", "ccc"), value: fc.uint8Array({ maxLength: 400 }) });

test("a cache stays within its bound and returns only the last value set", () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 40 }), (steps) => {
      const memory = new ByteBoundedCache<string, Uint8Array>(600, ({ length }) => length);
      const last = new Map<string, Uint8Array>();
      for (const { key, value } of steps) {
        memory.set(key, value);
        last.set(key, value);
        expect(memory.get(key)).toBe(value);
        expect(memory.bytes).toBeLessThanOrEqual(600);
        for (const [known, newest] of last) expect([undefined, newest]).toContain(memory.get(known));
      }
    }),
  );
});

test("a deleted value, or one larger than the cache, is not returned", () => {
  const memory = new ByteBoundedCache<string, Uint8Array>(600, ({ length }) => length);
  memory.set("a", new Uint8Array(10));
  memory.delete("a");
  memory.set("b", new Uint8Array(10));
  memory.set("b", new Uint8Array(1_000));
  expect([memory.get("a"), memory.get("b"), memory.bytes]).toEqual([undefined, undefined, 0]);
});
