import { type Address, addressBytes, addressOfBytes } from "../../src/chain/address.ts";
import { type HashValue, hashOfBytes } from "../../src/chain/hash-value.ts";
import { type Codec, decode, encode, uleb, vector } from "../codec/bcs.ts";
import { type VmStatus, vmStatus } from "../vm/effects.ts";
import { hashBytes } from "./digest.ts";
import { asBytes, bytes, type Column, integer, nullable, type RowOf, type Storage, Table } from "./storage.ts";

const RECORD_KINDS = ["genesis", "block_metadata", "user", "state_checkpoint"] as const;
type RecordKind = (typeof RECORD_KINDS)[number];

const kind: Column<RecordKind> = {
  name: "kind",
  read: (row) => RECORD_KINDS[integer("kind").read(row)] ?? "genesis",
  write: (value) => RECORD_KINDS.indexOf(value),
};

/** null: executed, the most frequent one. */
const storedStatus = nullable(encoded("status", vmStatus));
const status: Column<VmStatus> = {
  name: "status",
  read: (row) => storedStatus.read(row) ?? { kind: "executed" },
  write: (value) => storedStatus.write(value.kind === "executed" ? null : value),
};

const COLUMNS = {
  version: integer("version"),
  hash: asBytes("hash", hashOfBytes, hashBytes),
  height: integer("height"),
  kind,
  /** BCS of the signed transaction; empty for the chain's own. */
  body: bytes("body"),
  /** null for the chain's own, and so is the sequence number. */
  sender: nullable(asBytes("sender", addressOfBytes, addressBytes)),
  sequenceNumber: nullable(integer("sequence")),
  gasUsed: integer("gas_used"),
  status,
  stateChange: bytes("state_change_hash"),
  eventRoot: bytes("event_root_hash"),
  checkpoint: nullable(bytes("checkpoint_hash")),
  root: bytes("root_hash"),
  /** Ids of the state keys that it changed. */
  changes: encoded("changes", vector(uleb)),
};

/** A stored transaction; numbers are far below 2^53, events and changed values are in their own tables. */
export type RecordRow = RowOf<typeof COLUMNS>;

/** Committed transactions by version, by hash, and by sender and sequence number. */
export class RecordStore {
  readonly #table: Table<typeof COLUMNS>;

  constructor(storage: Storage) {
    this.#table = new Table(storage, "transactions", COLUMNS);
  }

  append(record: RecordRow): void {
    this.#table.insert(record);
  }

  at(version: number): RecordRow | undefined {
    return this.#table.select(`WHERE version = ?`, version)[0];
  }

  withHash(hash: HashValue): RecordRow | undefined {
    return this.#table.select(`WHERE hash = ?`, hashBytes(hash))[0];
  }

  /** Ascending from `start`. */
  from(start: number, limit: number): readonly RecordRow[] {
    return this.#table.select(`WHERE version >= ? ORDER BY version LIMIT ?`, start, limit);
  }

  /** Sent by `sender`, ascending from sequence number `start`. */
  sentBy(sender: Address, start: number, limit: number): readonly RecordRow[] {
    const clause = `WHERE sender = ? AND sequence >= ? ORDER BY sequence LIMIT ?`;
    return this.#table.select(clause, addressBytes(sender), start, limit);
  }

  drop(version: number): void {
    this.#table.delete(`WHERE version = ?`, version);
  }
}

/** A value stored as its BCS. */
function encoded<T>(name: string, codec: Codec<T>): Column<T> {
  return asBytes(
    name,
    (stored) => {
      const decoded = decode(codec, stored);
      if (decoded.kind === "malformed") throw new Error(`a stored ${name} is malformed: ${decoded.message}`);
      return decoded.value;
    },
    (value) => encode(codec, value),
  );
}
