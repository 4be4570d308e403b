import { type Address, addressBytes } from "../../src/chain/address.ts";
import { type HashValue, hashOfBytes } from "../../src/chain/hash-value.ts";
import { decode, encode } from "../codec/bcs.ts";
import { BcsReader } from "../codec/bcs-reader.ts";
import { encodeBcs } from "../codec/bcs-writer.ts";
import { type VmStatus, vmStatus } from "../vm/effects.ts";
import { hashBytes } from "./digest.ts";
import { bytesIn, integerIn, nullableBytesIn, type Row, type Storage } from "./storage.ts";

const RECORD_KINDS = ["genesis", "block_metadata", "user", "state_checkpoint"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** A stored transaction; events and changed values are in their own tables. */
export interface RecordRow {
  readonly version: number;
  readonly hash: HashValue;
  readonly height: number;
  readonly kind: RecordKind;
  /** BCS of the signed transaction; empty for the chain's own. */
  readonly body: Uint8Array;
  /** null for the chain's own. */
  readonly sent: { readonly sender: Address; readonly sequenceNumber: number } | null;
  readonly gasUsed: number;
  readonly status: VmStatus;
  readonly stateChange: Uint8Array;
  readonly eventRoot: Uint8Array;
  readonly checkpoint: Uint8Array | null;
  readonly root: Uint8Array;
  /** Ids of the state keys that it changed. */
  readonly changes: readonly number[];
}

const READ = `SELECT version, hash, height, kind, body, gas_used, status, state_change_hash, event_root_hash, checkpoint_hash, root_hash, changes FROM transactions`;

/** A record as it is read: the sender is in the body. */
export type StoredRecord = Omit<RecordRow, "sent">;

/** Committed transactions by version, by hash, and by sender and sequence number. */
export class RecordStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  append(record: RecordRow): void {
    this.#storage.run(
      `INSERT INTO transactions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      record.version,
      hashBytes(record.hash),
      record.height,
      RECORD_KINDS.indexOf(record.kind),
      record.body,
      record.sent === null ? null : addressBytes(record.sent.sender),
      record.sent?.sequenceNumber ?? null,
      record.gasUsed,
      record.status.kind === "executed" ? null : encode(vmStatus, record.status),
      record.stateChange,
      record.eventRoot,
      record.checkpoint,
      record.root,
      encodeBcs((writer) => writer.vector(record.changes, (inner, id) => inner.uleb(id))),
    );
  }

  at(version: number): StoredRecord | undefined {
    return this.#many(`WHERE version = ?`, version)[0];
  }

  withHash(hash: HashValue): StoredRecord | undefined {
    return this.#many(`WHERE hash = ?`, hashBytes(hash))[0];
  }

  /** Ascending from `start`. */
  from(start: number, limit: number): readonly StoredRecord[] {
    return this.#many(`WHERE version >= ? ORDER BY version LIMIT ?`, start, limit);
  }

  /** Sent by `sender`, ascending from sequence number `start`. */
  sentBy(
    sender: Address,
    start: number,
    limit: number,
  ): readonly (StoredRecord & { readonly sequenceNumber: number })[] {
    const rows = this.#storage.run(
      `${READ.replace("version,", "sequence, version,")} WHERE sender = ? AND sequence >= ? ORDER BY sequence LIMIT ?`,
      addressBytes(sender),
      start,
      limit,
    );
    return rows.map((row) => ({ ...recordIn(row), sequenceNumber: integerIn(row, "sequence") }));
  }

  drop(version: number): void {
    this.#storage.run(`DELETE FROM transactions WHERE version = ?`, version);
  }

  #many(clause: string, ...values: readonly (number | Uint8Array)[]): readonly StoredRecord[] {
    return this.#storage.run(`${READ} ${clause}`, ...values).map(recordIn);
  }
}

function recordIn(row: Row): StoredRecord {
  const status = nullableBytesIn(row, "status");
  return {
    version: integerIn(row, "version"),
    hash: hashOfBytes(bytesIn(row, "hash")),
    height: integerIn(row, "height"),
    kind: RECORD_KINDS[integerIn(row, "kind")] ?? "genesis",
    body: bytesIn(row, "body"),
    gasUsed: integerIn(row, "gas_used"),
    status: status === null ? { kind: "executed" } : statusIn(status),
    stateChange: bytesIn(row, "state_change_hash"),
    eventRoot: bytesIn(row, "event_root_hash"),
    checkpoint: nullableBytesIn(row, "checkpoint_hash"),
    root: bytesIn(row, "root_hash"),
    changes: new BcsReader(bytesIn(row, "changes")).vector((reader) => reader.uleb()),
  };
}

function statusIn(stored: Uint8Array): VmStatus {
  const decoded = decode(vmStatus, stored);
  if (decoded.kind === "malformed") throw new Error(`a stored status is malformed: ${decoded.message}`);
  return decoded.value;
}
