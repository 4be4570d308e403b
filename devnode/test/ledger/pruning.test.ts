import { expect, test } from "vitest";
import { ALICE, BOB } from "../../development-keys.ts";
import { NATIVE_COIN } from "../../framework/addresses.ts";
import { coinStore } from "../../framework/coin-state.ts";
import { Session } from "../../vm/session.ts";
import { openWorld, signed, type World } from "../support/ledger-world.ts";
import { sqliteStorage } from "../support/sqlite.ts";

const WINDOW = 20;

/** One transfer per block: 3 versions each. */
async function grow(world: World, from: bigint, to: bigint): Promise<void> {
  for (let sequence = from; sequence < to; sequence += 1n) {
    await world.ledger.submit(signed({ from: ALICE, sequence, to: BOB.address, amount: 1n }));
    world.block();
  }
}

test("whole blocks are pruned outside the window; a restart reads where history begins", async () => {
  const world = openWorld(sqliteStorage(), { pruneWindow: WINDOW });
  await grow(world, 0n, 7n);
  expect(world.ledger.info()).toMatchObject({ version: 21n, oldestVersion: 1n, oldestBlockHeight: 1n });
  await grow(world, 7n, 20n);
  const info = world.ledger.info();
  expect(info).toMatchObject({ version: 60n, oldestVersion: 40n, oldestBlockHeight: 14n });
  expect(world.reopened().ledger.info()).toEqual(info);
});

test.each([19, 20, 21])("%i versions stay whatever block they begin in, and no block beyond", async (pruneWindow) => {
  const world = openWorld(sqliteStorage(), { pruneWindow });
  for (let block = 0n; block < 12n; block += 1n) {
    await grow(world, block, block + 1n);
    const { version, oldestVersion } = world.ledger.info();
    const stored = Number(version - oldestVersion) + 1;
    expect(stored).toBeGreaterThanOrEqual(Math.min(pruneWindow, Number(version)));
    expect(stored).toBeLessThan(pruneWindow + 3);
  }
});

test("pruned and unknown versions are distinct errors", async () => {
  const world = openWorld(sqliteStorage(), { pruneWindow: WINDOW });
  await grow(world, 0n, 20n);
  const { ledger } = world;
  const pruned = { kind: "version_pruned", version: 39n };
  expect(ledger.transactionByVersion(39n)).toEqual(pruned);
  expect(ledger.transactions(39n, 5)).toEqual(pruned);
  expect(ledger.stateAt(39n)).toEqual(pruned);
  expect(ledger.list("resource", ALICE.address, 39n, null, 5)).toEqual(pruned);
  expect(ledger.list("module", ALICE.address, 39n, null, 5)).toEqual(pruned);
  expect(ledger.blockByVersion(39n, false)).toEqual(pruned);
  expect(ledger.blockByHeight(13n, false)).toEqual({ kind: "block_pruned", height: 13n });
  expect(ledger.accountTransactions(ALICE.address, 12n, 5)).toEqual(pruned);
  for (const found of [
    ledger.transactionByVersion(40n),
    ledger.transactions(40n, 5),
    ledger.stateAt(40n),
    ledger.blockByVersion(40n, true),
    ledger.blockByHeight(14n, true),
    ledger.accountTransactions(ALICE.address, 13n, 5),
    ledger.accountTransactions(ALICE.address, 20n, 5),
  ])
    expect(found.kind).toBe("found");
  const latest = ledger.accountTransactions(ALICE.address, null, 100);
  expect(latest.kind === "found" && latest.value.length).toBe(7);
  const all = ledger.transactions(null, 100);
  expect(all.kind === "found" && all.value.map(({ version }) => version)).toEqual(
    Array.from({ length: 21 }, (_, n) => 40 + n),
  );
});

test("events: pruned, present, and future", async () => {
  const world = openWorld(sqliteStorage(), { pruneWindow: WINDOW });
  await grow(world, 0n, 20n);
  const lookup = world.ledger.stateAt(null);
  if (lookup.kind !== "found") throw new Error(lookup.kind);
  const { guid } = new Session(lookup.state, null).get(coinStore.of(NATIVE_COIN), ALICE.address).withdraw_events;
  const sequences = (start: bigint | null) => {
    const found = world.ledger.events(ALICE.address, guid.id.creation_num, start, 25);
    return found.kind === "found" ? found.value.map(({ event }) => event.sequenceNumber) : found.kind;
  };
  expect(sequences(12n)).toBe("version_pruned");
  expect(sequences(13n)).toEqual([13n, 14n, 15n, 16n, 17n, 18n, 19n]);
  expect(sequences(null)).toEqual([13n, 14n, 15n, 16n, 17n, 18n, 19n]);
  expect(sequences(20n)).toEqual([]);
  expect(sequences(2n ** 64n - 1n)).toEqual([]);
  // BOB sends nothing: that stream has no event.
  const bobs = new Session(lookup.state, null).get(coinStore.of(NATIVE_COIN), BOB.address).withdraw_events;
  expect(world.ledger.events(BOB.address, bobs.guid.id.creation_num, 0n, 5)).toEqual({ kind: "found", value: [] });
});

test("the storage stops growing", async () => {
  const storage = sqliteStorage();
  const world = openWorld(storage, { pruneWindow: WINDOW });
  const rows = () =>
    ["transactions", "event", "block", "state_value", "state_key"].map((table) =>
      Number(Object.values(storage.run(`SELECT COUNT(*) AS n FROM ${table}`)[0] ?? {})[0]),
    );
  await grow(world, 0n, 20n);
  const before = rows();
  await grow(world, 20n, 60n);
  expect(rows()).toEqual(before);
});

test("a reduced window is reached block by block", async () => {
  const storage = sqliteStorage();
  const wide = openWorld(storage);
  await grow(wide, 0n, 20n);
  const narrow = openWorld(storage, { pruneWindow: WINDOW }, wide.nowMs);
  narrow.block();
  expect(narrow.ledger.info()).toMatchObject({ version: 62n, oldestVersion: 43n });
});
