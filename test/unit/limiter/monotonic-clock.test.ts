import fc from "fast-check";
import { expect, test } from "vitest";
import { unpackDecision } from "../../../src/limiter/decision.ts";
import { clockAt } from "../../../src/limiter/monotonic-clock.ts";
import { SlidingWindowLog } from "../../../src/limiter/sliding-window-log.ts";

const START_MS = 1_700_000_000_000;

test("law: set back and corrected before it has caught up, no window of real time admits more than the quota", () => {
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
      // What passed between two readings, of which the second was set back, is known only after the correction.
      for (const [index, atMs] of admitted.entries())
        expect((admitted[index + 5] ?? Number.POSITIVE_INFINITY) - atMs).toBeGreaterThanOrEqual(59_500);
    }),
  );
});

test("law: set back and forth, no window of its time admits more than the quota, nor does a caller wait for longer", () => {
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
