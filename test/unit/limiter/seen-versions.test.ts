import fc from "fast-check";
import { expect, test } from "vitest";
import { isAtLeast, type LedgerPoint } from "../../../src/chain/ledger-point.ts";
import { SeenVersions } from "../../../src/limiter/seen-versions.ts";

const LIMITS = { keepMs: 60_000, maxCallers: 4 } as const;

const steps = fc.array(
  fc.record({
    key: fc.integer({ min: 0, max: 12 }).map((index) => `203.0.113.${index}`),
    point: fc.record({
      era: fc.integer({ min: 0, max: 40 }).map((number) => (number < 2 ? 5 : 0)),
      version: fc.bigInt({ min: 0n, max: 30n }),
    }),
    waitMs: fc.oneof(fc.constant(0), fc.nat(90_000), fc.constant(0), fc.constant(-3_600_000)),
    isRestart: fc.integer({ min: 0, max: 30 }).map((number) => number === 0),
  }),
  { maxLength: 120 },
);

test("no floor is below its caller's newest version, despite evictions, resets and clock steps", () => {
  fc.assert(
    fc.property(steps, (history) => {
      let seen = new SeenVersions(null, LIMITS);
      const lastSeen = new Map<string, LedgerPoint>();
      let newest: LedgerPoint | null = null;
      let nowMs = 1_700_000_000_000;
      for (const { key, point, waitMs, isRestart } of history) {
        nowMs += waitMs;
        // The object's storage has the newest point of all callers.
        if (isRestart) seen = new SeenVersions(newest, LIMITS);
        const floor = seen.floorOf(key);
        for (const [caller, last] of lastSeen)
          expect(isAtLeast(seen.floorOf(caller) ?? { era: 0, version: -1n }, last)).toBe(true);
        if (!isAtLeast(point, floor)) continue;
        seen.record(key, point, nowMs);
        lastSeen.set(key, point);
        if (newest === null || isAtLeast(point, newest)) newest = point;
        // After a replacement no caller has a floor from the old chain.
        for (const [caller, last] of lastSeen) if (last.era < newest.era) lastSeen.delete(caller);
      }
    }),
    { numRuns: 300 },
  );
});

test("memory is bounded; an evicted caller has the highest floor of all evicted ones", () => {
  const seen = new SeenVersions(null, LIMITS);
  for (let caller = 0; caller < 1_000; caller += 1)
    seen.record(`caller ${caller}`, { era: 0, version: BigInt(caller) }, 0);
  expect(seen.size).toBeLessThanOrEqual(2 * LIMITS.maxCallers + 1);
  expect(seen.floorOf("caller 0")?.version).toBeGreaterThan(900n);
  expect(seen.floorOf("caller 999")?.version).toBe(999n);
});

test("entries of one instant are all remembered", () => {
  const seen = new SeenVersions(null, LIMITS);
  for (const [index, key] of ["a", "b", "c", "d"].entries())
    seen.record(key, { era: 0, version: BigInt(index) }, 60_000);
  expect(["a", "b", "c", "d"].map((key) => seen.floorOf(key)?.version)).toEqual([0n, 1n, 2n, 3n]);
  expect(seen.size).toBe(4);
});

test("after a replacement of the chain any of its versions may be served, and none of the old one", () => {
  const seen = new SeenVersions(null, LIMITS);
  seen.record("a", { era: 0, version: 7n }, 60_000);
  seen.record("b", { era: 0, version: 8n }, 120_000);
  expect(seen.size).toBe(2);
  seen.record("c", { era: 5, version: 3n }, 120_001);
  for (const key of ["a", "b", "never seen"]) {
    const floor = seen.floorOf(key);
    expect(floor).toMatchObject({ era: 5 });
    expect(isAtLeast({ era: 5, version: 0n }, floor)).toBe(true);
  }
  seen.record("a", { era: 0, version: 99n }, 120_002);
  expect(seen.floorOf("a"), "what is still noted of the old chain is ignored").toMatchObject({ era: 5 });
});
