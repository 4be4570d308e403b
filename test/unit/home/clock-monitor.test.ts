import { expect, test } from "vitest";
import { ClockMonitor } from "../../../src/home/clock-monitor.ts";

const HOUR_MS = 3_600_000;

/** Calls, each at an instant of the object's clock and one of its caller's, in milliseconds. */
test.each<[string, readonly (readonly [number, number])[], readonly boolean[]]>([
  [
    "was set back by an hour, and stands",
    [
      [HOUR_MS, HOUR_MS],
      [HOUR_MS, 100],
      [HOUR_MS, 600],
      [HOUR_MS, 1_100],
    ],
    [false, false, false, true],
  ],
  [
    "stands an hour ahead since before its first call",
    [
      [HOUR_MS, 0],
      [HOUR_MS, 1_000],
    ],
    [false, true],
  ],
  [
    "goes",
    [
      [0, 0],
      [1_000, 1_000],
      [1_000, 1_000],
      [5_000, 5_001],
    ],
    [false, false, false, false],
  ],
  [
    "is an hour ahead of its callers', and goes",
    [
      [HOUR_MS, 0],
      [HOUR_MS + 1_000, 1_000],
    ],
    [false, false],
  ],
  [
    "is right, while one caller's is an hour behind",
    [
      [HOUR_MS, HOUR_MS],
      [HOUR_MS + 1, 1],
      [HOUR_MS + 1, HOUR_MS + 1],
      [HOUR_MS + 2_000, 2_000],
    ],
    [false, false, false, false],
  ],
  [
    "stands for less than clocks may differ",
    [
      [10_000, 0],
      [10_000, 9_000],
    ],
    [false, false],
  ],
])("a clock that %s", (_what, calls, expected) => {
  const clock = new ClockMonitor();
  expect(calls.map(([ownMs, callerMs]) => clock.hasStopped(ownMs, callerMs))).toEqual(expected);
});
