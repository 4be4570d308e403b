import { expect, test } from "vitest";
import {
  admits,
  type CircuitBreaker,
  CLOSED,
  failed,
  positionOf,
  started,
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
] as const)("%d failures in a row: %s", (times, position) => {
  expect(positionOf(failedTimes(times, 0), 0)).toBe(position);
});

test("a success between failures begins the count anew", () => {
  failedTimes(2, 0);
  expect(positionOf(failed(succeeded(), 0), 0)).toBe("closed");
});

test("after a second one probe goes out, and no other before it has come back", () => {
  const open = failedTimes(3, 0);
  expect([admits(open, 999), waitOf(open, 400)]).toEqual([false, 600]);
  expect([positionOf(open, 1_000), admits(open, 1_000)]).toEqual(["half_open", true]);
  const probing = started(open, 1_000);
  expect(admits(probing, 1_500)).toBe(false);
  expect(admits(probing, 11_000)).toBe(true);
});

test("each failed probe doubles the pause, up to half a minute", () => {
  let breaker = failedTimes(3, 0);
  let nowMs = 0;
  const pauses: number[] = [];
  for (let probe = 0; probe < 7; probe += 1) {
    nowMs += breaker.openForMs;
    breaker = failed(started(breaker, nowMs), nowMs);
    pauses.push(breaker.openForMs);
  }
  expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  expect(admits(succeeded(), nowMs)).toBe(true);
});

test("late failures of calls that left before it opened do not lengthen the pause", () => {
  const open = failedTimes(3, 0);
  expect(failed(open, 500)).toEqual(open);
});
