import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  packAdmitted,
  packRefused,
  SlidingWindowLog,
  unpackDecision,
} from "../../../src/limiter/sliding-window-log.ts";
import { NaiveLog } from "./oracle.ts";

const START_MS = 1_700_000_000_000;
const MIB = 1_048_576;
const steps = (windowMs: number, callers: number) =>
  fc.array(
    fc.record({
      waitMs: fc.oneof(
        fc.constant(0),
        fc.nat(windowMs / 20),
        fc.nat(3 * windowMs),
        fc.constantFrom(windowMs - 1, windowMs),
      ),
      key: fc.nat(callers - 1).map((index) => `203.0.113.${index}`),
      burst: fc.integer({ min: 1, max: 40 }),
    }),
    { maxLength: 40 },
  );

describe.each([
  { quota: 60, windowMs: 60_000 },
  { quota: 1, windowMs: 1_000 },
  { quota: 15, windowMs: 60_000 },
  { quota: 16, windowMs: 3_600_000 },
])("a log of $quota per $windowMs ms", ({ quota, windowMs }) => {
  test("decides by the rule, for any history", () => {
    fc.assert(
      fc.property(steps(windowMs, 4), (history) => {
        const log = new SlidingWindowLog({ quota, windowMs, maxBytes: MIB });
        const naive = new NaiveLog(quota, windowMs);
        const wrong: unknown[] = [];
        let nowMs = START_MS;
        for (const { waitMs, key, burst } of history) {
          nowMs += waitMs;
          for (let call = 0; call < burst; call++) {
            const left = quota - naive.recent(key, nowMs).length;
            const before = unpackDecision(log.peek(key, nowMs)).remaining;
            const expected = naive.take(key, nowMs);
            const verdict = log.take(key, nowMs);
            const { admitted, remaining } = unpackDecision(verdict);
            // Not by expect: half a million calls of it take seconds.
            if (before !== left || admitted !== expected >= 0 || (admitted ? remaining : verdict) !== expected)
              wrong.push({ key, nowMs, left, before, expected, verdict });
          }
        }
        expect(wrong).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

test("a retry after t seconds succeeds and one second earlier does not", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(900), { minLength: 60, maxLength: 60 }), fc.nat(5_000), (gaps, lateMs) => {
      const log = new SlidingWindowLog({ quota: 60, windowMs: 60_000, maxBytes: MIB });
      let nowMs = START_MS;
      let isAdmitted = true;
      for (const gapMs of gaps) {
        nowMs += gapMs;
        isAdmitted &&= log.take("a", nowMs) >= 0;
      }
      expect(isAdmitted).toBe(true);
      nowMs += lateMs;
      const { admitted, resetSeconds } = unpackDecision(log.take("a", nowMs));
      expect([admitted, resetSeconds >= 1]).toEqual([false, true]);
      expect(log.peek("a", nowMs + (resetSeconds - 1) * 1000)).toBeLessThan(0);
      expect(log.peek("a", nowMs + resetSeconds * 1000)).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 300 },
  );
});

test("with alternating policies, each decision follows its policy's rule for all admissions", () => {
  const policies = fc.constantFrom(
    { quota: 60, windowMs: 60_000 },
    { quota: 30, windowMs: 60_000 },
    { quota: 45, windowMs: 20_000 },
    { quota: 5, windowMs: 1_000 },
  );
  const calls = fc.array(
    fc.record({ policy: policies, waitMs: fc.oneof(fc.constantFrom(0, 0, 1_000, 20_000), fc.nat(9_000)) }),
    {
      maxLength: 300,
    },
  );
  fc.assert(
    fc.property(calls, (history) => {
      const log = new SlidingWindowLog({ quota: 60, windowMs: 60_000, maxBytes: MIB });
      const admissions: number[] = [];
      const wrong: unknown[] = [];
      let nowMs = START_MS;
      for (const { policy, waitMs } of history) {
        const { quota, windowMs } = policy;
        nowMs += waitMs;
        log.setPolicy(quota, windowMs);
        const recent = admissions.filter((atMs) => nowMs - atMs < windowMs);
        const isAdmitted = recent.length < quota;
        const firstToLeave = recent[Math.max(0, recent.length - quota)] ?? nowMs;
        const decision = log.take("a", nowMs);
        const expected = isAdmitted ? quota - recent.length - 1 : -(firstToLeave + windowMs - nowMs);
        const found = decision >= 0 ? unpackDecision(decision).remaining : decision;
        if (found !== expected) wrong.push({ policy, nowMs, found, expected });
        if (isAdmitted) admissions.push(nowMs);
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("expired callers are dropped within a second", () => {
  const log = new SlidingWindowLog({ quota: 60, windowMs: 60_000, maxBytes: MIB });
  for (let caller = 0; caller < 500; caller++) log.take(`198.51.100.${caller}`, START_MS + caller * 10);
  log.take("198.51.100.0", START_MS + 59_000);
  expect(log.size).toBe(500);
  log.peek("another", START_MS + 60_000 + 2_500);
  expect(log.size).toBe(250);
  log.peek("another", START_MS + 60_000 + 5_000);
  expect(log.size).toBe(1);
  log.peek("another", START_MS + 119_000);
  expect([log.size, log.dropped]).toEqual([0, 0]);
});

test.each([2 ** 30, 2 ** 31, 2 ** 32])("a log without calls for %i ms begins empty", (idleMs) => {
  const log = new SlidingWindowLog({ quota: 1, windowMs: 60_000, maxBytes: MIB });
  log.take("a", START_MS);
  expect(log.take("a", START_MS + idleMs + 5)).toBeGreaterThanOrEqual(0);
  expect(log.size).toBe(1);
});

test("a caller without admissions has the whole quota, now", () => {
  const log = new SlidingWindowLog({ quota: 3, windowMs: 60_000, maxBytes: MIB });
  expect(unpackDecision(log.peek("a", START_MS))).toEqual({ admitted: true, remaining: 3, resetSeconds: 0 });
  log.take("a", START_MS);
  expect(unpackDecision(log.peek("a", START_MS + 59_999))).toMatchObject({ remaining: 2, resetSeconds: 1 });
  expect(unpackDecision(log.peek("a", START_MS + 60_000))).toMatchObject({ remaining: 3, resetSeconds: 0 });
});

test("an admission as one number has the remaining quota and its seconds, rounded up", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 3_600_000 }), (remaining, resetMs) => {
      const resetSeconds = Math.ceil(resetMs / 1_000);
      expect(unpackDecision(packAdmitted(remaining, resetMs))).toEqual({ admitted: true, remaining, resetSeconds });
    }),
    // Case in which nothing is due at the last request.
    { examples: [[0, 0]] },
  );
});

test("a decision has one layout, because isolates and objects of two deployments exchange it", () => {
  expect([packAdmitted(3, 7), packRefused(7)]).toEqual([3 * 4_194_304 + 7, -7]);
});
