import { expect, test } from "vitest";
import { dueAt } from "../../ledger/block-timing.ts";

const PACE = { blockMs: 250, heartbeatMs: 10_000 };

test.each([
  ["no transaction: a heartbeat after the last block", 1_000, false, 1_500, 11_000],
  ["no transaction and an overdue heartbeat: in the past, so at once", 1_000, false, 50_000, 11_000],
  ["a transaction on an idle chain: after the time to gather others", 1_000, true, 50_000, 50_010],
  ["a transaction on a busy chain: when the last block is 250 ms old", 50_000, true, 50_020, 50_250],
  ["a transaction just before that", 50_000, true, 50_249, 50_259],
  ["the clock was set back: never more than 250 ms from now", 90_000, true, 50_000, 50_250],
  ["the clock was set back, no transaction: never more than a heartbeat", 90_000, false, 50_000, 60_000],
])("when the next block is due: %s", (_, lastBlockMs, ready, nowMs, expected) => {
  expect(dueAt(PACE, lastBlockMs, ready, nowMs)).toBe(expected);
});
