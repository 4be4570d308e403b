import fc from "fast-check";
import { expect, test } from "vitest";
import { ledgerHeaders } from "../../../../src/chain/ledger-headers.ts";
import { responseLru, scopeOf } from "../../../../src/gateway/cache/lru.ts";
import { deserializeResponse, serializeResponse } from "../../../../src/gateway/cache/serialize.ts";
import { parseLedger } from "../../../../src/gateway/tip/ledger-headers.ts";
import { ledgers, values } from "../values.ts";

test("a serialized response is deserialized unchanged", () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(deserializeResponse(serializeResponse(value))).toEqual(value);
    }),
  );
});

test("damaged bytes, or those of another format, are not deserialized", () => {
  fc.assert(
    fc.property(values, fc.string(), (value, text) => {
      const { head, body } = serializeResponse(value);
      expect(deserializeResponse({ head: text, body })).toBeUndefined();
      expect(deserializeResponse({ head: head.replace('"form":3', '"form":2'), body })).toBeUndefined();
      expect(deserializeResponse({ head: head.slice(0, -2), body })).toBeUndefined();
    }),
  );
});

test("ledger headers are parsed from our own responses, under either prefix", () => {
  fc.assert(
    fc.property(ledgers, fc.constantFrom("X-NODE-", "X-APTOS-"), (ledger, prefix) => {
      const fields = Object.entries(ledgerHeaders(ledger, prefix));
      const bySuffix = fields.map(([name, text]) => [name.slice(prefix.length).toLowerCase(), text] as const);
      expect(parseLedger(Object.fromEntries(bySuffix))).toEqual(ledger);
    }),
  );
});

test("the memory never exceeds its bound, and contains the last value if it fits", () => {
  const puts = fc.array(fc.tuple(fc.stringMatching(/^[a-f]{1,2}$/), values), { maxLength: 80 });
  fc.assert(
    fc.property(puts, (each) => {
      const memory = responseLru(1_200);
      for (const [key, value] of each) {
        memory.set(key, value);
        expect(memory.cost).toBeLessThanOrEqual(1_200);
        const fits = value.body.byteLength + 2 * key.length + 1_024 <= 1_200;
        expect(memory.get(key)).toBe(fits ? value : undefined);
      }
    }),
  );
});

test("the least recently used value is evicted first", () => {
  const memory = responseLru(3_200);
  const [value] = fc.sample(values, { numRuns: 1, seed: 1 });
  if (value === undefined) throw new Error("no sample");
  // 10 bytes of body, 2 of key and 1,024 of overhead: three fit.
  const small = { ...value, body: new Uint8Array(10) };
  for (const key of ["a", "b", "c"]) memory.set(key, small);
  memory.get("a");
  memory.set("d", small);
  expect(["a", "b", "c", "d"].filter((key) => memory.get(key) !== undefined)).toEqual(["a", "c", "d"]);
  expect([memory.size, memory.cost]).toEqual([3, 3 * 1_036]);
});

test("users of one memory share its bound but not their entries", () => {
  const memory = responseLru(3_200);
  const [value] = fc.sample(values, { numRuns: 1, seed: 1 });
  if (value === undefined) throw new Error("no sample");
  const small = { ...value, body: new Uint8Array(10) };
  const [one, other] = [scopeOf(memory, "one"), scopeOf(memory, "other")];
  one.set("a", small);
  expect([one.get("a"), other.get("a")]).toEqual([small, undefined]);
  for (const key of ["b", "c", "d"]) other.set(key, small);
  expect([one.get("a"), memory.size]).toEqual([undefined, 3]);
});
