import { expect, test } from "vitest";
import {
  type CircuitBreaker,
  CLOSED,
  failed,
  positionOf,
  succeeded,
  waitOf,
} from "../../../../src/gateway/upstream/circuit-breaker.ts";

const failedTimes = (times: number, nowMs: number): CircuitBreaker => {
  let breaker = CLOSED;
  for (let time = 0; time < times; time += 1) breaker = failed(breaker, nowMs);
  return breaker;
};

test.each([
  [0, "closed"],
  [2, "closed"],
  [3, "open"],
  [9, "open"],
] as const)("%d failed probes in a row: %s", (times, position) => {
  expect(positionOf(failedTimes(times, 0), 0)).toBe(position);
});

test("a success between failures resets the count", () => {
  const once = failed(CLOSED, 0);
  expect([once.failuresInARow, succeeded().failuresInARow]).toEqual([1, 0]);
  expect(positionOf(failed(failed(succeeded(), 0), 0), 0)).toBe("closed");
});

test("after a second a probe may go out", () => {
  const open = failedTimes(3, 0);
  expect([positionOf(open, 999), waitOf(open, 400)]).toEqual(["open", 600]);
  expect([positionOf(open, 1_000), waitOf(open, 1_000)]).toEqual(["half_open", 0]);
});

test("each failed probe doubles the pause, up to half a minute", () => {
  let breaker = failedTimes(3, 0);
  let nowMs = 0;
  const pauses: number[] = [];
  for (let probe = 0; probe < 7; probe += 1) {
    nowMs += breaker.openForMs;
    breaker = failed(breaker, nowMs);
    pauses.push(breaker.openForMs);
  }
  expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test("a probe that fails while it is open does not lengthen the pause", () => {
  const open = failedTimes(3, 0);
  expect(failed(open, 500)).toEqual(open);
});

test("a clock that was set back does not prolong an open breaker", () => {
  const open = failedTimes(3, 3_600_000);
  expect([positionOf(open, 0), waitOf(open, 0)]).toEqual(["half_open", 0]);
});
