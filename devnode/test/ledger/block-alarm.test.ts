import { beforeEach, describe, expect, test } from "vitest";
import { ALICE, BOB } from "../../development-keys.ts";
import { openWorld, SETTINGS, START_MS, signed, type World } from "../support/ledger-world.ts";
import { sqliteStorage } from "../support/sqlite.ts";

let world: World;
const heightAfterTick = (): bigint => {
  world.ledger.tick();
  return world.ledger.info().blockHeight;
};

beforeEach(() => {
  world = openWorld(sqliteStorage());
  world.block();
  world.changedAtMs.length = 0;
});

describe("the owner is notified when the next block is due at another time", () => {
  test("after an accepted transaction, not after a refused one", async () => {
    await world.ledger.submit(signed({ from: ALICE, sequence: 0n, to: BOB.address, chainId: 5 }));
    expect(world.changedAtMs).toEqual([]);
    await world.ledger.submit(signed({ from: ALICE, sequence: 0n, to: BOB.address }));
    expect(world.changedAtMs).toEqual([world.nowMs]);
  });

  test("after a block, and after a tick that is too early for one", () => {
    world.ledger.makeBlock();
    expect(world.changedAtMs).toHaveLength(1);
    world.ledger.tick();
    expect(world.changedAtMs).toHaveLength(2);
  });
});

describe("a tick writes a block", () => {
  test.each([
    [SETTINGS.heartbeatMs - 1, 1n],
    [SETTINGS.heartbeatMs, 2n],
  ])("without transactions %i ms after the last one: height %d", (laterMs, height) => {
    world.nowMs += laterMs;
    expect(heightAfterTick()).toBe(height);
  });

  test("at once when a transaction is ready, and not for a parked one", async () => {
    await world.ledger.submit(signed({ from: ALICE, sequence: 1n, to: BOB.address }));
    expect(heightAfterTick()).toBe(1n);
    await world.ledger.submit(signed({ from: ALICE, sequence: 0n, to: BOB.address }));
    expect(heightAfterTick()).toBe(2n);
  });
});

test("the first block is due with the start of the chain", () => {
  expect(openWorld(sqliteStorage()).ledger.dueAtMs()).toBeLessThanOrEqual(START_MS);
});
