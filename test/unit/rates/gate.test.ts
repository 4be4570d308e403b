import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  gateListing,
  isWithinFactor,
  type ListingMemory,
  NO_LISTING,
  type RateSample,
  REMEMBERED_MS,
} from "../../../src/rates/gate.ts";
import { unitsOf } from "../../../src/rates/percent.ts";
import type { Product } from "../../../src/rates/product.ts";
import { OWN } from "./rows.ts";

const FACTOR = 5;
const CONFIRM_MS = 60_000;

const { apy_base: _base, apy_reward: _reward, apr: _apr, compounds_per_year: _times, ...BARE } = OWN;
const product = (apy: number | null, id = "a") => ({ ...BARE, id, apy }) as Product; // rows are typed by inference
const isNear = (left: number, right: number): boolean => isWithinFactor(unitsOf(left), unitsOf(right), FACTOR);

/** Memory after these products were the last good ones, with an unconfirmed rate of "a". */
function known(value: readonly Product[], doubt?: RateSample): ListingMemory {
  return {
    good: { kind: "observed", value, observedAtMs: 0 },
    accepted: value.flatMap(({ id, apy }) => (apy === null ? [] : [[id, { value: unitsOf(apy), atMs: 0 }] as const])),
    doubts: doubt === undefined ? [] : [["a", doubt]],
  };
}

interface Reading {
  readonly apy: number;
  readonly atMs: number;
}

/** The last good reading after each of a sequence, as the listing's loader passes them through the gate. */
function valuesAfter(readings: readonly Reading[]): (Reading | undefined)[] {
  const readingOf = new Map<Product | undefined, Reading>();
  let memory = NO_LISTING;
  return readings.map((reading) => {
    const read = product(reading.apy);
    readingOf.set(read, reading);
    const { value, ...kept } = gateListing([read], memory, reading.atMs, FACTOR, CONFIRM_MS);
    memory = { ...known(value), ...kept };
    return readingOf.get(value[0]);
  });
}

