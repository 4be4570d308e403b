import { expect, test } from "vitest";
import { MIN_MEMPOOL } from "../config.ts";
import { genesisHistory } from "../genesis-history.ts";
import { replayHistory } from "../replay-history.ts";
import { audit } from "./support/audit-ledger.ts";
import { CHAIN_ID, hashOfSigned, openWorld } from "./support/ledger-world.ts";
import { sqliteStorage } from "./support/sqlite.ts";

const HISTORY = genesisHistory(CHAIN_ID);

test("the genesis history completes within 100 versions, and its hashes can be recomputed", async () => {
  const { ledger } = openWorld(sqliteStorage());
  await replayHistory(ledger, HISTORY);
  const { version, blockHeight } = ledger.info();
  expect(Number(blockHeight)).toBe(HISTORY.length);
  expect(version).toBeLessThan(100n);
  const found = ledger.transactions(0n, 100);
  const records = found.kind === "found" ? found.value : [];
  expect(records.filter(({ kind }) => kind === "user")).toHaveLength(HISTORY.flat().length);
  expect(records.map(({ status }) => status.kind)).toContain("move_abort");
  expect(audit(records, hashOfSigned)).toEqual([]);
});

test("the smallest configurable mempool has room for each of its blocks", async () => {
  const min = { capacity: MIN_MEMPOOL, capacityBytes: 100_000, perAccount: MIN_MEMPOOL, timeToLiveMs: 1_000 };
  const { ledger } = openWorld(sqliteStorage(), { mempool: min });
  await replayHistory(ledger, HISTORY);
  expect(Number(ledger.info().blockHeight)).toBe(HISTORY.length);
});

test("after an interruption anywhere, the next start continues where it stopped", async () => {
  const whole = openWorld(sqliteStorage());
  await replayHistory(whole.ledger, HISTORY);
  const steps = HISTORY.flat().length + HISTORY.length;
  for (let allowed = 0; allowed < steps; allowed += 7) {
    const world = openWorld(sqliteStorage());
    let left = allowed;
    const step = () => {
      if (left === 0) throw new Error("power cut");
      left -= 1;
    };
    const failing: typeof world.ledger = {
      ...world.ledger,
      submit: async (signedBytes) => {
        step();
        return world.ledger.submit(signedBytes);
      },
      makeBlock: () => {
        step();
        world.ledger.makeBlock();
      },
    };
    await expect(replayHistory(failing, HISTORY)).rejects.toThrow("power cut");
    const again = world.reopened().ledger;
    await replayHistory(again, HISTORY);
    expect(again.transactions(0n, 100)).toEqual(whole.ledger.transactions(0n, 100));
  }
});
