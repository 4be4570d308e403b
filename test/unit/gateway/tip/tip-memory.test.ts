import { expect, test } from "vitest";
import { TipMemory } from "../../../../src/gateway/tip/tip-memory.ts";
import { ledgerAt } from "../upstream/nodes.ts";

test.each<[string, number, number, bigint | null]>([
  ["reported now", 10_000, 10_000, 7n],
  ["reported less than five seconds ago", 10_000, 14_999, 7n],
  ["reported five seconds ago", 10_000, 15_000, null],
  ["reported before the clock was set back", 10_000, 9_999, null],
  ["never confirmed as the newest", Number.NEGATIVE_INFINITY, 10_000, null],
])("a ledger that was %s", (_when, confirmedAtMs, nowMs, expected) => {
  const memory = new TipMemory();
  expect(memory.recent(nowMs)).toBeNull();
  memory.learn({ epoch: 0, ledger: ledgerAt(7n), confirmedAtMs });
  expect(memory.recent(nowMs)?.version ?? null).toBe(expected);
});