/** Readings of a few values, so that some are near each other and some far. */
const READINGS = fc
  .array(fc.record({ apy: fc.constantFrom(0, 1, 4, 100, 400, 990), afterMs: fc.integer({ min: 1, max: 90_000 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((steps) => {
    let atMs = 0;
    return steps.map(({ apy, afterMs }): Reading => {
      atMs += afterMs;
      return { apy, atMs };
    });
  });

describe("the gate, over any sequence of readings", () => {
  test("a far reading becomes the value only if one a minute older had the same, and none between was accepted", () => {
    fc.assert(
      fc.property(READINGS, (readings) => {
        const values = valuesAfter(readings);
        for (const [index, reading] of readings.entries()) {
          const before = values[index - 1];
          if (values[index] !== reading || before === undefined || isNear(reading.apy, before.apy)) continue;
          const isRepeated = readings.slice(0, index).some((older, at) => {
            const isOld = reading.atMs - older.atMs >= CONFIRM_MS;
            // Until now the same value was the last good one, so no reading in between was good.
            const noneWasGood = values.slice(at, index).every((value) => value === before);
            return isOld && isNear(older.apy, reading.apy) && noneWasGood;
          });
          expect(isRepeated).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("a value that has truly changed counts after a minute", () => {
    const at = (second: number, apy: number): Reading => ({ apy, atMs: second * 1_000 });
    const readings = [at(0, 500), at(5, 5), at(64, 6), at(65, 5)];
    expect(valuesAfter(readings).map((value) => value?.apy)).toEqual([500, 500, 500, 5]);
  });
});

/** Whether a listing has a row of a product, and its rate. */
const ROW = fc.constantFrom("no row", null, -100, 0, 0.0525, 1, 5.25, 20, 900);

describe("the gate, over any sequence of listings that lack rows and rates", () => {
  const LISTINGS = fc.array(fc.record({ a: ROW, b: ROW, afterMs: fc.integer({ min: 1, max: 90_000 }) }), {
    minLength: 2,
    maxLength: 14,
  });

  test("nothing beyond the factor of the last accepted rate is served at first sight", () => {
    fc.assert(
      fc.property(LISTINGS, (listings) => {
        let [memory, atMs]: [ListingMemory, number] = [NO_LISTING, 0];
        /** The rates of each product in a row, without a gap, and whether each was accepted. */
        const rows: Record<"a" | "b", { rate: number; atMs: number; isAccepted: boolean }[]> = { a: [], b: [] };
        const accepted = new Map<string, number>();
        for (const { afterMs, ...rates } of listings) {
          atMs += afterMs;
          const read = (["a", "b"] as const).flatMap((id) => {
            const rate = rates[id];
            return typeof rate === "string" ? [] : [product(rate, id)];
          });
          const { value, ...kept } = gateListing(read, memory, atMs, FACTOR, CONFIRM_MS);
          memory = { good: { kind: "observed", value, observedAtMs: atMs }, ...kept };
          for (const id of ["a", "b"] as const) {
            const served = value.find((each) => each.id === id);
            const rate = rates[id];
            const isAccepted = typeof rate === "number" && served !== undefined && read.includes(served);
            const reference = accepted.get(id);
            if (!isAccepted && typeof served?.apy === "number") expect(served.apy).toBe(reference);
            if (isAccepted && reference !== undefined && !isNear(rate, reference)) {
              const last = rows[id].findLastIndex((each) => each.isAccepted);
              const isRepeated = rows[id]
                .slice(last + 1)
                .some((each) => atMs - each.atMs >= CONFIRM_MS && isNear(each.rate, rate));
              expect(isRepeated).toBe(true);
            }
            if (isAccepted) accepted.set(id, rate);
            rows[id] = typeof rate === "number" ? [...rows[id], { rate, atMs, isAccepted }] : [];
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("a rate that returns as it was is served at once", () => {
    let [memory, served]: [ListingMemory, readonly (number | null)[][]] = [NO_LISTING, []];
    for (const [index, rows] of [[product(5.25)], [product(null)], [], [product(5.25)]].entries()) {
      const { value, ...kept } = gateListing([...rows, product(20, "b")], memory, index * 1_000, FACTOR, CONFIRM_MS);
      memory = { good: { kind: "observed", value, observedAtMs: index * 1_000 }, ...kept };
      served = [...served, value.map(({ apy }) => apy)];
    }
    expect(served).toEqual([[5.25, 20], [null, 20], [20], [5.25, 20]]);
  });

  test("what is remembered has a bound: the rates that were accepted last", () => {
    let memory: ListingMemory = NO_LISTING;
    for (let at = 0; at < 6; at += 1) {
      const rows = Array.from({ length: 500 }, (_, index) => product(5, `${at}-${index}`));
      const { value, ...kept } = gateListing([product(5, "always"), ...rows], memory, at, FACTOR, CONFIRM_MS);
      memory = { good: { kind: "observed", value, observedAtMs: at }, ...kept };
    }
    const ids = memory.accepted.map(([id]) => id);
    expect([ids.length, ids.includes("always"), ids.includes("0-0"), ids.includes("5-499")]).toEqual([
      ...[2_000, true, false, true],
    ]);
  });
});

const NOW_MS = 600_000;
const seen = (apy: number, atMs = NOW_MS): RateSample => ({ value: unitsOf(apy), atMs });

test.each<[string, ListingMemory, number | null, readonly (number | null)[], RateSample?]>([
  ["is the first of all", { ...NO_LISTING, doubts: [["a", seen(90)]] }, 500, [500]],
  ["is the first of all, and a thousand percent", NO_LISTING, 1_000, [1_000]],
  ["is the first of all, and more", NO_LISTING, 1_000.1, [], seen(1_000.1)],
  ["is the first of all, and below zero", NO_LISTING, -0.1, [], seen(-0.1)],
  ["is near", known([product(100)], seen(9)), 500, [500]],
  ["is null", known([product(100)], seen(9)), null, [null]],
  ["is far", known([product(100)]), 501, [100], seen(501)],
  ["is far, read a minute ago", known([product(100)], seen(502, NOW_MS - CONFIRM_MS)), 501, [501]],
  ["is far, read just now", known([product(100)], seen(502, NOW_MS - 59_999)), 501, [100], seen(502, NOW_MS - 59_999)],
  ["is far from its doubt too", known([product(100)], seen(9, 0)), 501, [100], seen(501)],
  ["is far, read in a time to come", known([product(100)], seen(501, NOW_MS + 1)), 501, [100], seen(501)],
  ["is new, like the others", known([product(100, "b")]), 500, [500]],
  ["is new and far above the others", known([product(100, "b")]), 501, [], seen(501)],
  ["is new, a fifth of the others", known([product(100, "b"), product(200, "c")]), 20, [20]],
  ["is new and far below the others", known([product(100, "b"), product(200, "c")]), 19.9, [], seen(19.9)],
  ["is new and negative", known([product(100, "b")]), -100, [], seen(-100)],
  ["is new, like a negative one", known([product(-10, "b"), product(3, "c")]), -50, [-50]],
  ["is far above all where there was none", known([product(null), product(100, "b")]), 501, [null], seen(501)],
  ["was near before a gap", { ...known([product(null)]), accepted: [["a", seen(5.25, 0)]] }, 5.3, [5.3]],
  [
    "was far before a gap",
    { ...known([product(null)]), accepted: [["a", seen(5.25, 0)]] },
    0.0525,
    [null],
    seen(0.0525),
  ],
  ["was far before it was not listed", { ...known([]), accepted: [["a", seen(5.25, 0)]] }, -100, [], seen(-100)],
  ["was far too long ago", { ...known([]), accepted: [["a", seen(5.25, NOW_MS - REMEMBERED_MS)]] }, 500, [500]],
])("of a rate that %s", (_what, memory, apy, served, doubt) => {
  const { value, doubts } = gateListing([product(apy)], memory, NOW_MS, FACTOR, CONFIRM_MS);
  expect(value.map((each) => each.apy)).toEqual(served);
  expect(doubts).toEqual(doubt === undefined ? [] : [["a", doubt]]);
});

test.each([
  [100n, 500n, true],
  [100n, 501n, false],
  [500n, 100n, true],
  [501n, 100n, false],
  [0n, 0n, true],
  [0n, 1n, false],
  [-100n, -500n, true],
  [-100n, 100n, false],
])("%d and %d are within a factor of five: %s", (left, right, expected) => {
  expect(isWithinFactor(left, right, 5)).toBe(expected);
});
