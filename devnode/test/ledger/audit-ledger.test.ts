import { beforeAll, expect, test } from "vitest";
import { ALICE, BOB } from "../../development-keys.ts";
import type { CommittedTransaction } from "../../ledger/api.ts";
import { audit } from "../support/audit-ledger.ts";
import { hashOfSigned, openWorld, signed } from "../support/ledger-world.ts";
import { sqliteStorage } from "../support/sqlite.ts";

let history: readonly CommittedTransaction[] = [];

beforeAll(async () => {
  const world = openWorld(sqliteStorage());
  for (let sequence = 0n; sequence < 6n; sequence += 1n) {
    await world.ledger.submit(signed({ from: ALICE, sequence, to: BOB.address, amount: 10n ** (3n * sequence) }));
    world.block();
  }
  const found = world.ledger.transactions(0n, 1_000);
  history = found.kind === "found" ? found.value : [];
});

test("a history's hashes are recomputed from genesis to the tip", () => {
  expect(history.length).toBe(19);
  expect(history.map(({ status }) => status.kind)).toContain("move_abort");
  expect(audit(history, hashOfSigned)).toEqual([]);
});

const FIRST_USER = 2;

test.each<[string, (record: CommittedTransaction) => CommittedTransaction]>([
  ["gas used", (record) => ({ ...record, gasUsed: record.gasUsed + 1 })],
  ["the changes", (record) => ({ ...record, changes: record.changes.slice(1) })],
  ["the order of events", (record) => ({ ...record, events: [...record.events].reverse() })],
  ["an accumulator root", (record) => ({ ...record, root: new Uint8Array(32).fill(7) })],
])("control: changing %s is reported, first at its version", (_, tamper) => {
  const forged = history.map((record, index) => (index === FIRST_USER ? tamper(record) : record));
  expect(audit(forged, hashOfSigned)[0]).toContain(`version ${FIRST_USER}:`);
});

test("control: a missing version is reported", () => {
  expect(audit([...history.slice(0, 5), ...history.slice(6)], hashOfSigned)).not.toEqual([]);
});
