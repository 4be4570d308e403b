import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unpackDecision } from "../../../src/limiter/decision.ts";
import { clockAt, MonotonicClock } from "../../../src/limiter/monotonic-clock.ts";
import { SlidingWindowLog } from "../../../src/limiter/sliding-window-log.ts";

const START_MS = 1_700_000_000_000;

test("while readings increase, the clock equals its readings", () => {
  const clock = clockAt(START_MS);
  expect([0, 5, 5, 90_000].map((ms) => clock.advance(START_MS + ms) - START_MS)).toEqual([0, 5, 5, 90_000]);
});

test.each([
  { readings: [100, 40, 60], time: 120, because: "a step back adds no time, later readings do" },
  { readings: [100, 99, 100, 99, 100], time: 100, because: "alternating between two readings adds no time" },
  {
    readings: [100, 0, 100],
    time: 100,
    because: "going back and forth does not count an interval twice",
  },
  { readings: [100, 0, 30, 100, 130], time: 160, because: "only time between the steps counts" },
  { readings: [100, 9_000, 100, 150], time: 9_050, because: "a step forward is indistinguishable from elapsed time" },
])("readings $readings make $time: $because", ({ readings, time }) => {
  const clock = clockAt(readings[0] ?? 0);
  expect(readings.map((reading) => clock.advance(reading)).at(-1)).toBe(time);
});

test.each([
  [[100], 100, false],
  [[100], 101, false],
  [[100], 99, true],
  [[100, 40], 40, false],
  [[100, 40], 99, false],
  [[100, 40], 100, true],
  [[100, 40, 100], 100, false],
])("after readings %j, a reading of %i means that the wall clock was set: %s", (readings, next, wasSet) => {
  const clock = clockAt(readings[0] ?? 0);
  for (const reading of readings) clock.advance(reading);
  expect(clock.wasSet(next)).toBe(wasSet);
});

test("a restored clock continues from the stored reading", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(500_000), { minLength: 2 }), (readings) => {
      const whole = clockAt(readings[0] ?? 0);
      let restarted = clockAt(readings[0] ?? 0);
      for (const reading of readings) {
        expect(restarted.advance(reading)).toBe(whole.advance(reading));
        restarted = new MonotonicClock(restarted.state);
      }
    }),
  );
});

describe("with a clock that is set back and forth", () => {
  const limits = { quota: 5, windowMs: 60_000, maxBytes: 1_048_576 };
  const sets = fc.array(
    fc.record({ stepMs: fc.integer({ min: -4_000_000, max: 4_000_000 }), calls: fc.integer({ min: 1, max: 12 }) }),
    { minLength: 1, maxLength: 20 },
  );

  test("no caller waits longer than a window after it was last set", () => {
    fc.assert(
      fc.property(sets, fc.integer({ min: 250, max: 60_000 }), (history, tickMs) => {
        const log = new SlidingWindowLog(limits);
        const clock = clockAt(START_MS);
        let reading = START_MS;
        for (const { stepMs, calls } of history) {
          reading += stepMs;
          for (let call = 0; call < calls; call++) log.take("a", clock.advance(reading));
        }
        const setAt = reading;
        const { admitted, resetSeconds } = unpackDecision(log.peek("a", clock.advance(reading)));
        expect(resetSeconds).toBeLessThanOrEqual(60);
        // A tick beyond the highest reading may count as the clock's return: one more tick, once.
        while (!admitted && log.peek("a", clock.advance(reading)) < 0) {
          reading += tickMs;
          expect(reading - setAt).toBeLessThanOrEqual(60_000 + 2 * tickMs);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("no window of the clock's time admits more than the quota", () => {
    fc.assert(
      fc.property(sets, (history) => {
        const log = new SlidingWindowLog(limits);
        const clock = clockAt(START_MS);
        const times: number[] = [];
        let reading = START_MS;
        for (const { stepMs, calls } of history) {
          reading += stepMs;
          for (let call = 0; call < calls; call++) {
            const timeMs = clock.advance(reading);
            if (log.take("a", timeMs) >= 0) times.push(timeMs);
          }
        }
        for (const from of times)
          expect(times.filter((at) => at >= from && at - from < 60_000).length).toBeLessThanOrEqual(5);
      }),
      { numRuns: 300 },
    );
  });
});
