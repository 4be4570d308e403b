import { describe, expect, test } from "vitest";
import {
  coolMs,
  exclusionOf,
  isPaused,
  onExclusion,
  onResponse,
  paused,
  restMs,
  throttle,
  UNKNOWN,
  upstreamAt,
} from "../../../../src/gateway/upstream/state.ts";
import { ledgerAt } from "./nodes.ts";

const NOW_MS = 1_000_000;

describe("a pause ends to the millisecond, even if the clock is set back", () => {
  const lagging = paused(UNKNOWN, "lagging", NOW_MS);
  const excluded = onExclusion(UNKNOWN, "wrong_chain", NOW_MS);
  test.each([
    [0, true, "wrong_chain"],
    [1_999, true, "wrong_chain"],
    [2_000, false, "wrong_chain"],
    [29_999, false, "wrong_chain"],
    [30_000, false, null],
    [-1, false, null],
  ])("%i ms later: lagging is %s, excluded for %s", (laterMs, isBehind, reason) => {
    expect([isPaused(lagging, "lagging", NOW_MS + laterMs), exclusionOf(excluded, NOW_MS + laterMs)]).toEqual([
      isBehind,
      reason,
    ]);
  });
});

test.each([
  [null, 1_000],
  [0, 0],
  [7, 7_000],
  [60, 60_000],
  [61, 60_000],
])("a 429 with Retry-After %s pauses for %i ms", (retryAfterSeconds, expected) => {
  expect(coolMs(retryAfterSeconds)).toBe(expected);
});

describe("an upstream is paused", () => {
  const upstream = () => upstreamAt(0, "upstream-1");

  test("for the throttled request only", () => {
    const one = upstream();
    throttle(one, "GET /a", 7, NOW_MS);
    expect([restMs(one, "GET /a", NOW_MS), restMs(one, "GET /b", NOW_MS)]).toEqual([7_000, 0]);
  });

  test("for as long as the longest of its pauses", () => {
    const one = upstream();
    throttle(one, "GET /a", 7, NOW_MS);
    one.state = paused(onExclusion(one.state, "contradicts", NOW_MS), "throttled", NOW_MS, 8_000);
    expect(restMs(one, "GET /a", NOW_MS)).toBe(30_000);
    expect(restMs(one, "GET /a", NOW_MS + 30_000)).toBe(0);
  });

  test("for at most 256 requests; the next one replaces the oldest", () => {
    const one = upstream();
    for (let key = 0; key < 256; key += 1) throttle(one, `GET /${key}`, 7, NOW_MS);
    expect(one.throttled.size).toBe(256);
    throttle(one, "GET /256", 7, NOW_MS);
    expect([one.throttled.size, restMs(one, "GET /0", NOW_MS), restMs(one, "GET /256", NOW_MS)]).toEqual([
      256, 0, 7_000,
    ]);
  });
});

test("a response clears the suspicion; fields that it lacks keep their values", () => {
  const suspect = { ...UNKNOWN, isSuspect: true, ledger: ledgerAt(7n), dialect: "aptos" } as const;
  expect(onResponse(suspect, null, null, NOW_MS)).toEqual({ ...suspect, isSuspect: false, respondedAtMs: NOW_MS });
  expect(onResponse(suspect, ledgerAt(8n), "node", NOW_MS)).toMatchObject({ ledger: ledgerAt(8n), dialect: "node" });
});
