import { type Address, addressBytes, addressOfBytes } from "../../src/chain/address.ts";
import { isModuleEvent, type MoveEvent } from "../vm/effects.ts";
import { bytesIn, integerIn, nullableBytesIn, type Row, type Storage, textIn } from "./storage.ts";

const READ = `SELECT e.version AS version, e.address AS address, e.creation AS creation, e.sequence AS sequence, t.name AS type, e.data AS data
  FROM event e JOIN type_name t ON t.id = e.type`;

export interface StoredEvent {
  readonly version: number;
  readonly event: MoveEvent;
}

/** Events by the transaction that emitted them and by stream. */
export class EventStore {
  readonly #storage: Storage;
  readonly #typeIds = new Map<string, number>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  append(version: number, events: readonly MoveEvent[]): void {
    for (const [position, event] of events.entries()) {
      const creation = Number(event.guid.creationNumber);
      const sequence = Number(event.sequenceNumber);
      const address = isModuleEvent(event) ? null : addressBytes(event.guid.address);
      this.#storage.run(
        `INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)`,
        version,
        position,
        address,
        creation,
        sequence,
        this.#typeId(event.type),
        event.data,
      );
      if (address !== null)
        this.#storage.run(
          `INSERT INTO stream VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET next = excluded.next`,
          address,
          creation,
          sequence + 1,
        );
    }
  }

  /** In order of emission. */
  of(version: number): readonly MoveEvent[] {
    return this.#storage
      .run(`${READ} WHERE e.version = ? ORDER BY e.position`, version)
      .map((row) => storedIn(row).event);
  }

  /** Number of events that a stream has ever had, including pruned ones. */
  count(address: Address, creation: number): number {
    const [row] = this.#storage.run(
      `SELECT next FROM stream WHERE address = ? AND creation = ?`,
      addressBytes(address),
      creation,
    );
    return row === undefined ? 0 : integerIn(row, "next");
  }

  /** Ascending from sequence number `start`; pruned ones are missing. */
  inStream(address: Address, creation: number, start: number, limit: number): readonly StoredEvent[] {
    return this.#storage
      .run(
        `${READ} WHERE e.address = ? AND e.creation = ? AND e.sequence >= ? ORDER BY e.sequence LIMIT ?`,
        addressBytes(address),
        creation,
        start,
        limit,
      )
      .map(storedIn);
  }

  drop(version: number): void {
    this.#storage.run(`DELETE FROM event WHERE version = ?`, version);
  }

  /** After a rollback, the cache may contain ids that the disk does not. */
  clearCache(): void {
    this.#typeIds.clear();
  }

  #typeId(name: string): number {
    const known = this.#typeIds.get(name);
    if (known !== undefined) return known;
    this.#storage.run(`INSERT OR IGNORE INTO type_name (name) VALUES (?)`, name);
    const [row] = this.#storage.run(`SELECT id FROM type_name WHERE name = ?`, name);
    if (row === undefined) throw new Error("an insert left no row");
    const id = integerIn(row, "id");
    this.#typeIds.set(name, id);
    return id;
  }
}

function storedIn(row: Row): StoredEvent {
  const address = nullableBytesIn(row, "address");
  return {
    version: integerIn(row, "version"),
    event: {
      guid: {
        creationNumber: BigInt(integerIn(row, "creation")),
        address: addressOfBytes(address ?? new Uint8Array(32)),
      },
      sequenceNumber: BigInt(integerIn(row, "sequence")),
      type: textIn(row, "type"),
      data: bytesIn(row, "data"),
    },
  };
}
