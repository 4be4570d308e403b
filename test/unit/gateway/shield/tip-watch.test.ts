import { describe, expect, test } from "vitest";
import type { Ledger } from "../../../../src/gateway/model/ledger.ts";
import { TipWatch } from "../../../../src/gateway/shield/tip-watch.ts";
import { poolOf, raise } from "../../../../src/gateway/upstream/upstreams.ts";
import { SimulatedTime } from "../simulated-time.ts";
import { ledgerAt as ledger } from "../upstream/nodes.ts";

/** A watch on a chain whose version can be set. */
function watched(version: bigint, lookUpMs = 20) {
  const time = new SimulatedTime();
  const chain = { version, era: 0 };
  const lookedUpAtMs: number[] = [];
  const pool = poolOf([]);
  const report = (found: Ledger, era = chain.era): void =>
    raise(pool, { era, ledger: found, confirmedAtMs: time.nowMs });
  const watch = new TipWatch({
    ...{ now: time.now, sleep: time.sleep, pool },
    era: () => chain.era,
    lookUp: async (floor) => {
      const { era } = chain;
      lookedUpAtMs.push(time.nowMs);
      await time.sleep(lookUpMs);
      if (chain.version >= floor) report(ledger(chain.version), era);
    },
  });
  return { time, chain, watch, report, lookedUpAtMs };
}

describe("waiting for a version", () => {
  test("ends at once when it is known, without a look-up", async () => {
    const { time, watch, report, lookedUpAtMs } = watched(9n);
    report(ledger(9n));
    expect(await time.run(watch.reach(9n, 1_000))).toBe(true);
    expect(lookedUpAtMs).toEqual([]);
  });

  test("ends with the look-up at the end of the second at the latest", async () => {
    const { time, chain, watch } = watched(5n);
    const reaching = watch.reach(6n, 1_000);
    const startedAtMs = time.nowMs;
    void time.sleep(300).then(() => (chain.version = 6n));
    expect(await time.run(reaching)).toBe(true);
    expect(time.nowMs - startedAtMs).toBeLessThanOrEqual(1_100);
  });

  test("ends as soon as any request learns of it", async () => {
    const { time, watch, report } = watched(5n);
    const startedAtMs = time.nowMs;
    const reaching = watch.reach(6n, 1_000);
    void time.sleep(300).then(() => report(ledger(6n)));
    expect(await time.run(reaching)).toBe(true);
    expect(time.nowMs - startedAtMs).toBeLessThan(330);
  });

  test("ends after about a second when the version is not reached", async () => {
    const { time, watch } = watched(5n);
    const startedAtMs = time.nowMs;
    expect(await time.run(watch.reach(2n ** 64n - 1n, 1_000))).toBe(false);
    expect(time.nowMs - startedAtMs).toBeLessThanOrEqual(1_100);
  });

  test("costs at most one look-up a second, for any number of callers and versions", async () => {
    const { time, watch, lookedUpAtMs } = watched(5n);
    for (let round = 0; round < 10; round += 1) {
      const waiting = Array.from({ length: 20 }, (_none, index) => watch.reach(10n ** 15n + BigInt(index), 1_000));
      await time.run(Promise.all(waiting));
      await time.pass(130);
    }
    expect(lookedUpAtMs.length).toBeGreaterThan(5);
    for (const [index, atMs] of lookedUpAtMs.entries())
      if (index > 0) expect(atMs - (lookedUpAtMs[index - 1] ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  test("looks the tip up even if the clock was set back an hour", async () => {
    const { time, chain, watch } = watched(5n);
    await time.run(watch.confirm());
    time.nowMs -= 3_600_000;
    chain.version = 6n;
    const startedAtMs = time.nowMs;
    expect(await time.run(watch.reach(6n, 1_000))).toBe(true);
    expect(time.nowMs - startedAtMs).toBeLessThanOrEqual(1_000);
  });
});

test("a chain at version 0 is found, and is reached", async () => {
  const { time, watch } = watched(0n);
  expect(await time.run(watch.reach(0n, 1_000))).toBe(true);
  expect(watch.tip?.ledger.version).toBe(0n);
});

describe("a confirmation", () => {
  test.each([
    [999, 1],
    [1_000, 2],
  ])("%i ms after a look-up began makes %i look-ups in all", async (waitMs, count) => {
    const { time, watch, lookedUpAtMs } = watched(5n);
    const startedAtMs = time.nowMs;
    await time.run(watch.confirm());
    await time.pass(startedAtMs + waitMs - time.nowMs);
    await time.run(watch.confirm());
    expect(lookedUpAtMs).toHaveLength(count);
  });

  test("joins the look-up in progress", async () => {
    const { time, watch, lookedUpAtMs } = watched(5n);
    await time.run(Promise.all([watch.confirm(), watch.confirm()]));
    expect([lookedUpAtMs.length, watch.tip?.confirmedAtMs]).toEqual([1, time.nowMs]);
  });
});

test("a look-up of an era that has ended meanwhile changes nothing", async () => {
  const { time, chain, watch } = watched(5n);
  const confirming = watch.confirm();
  chain.era = 7;
  await time.run(confirming);
  expect(watch.tip).toBeNull();
});

test("a chain rests when its version has not changed for five seconds, however often it is confirmed", async () => {
  const { time, watch, report } = watched(5n);
  report(ledger(9n));
  await time.pass(4_999);
  report(ledger(9n));
  expect(watch.isResting).toBe(false);
  await time.pass(1);
  expect(watch.isResting).toBe(true);
  report(ledger(10n));
  expect(watch.isResting).toBe(false);
});

describe("the tip", () => {
  test("never decreases within an era, and is confirmed by an equal report", async () => {
    const { time, watch, report } = watched(5n);
    report(ledger(9n));
    await time.pass(500);
    report(ledger(7n));
    expect([watch.tip?.ledger.version, watch.tip?.confirmedAtMs]).toEqual([9n, time.nowMs - 500]);
    report(ledger(9n));
    expect(watch.tip?.confirmedAtMs).toBe(time.nowMs);
  });

  test("of an old era is unknown in a new one", () => {
    const { chain, watch, report } = watched(5n);
    report(ledger(9n));
    chain.era = 7;
    expect(watch.tip).toBeNull();
    report(ledger(2n));
    expect(watch.tip).toMatchObject({ era: 7, ledger: { version: 2n } });
  });
});
