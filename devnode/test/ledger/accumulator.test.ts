import { sha3_256 } from "@noble/hashes/sha3.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { append, EMPTY_ACCUMULATOR, rootOf, rootOver } from "../../ledger/accumulator.ts";

const TEXT = new TextEncoder();
const leaf = (number: number) => sha3_256(Uint8Array.of(number & 255, number >> 8));
const seeded = (domain: string, ...parts: Uint8Array[]) =>
  sha3_256(Uint8Array.from([sha3_256(TEXT.encode(domain)), ...parts].flatMap((part) => [...part])));

/** The definition, without optimization: perfect trees over the set bits, largest first. */
function naiveRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const tree = (part: readonly Uint8Array[]): Uint8Array =>
    part.length === 1
      ? (part[0] ?? new Uint8Array())
      : seeded("LEDGER::Node", tree(part.slice(0, part.length / 2)), tree(part.slice(part.length / 2)));
  const peaks: Uint8Array[] = [];
  let start = 0;
  for (let size = 2 ** 20; size >= 1; size /= 2) {
    if ((leaves.length & size) === 0) continue;
    peaks.push(tree(leaves.slice(start, start + size)));
    start += size;
  }
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(leaves.length), true);
  return seeded("LEDGER::Root", length, ...peaks);
}

test("appending one by one has the root of the definition", () => {
  let accumulator = EMPTY_ACCUMULATOR;
  const leaves: Uint8Array[] = [];
  expect(rootOf(accumulator)).toEqual(naiveRoot([]));
  for (let number = 0; number < 70; number += 1) {
    accumulator = append(accumulator, leaf(number));
    leaves.push(leaf(number));
    expect(accumulator.leaves).toBe(leaves.length);
    expect(rootOf(accumulator)).toEqual(naiveRoot(leaves));
  }
});

test("no two lists of leaves share a root", () => {
  const list = fc.array(fc.nat(300), { maxLength: 12 });
  fc.assert(
    fc.property(list, list, (left, right) => {
      const same = JSON.stringify(left) === JSON.stringify(right);
      const [one, other] = [rootOver(left.map(leaf)), rootOver(right.map(leaf))];
      expect(Buffer.from(one).equals(Buffer.from(other))).toBe(same);
    }),
    { numRuns: 300 },
  );
});
