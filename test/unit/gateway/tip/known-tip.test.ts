import { expect, test } from "vitest";
import { markOf, TipMemory } from "../../../../src/gateway/tip/known-tip.ts";
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

test.each<[string, number, bigint, number, boolean]>([
  ["of a later version", 3, 10n, 500, true],
  ["of an earlier version", 3, 8n, 2_000, false],
  ["of the same version, confirmed later", 3, 9n, 1_001, true],
  ["of the same version, confirmed at the same time", 3, 9n, 1_000, false],
  ["of the same version, confirmed earlier", 3, 9n, 999, false],
  ["of a later epoch", 4, 1n, 500, true],
  ["of an earlier epoch", 2, 99n, 2_000, false],
])("a report %s replaces the known tip: %s", (_what, epoch, version, confirmedAtMs, isReplaced) => {
  const memory = new TipMemory();
  memory.learn({ epoch: 3, ledger: ledgerAt(9n), confirmedAtMs: 1_000 });
  const known = memory.tip;
  memory.learn({ epoch, ledger: ledgerAt(version), confirmedAtMs });
  expect(memory.tip !== known).toBe(isReplaced);
  expect([memory.epoch, memory.mark]).toEqual(
    isReplaced ? [epoch, markOf(epoch, ledgerAt(version))] : [3, markOf(3, ledgerAt(9n))],
  );
});

test("before any report there is no epoch but the first, and no mark", () => {
  const memory = new TipMemory();
  expect([memory.tip, memory.epoch, memory.mark]).toEqual([null, 0, null]);
});

test.each([
  ["nothing", null, null, null],
  ["what this isolate offered", markOf(0, ledgerAt(9n)), null, 9n],
  ["what the limiter requires, when that is later", markOf(0, ledgerAt(9n)), markOf(0, ledgerAt(12n)), 12n],
  ["what this isolate offered, when that is later", markOf(0, ledgerAt(9n)), markOf(0, ledgerAt(5n)), 9n],
  [
    "nothing, when only the version of the later is known",
    markOf(0, ledgerAt(9n)),
    { epoch: 0, version: 12n, fields: "" },
    null,
  ],
])("a timeless response names %s", (_what, offered, floor, version) => {
  const memory = new TipMemory();
  expect(memory.label(offered, floor)?.version ?? null).toBe(version);
  expect(memory.tip?.ledger.version ?? null, "and this isolate knows it then").toBe(version);
});
