import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ledger } from "../../../../src/gateway/tip/ledger-headers.ts";
import {
  BELIEVE_RESET_AFTER_MS,
  dueToAsk,
  heard,
  LEASE_MS,
  lease,
  published,
  publishInMs,
  type Tip,
  tipAtStart,
} from "../../../../src/gateway/tip/tip-lease.ts";

const at = (version: bigint): Ledger => ({
  chainId: 4,
  version,
  oldestVersion: 0n,
  timestampMicros: 0n,
  epoch: 1n,
  blockHeight: version,
  oldestBlockHeight: 0n,
});
const START_MS = 1_000_000;
const shown = (version: bigint): Tip => published(heard(tipAtStart(null, START_MS), at(version), START_MS));

describe("a later version", () => {
  test("waits until the last lease on the earlier one has run out, and no lease is given meanwhile", () => {
    const granted = lease(shown(5n), START_MS + 40);
    expect(granted?.lease).toMatchObject({ milliseconds: LEASE_MS, confirmed: true });
    const rising = heard(granted?.tip ?? shown(5n), at(6n), START_MS + 50);
    expect(publishInMs(rising, START_MS + 50)).toBe(LEASE_MS - 10);
    expect(lease(rising, START_MS + 60)).toBeUndefined();
    expect(publishInMs(rising, START_MS + 40 + LEASE_MS)).toBe(0);
    expect(published(rising).ledger?.version).toBe(6n);
  });

  test("is published at once when nothing was shown yet", () => {
    expect(publishInMs(heard(tipAtStart(null, START_MS), at(1n), START_MS), START_MS)).toBe(0);
  });

  test("waits a whole lease after the keeper lost its memory: it cannot know what it had granted", () => {
    expect(publishInMs(heard(tipAtStart(at(5n), START_MS), at(6n), START_MS), START_MS)).toBe(LEASE_MS);
  });
});

test("whatever happens in whatever order, no lease on an older version is alive when a later one is shown", () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("hear" as const), version: fc.bigInt({ min: 0n, max: 30n }) }),
    fc.record({ kind: fc.constant("lease" as const) }),
    fc.record({ kind: fc.constant("wait" as const), milliseconds: fc.integer({ min: 0, max: 150 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let nowMs = START_MS;
      let tip = tipAtStart(null, nowMs);
      const leases: { version: bigint; untilMs: number }[] = [];
      for (const each of steps) {
        if (each.kind === "wait") nowMs += each.milliseconds;
        else if (each.kind === "hear") tip = heard(tip, at(each.version), nowMs);
        else {
          const granted = lease(tip, nowMs);
          if (granted === undefined) continue;
          tip = granted.tip;
          leases.push({ version: granted.lease.ledger?.version ?? -1n, untilMs: nowMs + LEASE_MS });
        }
        if (publishInMs(tip, nowMs) !== 0) continue;
        const before = tip.ledger?.version ?? -1n;
        tip = published(tip);
        expect(tip.ledger?.version ?? -1n).toBeGreaterThan(before);
        // Before the first version was shown nothing was: those leases promise nothing.
        const alive = leases.filter(
          ({ version, untilMs }) => version >= 0n && version < (tip.ledger?.version ?? 0n) && untilMs > nowMs,
        );
        expect(alive).toEqual([]);
      }
    }),
  );
});

describe("an earlier version", () => {
  test("is not believed, however often it is heard, for a minute; then it is a chain that was reset", () => {
    let tip = shown(9n);
    for (let ms = 0; ms < BELIEVE_RESET_AFTER_MS; ms += 1_000) tip = heard(tip, at(3n), START_MS + ms);
    expect(tip.ledger?.version).toBe(9n);
    expect(heard(tip, at(3n), START_MS + BELIEVE_RESET_AFTER_MS).ledger?.version).toBe(3n);
  });

  test("is forgotten as soon as one node is level again", () => {
    const behind = heard(shown(9n), at(3n), START_MS);
    const level = heard(behind, at(9n), START_MS + 30_000);
    expect(heard(level, at(3n), START_MS + BELIEVE_RESET_AFTER_MS + 10).ledger?.version).toBe(9n);
  });
});

test.each([
  [0, "no", true],
  [999, "no", true],
  [1_000, "ask", true],
  [1_999, "ask", true],
  [2_000, "wait", false],
  [60_000, "wait", false],
] as const)("%d ms after it was confirmed: %s, confirmed %s", (age, due, confirmed) => {
  const nowMs = START_MS + age;
  expect(dueToAsk(shown(5n), nowMs)).toBe(due);
  expect(lease(shown(5n), nowMs)?.lease).toMatchObject({ confirmed, unconfirmedMs: age });
});
