import { expect, test } from "vitest";
import {
  isAvailable,
  onFailedProbe,
  positionOf,
  restMs,
  UNKNOWN,
  type UpstreamState,
  upstreamAt,
} from "../../../../src/gateway/upstream/state.ts";

const failedTimes = (times: number, nowMs: number): UpstreamState => {
  let state = UNKNOWN;
  for (let time = 0; time < times; time += 1) state = onFailedProbe(state, nowMs);
  return state;
};
const waitOf = (state: UpstreamState, nowMs: number): number => restMs({ ...upstreamAt(0, "one"), state }, "", nowMs);

test.each([
  [0, "closed"],
  [2, "closed"],
  [3, "open"],
  [9, "open"],
] as const)("%d failed probes in a row: %s", (times, position) => {
  expect(positionOf(failedTimes(times, 0), 0)).toBe(position);
});

test("after a second a probe may go out, but no request", () => {
  const open = failedTimes(3, 0);
  expect([positionOf(open, 999), waitOf(open, 400)]).toEqual(["open", 600]);
  expect([positionOf(open, 1_000), waitOf(open, 1_000)]).toEqual(["half_open", 0]);
  expect(isAvailable({ ...upstreamAt(0, "one"), state: open }, "", 1_000)).toBe(false);
});

test("each failed probe doubles the pause, up to half a minute", () => {
  let [state, nowMs] = [failedTimes(3, 0), 0];
  const pauses: number[] = [];
  for (let probe = 0; probe < 7; probe += 1) {
    nowMs += waitOf(state, nowMs);
    state = onFailedProbe(state, nowMs);
    pauses.push(waitOf(state, nowMs));
  }
  expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test("a probe that fails while it is open does not lengthen the pause", () => {
  const open = failedTimes(3, 0);
  expect(onFailedProbe(open, 500)).toEqual(open);
});

test.each([1, 10_000, 3_600_000])("a clock that was set back by %i ms does not prolong an open breaker", (byMs) => {
  const open = failedTimes(3, 3_600_000);
  expect([positionOf(open, 3_600_000 - byMs), waitOf(open, 3_600_000 - byMs)]).toEqual(["half_open", 0]);
});
