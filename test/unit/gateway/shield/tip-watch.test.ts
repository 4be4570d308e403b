import { describe, expect, test } from "vitest";
import { TipWatch } from "../../../../src/gateway/shield/tip-watch.ts";
import type { Ledger } from "../../../../src/gateway/tip/ledger-headers.ts";
import { SimulatedTime } from "../simulated-time.ts";

const ledger = (version: bigint): Ledger => ({
  chainId: 4,
  version,
  oldestVersion: 0n,
  timestampMicros: 0n,
  epoch: 1n,
  blockHeight: version,
  oldestBlockHeight: 0n,
});

/** A watch on a chain whose version can be set. */
function watched(version: bigint, lookUpMs = 20) {
  const time = new SimulatedTime();
  const chain = { version };
  const lookedUpAtMs: number[] = [];
  const epochs: number[] = [];
  const watch = new TipWatch(
    {
      now: time.now,
      sleep: time.sleep,
      lookUp: async (floor) => {
        lookedUpAtMs.push(time.nowMs);
        await time.sleep(lookUpMs);
        return chain.version >= floor ? ledger(chain.version) : null;
      },
      onEpoch: (epoch) => epochs.push(epoch),
    },
    0,
  );
  return { time, chain, watch, lookedUpAtMs, epochs };
}

describe("waiting for a version", () => {
  test("ends at once when it is known, without a look-up", async () => {
    const { time, watch, lookedUpAtMs } = watched(9n);
    watch.report(ledger(9n));
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
    const { time, watch } = watched(5n);
    const startedAtMs = time.nowMs;
    const reaching = watch.reach(6n, 1_000);
    void time.sleep(300).then(() => watch.report(ledger(6n)));
    expect(await time.run(reaching)).toBe(true);
    expect(time.nowMs - startedAtMs).toBeLessThan(330);
  });

  test("ends after about a second when the version is not reached", async () => {
    const { time, watch } = watched(5n);
    const startedAtMs = time.nowMs;
    expect(await time.run(watch.reach(2n ** 64n - 1n, 1_000))).toBe(false);
    expect(time.nowMs - startedAtMs).toBeLessThanOrEqual(1_100);
  });

  test.each([
    [899, 899, 1],
    [900, 1_020, 2],
  ])("for %i ms ends after %i ms: a look-up that is due 100 ms later is waited for", async (patienceMs, ms, count) => {
    const { time, watch, lookedUpAtMs } = watched(5n);
    const startedAtMs = time.nowMs;
    expect(await time.run(watch.reach(6n, patienceMs))).toBe(false);
    expect([time.nowMs - startedAtMs, lookedUpAtMs.length]).toEqual([ms, count]);
  });

  test("begins no look-up after that time, however long each takes", async () => {
    const { time, watch, lookedUpAtMs } = watched(5n, 1_000);
    const startedAtMs = time.nowMs;
    await time.run(watch.confirm());
    await time.pass(700);
    expect(await time.run(watch.reach(6n, 800))).toBe(false);
    expect(lookedUpAtMs.map((atMs) => atMs - startedAtMs)).toEqual([0, 1_700]);
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

test("a look-up of an epoch that has ended meanwhile changes nothing", async () => {
  const { time, watch } = watched(5n);
  const confirming = watch.confirm();
  watch.enter(7);
  await time.run(confirming);
  expect(watch.tip).toBeNull();
});

test("the tip changed when its version did, not when it was confirmed", async () => {
  const { time, watch } = watched(5n);
  expect(watch.changedAtMs).toBe(Number.NEGATIVE_INFINITY);
  watch.report(ledger(9n));
  const changedAtMs = time.nowMs;
  await time.pass(500);
  watch.report(ledger(9n));
  expect(watch.changedAtMs).toBe(changedAtMs);
  watch.report(ledger(10n));
  expect(watch.changedAtMs).toBe(time.nowMs);
  watch.enter(7);
  expect(watch.changedAtMs).toBe(Number.NEGATIVE_INFINITY);
});

test("two concurrent confirmations are one look-up, however fast it is", async () => {
  let lookUps = 0;
  const lookUp = async (): Promise<Ledger> => {
    lookUps += 1;
    return ledger(5n);
  };
  const watch = new TipWatch({ now: () => 1_000, sleep: async () => undefined, lookUp, onEpoch: () => undefined }, 0);
  await watch.confirm();
  await watch.confirm();
  expect(lookUps).toBe(1);
});

describe("the tip", () => {
  test("never decreases within an epoch, and is confirmed by an equal report", async () => {
    const { time, watch } = watched(5n);
    watch.report(ledger(9n));
    await time.pass(500);
    watch.report(ledger(7n));
    expect([watch.tip?.ledger.version, watch.tip?.confirmedAtMs]).toEqual([9n, time.nowMs - 500]);
    watch.report(ledger(9n));
    expect(watch.tip?.confirmedAtMs).toBe(time.nowMs);
  });

  test("of an old epoch is ignored in a new one, which begins once", () => {
    const { watch, epochs } = watched(5n);
    watch.report(ledger(9n));
    watch.enter(7);
    watch.enter(7);
    watch.enter(3);
    expect([watch.epoch, watch.tip, epochs]).toEqual([7, null, [7]]);
    watch.report(ledger(2n));
    expect(watch.tip).toMatchObject({ epoch: 7, ledger: { version: 2n } });
  });
});
