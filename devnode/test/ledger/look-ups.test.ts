import { expect, test } from "vitest";
import { ALICE, BOB } from "../../development-keys.ts";
import { textIn } from "../../ledger/storage.ts";
import { createTables } from "../../ledger/tables.ts";
import { openWorld, signed } from "../support/ledger-world.ts";
import { sqliteStorage } from "../support/sqlite.ts";

/** Scanned on purpose: the mempool once at a start, and tables of one row. */
const READ_WHOLE = ["SCAN mempool", "SCAN accumulator", "SCAN schema", "SCAN CONSTANT ROW"];

test("every statement of the ledger uses an index; none scans", async () => {
  const storage = sqliteStorage();
  const statements = new Map<string, number>();
  const watched = {
    ...storage,
    run: (statement: string, ...values: Parameters<typeof storage.run>[1][]) => {
      statements.set(statement, values.length);
      return storage.run(statement, ...values);
    },
  };
  const world = openWorld(watched, { pruneWindow: 10 });
  const { ledger } = world;
  for (let sequence = 0n; sequence < 6n; sequence += 1n) {
    await ledger.submit(signed({ from: ALICE, sequence, to: BOB.address }));
    world.block();
  }
  const { version } = ledger.info();
  ledger.transactions(version - 3n, 5);
  ledger.accountTransactions(ALICE.address, null, 5);
  ledger.events(ALICE.address, 2n, null, 5);
  ledger.list("resource", ALICE.address, version - 2n, null, 5);
  ledger.list("module", BOB.address, null, null, 5);
  ledger.blockByHeight(ledger.info().blockHeight, true);
  ledger.blockByVersion(version - 4n, true);
  ledger.gasEstimate();
  const queries = [...statements].filter(([text]) => /^(SELECT|DELETE|UPDATE|INSERT)/.test(text));
  expect(queries.length).toBeGreaterThan(25);
  for (const [text, count] of queries) {
    const plan = storage.run(`EXPLAIN QUERY PLAN ${text}`, ...Array.from({ length: count }, () => 1));
    const scans = plan.map((row) => textIn(row, "detail")).filter((detail) => detail.startsWith("SCAN"));
    const unexpected = scans.filter((detail) => !READ_WHOLE.some((known) => detail.startsWith(known)));
    // The newest and oldest blocks are the ends of the primary key: an ordered scan that LIMIT ends.
    const walks = /FROM block ORDER BY height( DESC)? LIMIT/.test(text) ? ["SCAN block"] : [];
    expect([text, unexpected]).toEqual([text, walks]);
  }
});

test("a plan that scans is recognized", () => {
  const storage = sqliteStorage();
  createTables(storage);
  const plan = storage.run(`EXPLAIN QUERY PLAN SELECT hash FROM transactions WHERE gas_used = 1`);
  expect(plan.map((row) => textIn(row, "detail")).join()).toContain("SCAN transactions");
});
