import { beforeAll, expect, test } from "vitest";
import { ALICE, BOB } from "../../../../devnode/development-keys.ts";
import type { CommittedTransaction } from "../../../../devnode/ledger/api.ts";
import { hashOfBytes } from "../../../../src/chain/hash-value.ts";
import { audit } from "../../../support/audit-ledger.ts";
import { hashOfSigned, openWorld, signed } from "../../../support/ledger-world.ts";
import { sqliteStorage } from "../../../support/sqlite.ts";

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

const OTHER_BYTES = new Uint8Array(32).fill(7);
const OTHER = hashOfBytes(OTHER_BYTES);
const flip = (bytes: Uint8Array) => bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte));

const TAMPERINGS: readonly (readonly [string, number, (record: CommittedTransaction) => CommittedTransaction])[] = [
  ["a hash", 2, (record) => ({ ...record, hash: OTHER })],
  ["gas used", 2, (record) => ({ ...record, gasUsed: record.gasUsed + 1 })],
  ["a status", 2, (record) => ({ ...record, status: { kind: "out_of_gas" } })],
  [
    "a changed value",
    2,
    (record) => ({
      ...record,
      changes: record.changes.map((change) =>
        change.kind === "write" ? { ...change, value: flip(change.value) } : change,
      ),
    }),
  ],
  ["a missing change", 5, (record) => ({ ...record, changes: record.changes.slice(1) })],
  [
    "an event's data",
    2,
    (record) => ({ ...record, events: record.events.map((event) => ({ ...event, data: flip(event.data) })) }),
  ],
  ["the order of events", 2, (record) => ({ ...record, events: [...record.events].reverse() })],
  ["a signature", 2, (record) => (record.kind === "user" ? { ...record, body: flip(record.body) } : record)],
  [
    "a block's time",
    1,
    (record) =>
      record.kind === "block_metadata" ? { ...record, block: { ...record.block, timestampMicros: 1 } } : record,
  ],
  [
    "a block's hash",
    3,
    (record) => (record.kind === "state_checkpoint" ? { ...record, block: { ...record.block, hash: OTHER } } : record),
  ],
  ["a state checkpoint", 3, (record) => ({ ...record, checkpoint: OTHER_BYTES })],
  ["an accumulator root", 4, (record) => ({ ...record, root: OTHER_BYTES })],
  ["genesis", 0, (record) => ({ ...record, changes: record.changes.slice(1) })],
];

test.each(TAMPERINGS)("changing %s at version %i is reported, first at that version", (_, version, tamper) => {
  const forged = history.map((record, index) => (index === version ? tamper(record) : record));
  const [first = ""] = audit(forged, hashOfSigned);
  expect(first).toContain(`version ${version}:`);
});

test("a missing or moved version is found", () => {
  expect(audit([...history.slice(0, 5), ...history.slice(6)], hashOfSigned)).not.toEqual([]);
  const [zero, one, two, three, four, ...rest] = history;
  if (!zero || !one || !two || !three || !four) throw new Error("too short");
  expect(audit([zero, one, three, two, four, ...rest], hashOfSigned)).not.toEqual([]);
});
