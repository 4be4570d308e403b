import { expect, test } from "vitest";
import { LEAST_MEMPOOL } from "../../../devnode/config.ts";
import { genesisHistory } from "../../../devnode/genesis-history.ts";
import { makeHistory } from "../../../devnode/replay-history.ts";
import { audit } from "../../support/audit-ledger.ts";
import { CHAIN_ID, hashOfSigned, openWorld } from "../../support/ledger-world.ts";
import { sqliteStorage } from "../../support/sqlite.ts";

const HISTORY = genesisHistory(CHAIN_ID);

test("the first history runs whole, inside the first hundred versions, and its hashes recompute", async () => {
  const { ledger } = openWorld(sqliteStorage());
  await makeHistory(ledger, HISTORY);
  const { version, blockHeight } = ledger.info();
  expect(Number(blockHeight)).toBe(HISTORY.length);
  expect(version).toBeLessThan(100n);
  const found = ledger.transactions(0n, 100);
  const records = found.kind === "found" ? found.value : [];
  expect(records.filter(({ kind }) => kind === "user")).toHaveLength(HISTORY.flat().length);
  expect(records.map(({ info }) => info.status.kind)).toContain("move_abort");
  expect(audit(records, hashOfSigned)).toEqual([]);
});

test("the smallest mempool that can be set holds every block of it", async () => {
  const least = { capacity: LEAST_MEMPOOL, capacityBytes: 100_000, perAccount: LEAST_MEMPOOL, timeToLiveMs: 1_000 };
  const { ledger } = openWorld(sqliteStorage(), { mempool: least });
  await makeHistory(ledger, HISTORY);
  expect(Number(ledger.info().blockHeight)).toBe(HISTORY.length);
});

test("interrupted anywhere, the next start goes on where it stopped", async () => {
  const whole = openWorld(sqliteStorage());
  await makeHistory(whole.ledger, HISTORY);
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
    await expect(makeHistory(failing, HISTORY)).rejects.toThrow("power cut");
    const again = world.reopened().ledger;
    await makeHistory(again, HISTORY);
    expect(again.transactions(0n, 100)).toEqual(whole.ledger.transactions(0n, 100));
  }
});

test("made once, it is not made again", async () => {
  const { ledger } = openWorld(sqliteStorage());
  await makeHistory(ledger, HISTORY);
  const { version } = ledger.info();
  await makeHistory(ledger, HISTORY);
  expect(ledger.info().version).toBe(version);
});
