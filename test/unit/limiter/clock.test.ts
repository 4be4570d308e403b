import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AwakeClock, clockAt } from "../../../src/limiter/clock.ts";
import { SlidingWindowLog, unpackDecision } from "../../../src/limiter/sliding-window-log.ts";

const START_MS = 1_700_000_000_000;

test("property: set back and corrected before it has caught up, no window of real time admits more than the quota", () => {
  const times = { back: fc.nat(200_000), before: fc.nat(90_000), until: fc.nat(90_000) };
  fc.assert(
    fc.property(fc.array(fc.record(times), { minLength: 1, maxLength: 6 }), (history) => {
      const log = new SlidingWindowLog({ quota: 5, windowMs: 60_000, maxBytes: 1_048_576 });
      const clock = clockAt(START_MS);
      const admitted: number[] = [];
      let realMs = 0;
      const pass = (milliseconds: number, backMs: number): void => {
        for (const end = realMs + milliseconds; realMs <= end; realMs += 500)
          if (log.take("a", clock.advance(START_MS + realMs - backMs)) >= 0) admitted.push(realMs);
      };
      for (const { back, before, until } of history) {
        pass(before, 0);
        pass(Math.min(until, back - 1_000), back);
      }
      pass(60_000, 0);
      // If the clock was set back between two readings, the time between them is known only after the correction.
      for (const [index, atMs] of admitted.entries())
        expect((admitted[index + 5] ?? Number.POSITIVE_INFINITY) - atMs).toBeGreaterThanOrEqual(59_500);
    }),
  );
});

test("property: set back and forth, no window of its time admits more than the quota, nor does a caller wait for longer", () => {
  const sets = fc.array(
    fc.record({ stepMs: fc.integer({ min: -4_000_000, max: 4_000_000 }), calls: fc.integer({ min: 1, max: 12 }) }),
    { minLength: 1, maxLength: 20 },
  );
  fc.assert(
    fc.property(sets, fc.integer({ min: 250, max: 60_000 }), (history, tickMs) => {
      const log = new SlidingWindowLog({ quota: 5, windowMs: 60_000, maxBytes: 1_048_576 });
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

describe("the clock of an object, beside those of its callers", () => {
  const lateness = fc.array(fc.record({ waitMs: fc.nat(40), lateMs: fc.nat(5_000), isOff: fc.boolean() }), {
    minLength: 50,
    maxLength: 200,
  });

  test.each([3_600_000, 11_000, -11_000, -3_600_000])(
    "law: it counts as it is while it goes, also when the clock of one isolate is off by %i ms",
    (offMs) => {
      fc.assert(
        fc.property(lateness, (calls) => {
          const [awake, clock] = [new AwakeClock(), clockAt(START_MS)];
          let [nowMs, wrong] = [START_MS, 0];
          for (const { waitMs, lateMs, isOff } of calls) {
            nowMs += waitMs;
            const callerMs = nowMs - lateMs + (isOff ? offMs : 0);
            if (clock.advance(awake.read(nowMs, callerMs)) !== nowMs) wrong++;
          }
          expect(wrong).toBe(0);
        }),
      );
    },
  );

  test("property: while it stands, a caller waits for a window and twenty seconds at most, and one window has one quota", () => {
    const steps = { backMs: fc.integer({ min: 0, max: 4_000_000 }), beforeMs: fc.nat(200_000) };
    fc.assert(
      fc.property(fc.array(fc.record(steps), { minLength: 1, maxLength: 4 }), fc.nat(1_000), (history, jitterMs) => {
        const log = new SlidingWindowLog({ quota: 5, windowMs: 60_000, maxBytes: 1_048_576 });
        const [awake, clock] = [new AwakeClock(), clockAt(START_MS)];
        const admitted: number[] = [];
        let [realMs, backMs, ownMs] = [0, 0, START_MS];
        const pass = (milliseconds: number): void => {
          for (const end = realMs + milliseconds; realMs <= end; realMs += 500) {
            const hostMs = START_MS + realMs - backMs;
            ownMs = Math.max(ownMs, hostMs);
            const callerMs = hostMs - (realMs % 1_000 === 0 ? jitterMs : 0);
            if (log.take("a", clock.advance(awake.read(ownMs, callerMs))) >= 0) admitted.push(realMs);
          }
        };
        for (const step of history) {
          pass(step.beforeMs);
          backMs += step.backMs;
        }
        pass(200_000);
        const gaps = admitted.map((atMs, index) => (admitted[index + 1] ?? realMs) - atMs);
        expect(Math.max(...gaps)).toBeLessThanOrEqual(60_000 + history.length * 20_000 + 2_000);
        for (const [index, atMs] of admitted.entries())
          expect((admitted[index + 5] ?? Number.POSITIVE_INFINITY) - atMs).toBeGreaterThanOrEqual(60_000 - 2_000);
      }),
      { numRuns: 200 },
    );
  });
});
