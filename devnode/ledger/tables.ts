import { integerIn, type Storage } from "./storage.ts";

/** Increment when a table changes: a database with another number is refused rather than misread. */
const SCHEMA_VERSION = 4;

/**
 * Every lookup has an index; no table is ever scanned. State values are found by
 * (key, greatest version not above the requested one), so a read costs the same whatever the height of the chain.
 */
const TABLES = [
  // kind: 0 module, 1 resource, 2 table item. Listings walk (kind, key) in key order.
  // item_key, item_value: types of a table item, as printed; null for modules and resources.
  `CREATE TABLE state_key (
     id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, key BLOB NOT NULL UNIQUE, item_key TEXT, item_value TEXT)`,
  `CREATE INDEX state_listing ON state_key (kind, key) WHERE kind < 2`,
  // value: null where the key was deleted.
  `CREATE TABLE state_value (key INTEGER NOT NULL, version INTEGER NOT NULL, value BLOB, PRIMARY KEY (key, version)) WITHOUT ROWID`,
  // changes: varints, the ids of the keys written; their values are in state_value at this version.
  `CREATE TABLE transactions (
     version INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, height INTEGER NOT NULL, kind INTEGER NOT NULL,
     body BLOB NOT NULL, sender BLOB, sequence INTEGER, gas_used INTEGER NOT NULL, status BLOB,
     state_change_hash BLOB NOT NULL, event_root_hash BLOB NOT NULL, checkpoint_hash BLOB, root_hash BLOB NOT NULL,
     changes BLOB NOT NULL)`,
  `CREATE UNIQUE INDEX transaction_of_sender ON transactions (sender, sequence) WHERE sender IS NOT NULL`,
  // address is null for module events: they belong to no stream.
  `CREATE TABLE event (
     version INTEGER NOT NULL, position INTEGER NOT NULL, address BLOB, creation INTEGER NOT NULL, sequence INTEGER NOT NULL,
     type TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (version, position)) WITHOUT ROWID`,
  `CREATE UNIQUE INDEX event_of_stream ON event (address, creation, sequence) WHERE address IS NOT NULL`,
  // next: the sequence number after the last event ever emitted; distinguishes a pruned event from one that never
  // existed.
  `CREATE TABLE stream (address BLOB NOT NULL, creation INTEGER NOT NULL, next INTEGER NOT NULL, PRIMARY KEY (address, creation)) WITHOUT ROWID`,
  `CREATE TABLE block (
     height INTEGER PRIMARY KEY, hash BLOB NOT NULL, epoch INTEGER NOT NULL, round INTEGER NOT NULL, proposer BLOB NOT NULL,
     timestamp INTEGER NOT NULL, first INTEGER NOT NULL UNIQUE, last INTEGER NOT NULL, users INTEGER NOT NULL, lowest_price INTEGER)`,
  // arrival: order of admission, and the row's key.
  `CREATE TABLE mempool (arrival INTEGER PRIMARY KEY, signed BLOB NOT NULL, arrived_ms INTEGER NOT NULL)`,
  // peaks of the transaction accumulator over all versions, pruned ones included.
  `CREATE TABLE accumulator (only INTEGER PRIMARY KEY CHECK (only = 0), leaves INTEGER NOT NULL, peaks BLOB NOT NULL, checkpoint BLOB NOT NULL)`,
];

/** Creates the tables on first use. */
export function createTables(storage: Storage): void {
  storage.atomically(() => {
    storage.run(`CREATE TABLE IF NOT EXISTS schema (version INTEGER NOT NULL)`);
    const [row] = storage.run(`SELECT version FROM schema`);
    if (row !== undefined) {
      const found = integerIn(row, "version");
      if (found !== SCHEMA_VERSION) throw new Error(`the ledger on disk has layout ${found}, not ${SCHEMA_VERSION}`);
      return;
    }
    for (const table of TABLES) storage.run(table);
    storage.run(`INSERT INTO schema VALUES (?)`, SCHEMA_VERSION);
  });
}
