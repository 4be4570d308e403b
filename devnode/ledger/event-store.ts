import { type Address, addressBytes, addressOfBytes } from "../../src/chain/address.ts";
import { isModuleEvent, type MoveEvent } from "../vm/effects.ts";
import { asBytes, bytes, integer, integerIn, nullable, type RowOf, type Storage, Table, text } from "./storage.ts";

const COLUMNS = {
  version: integer("version"),
  position: integer("position"),
  /** null for module events: they belong to no stream. */
  address: nullable(asBytes("address", addressOfBytes, addressBytes)),
  creation: integer("creation"),
  sequence: integer("sequence"),
  type: text("type"),
  data: bytes("data"),
};

export interface StoredEvent {
  readonly version: number;
  readonly event: MoveEvent;
}

/** Events by the transaction that emitted them and by stream. */
export class EventStore {
  readonly #storage: Storage;
  readonly #table: Table<typeof COLUMNS>;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#table = new Table(storage, "event", COLUMNS);
  }

  append(version: number, events: readonly MoveEvent[]): void {
    for (const [position, event] of events.entries()) {
      const { guid, sequenceNumber, type, data } = event;
      const [creation, sequence] = [Number(guid.creationNumber), Number(sequenceNumber)];
      const address = isModuleEvent(event) ? null : guid.address;
      this.#table.insert({ version, position, address, creation, sequence, type, data });
      if (address !== null)
        this.#storage.run(
          `INSERT INTO stream VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET next = excluded.next`,
          addressBytes(address),
          creation,
          sequence + 1,
        );
    }
  }

  /** In order of emission. */
  of(version: number): readonly MoveEvent[] {
    return this.#table.select(`WHERE version = ? ORDER BY position`, version).map((row) => eventIn(row).event);
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
    const clause = `WHERE address = ? AND creation = ? AND sequence >= ? ORDER BY sequence LIMIT ?`;
    return this.#table.select(clause, addressBytes(address), creation, start, limit).map(eventIn);
  }

  drop(version: number): void {
    this.#table.delete(`WHERE version = ?`, version);
  }
}

function eventIn({ version, address, creation, sequence, type, data }: RowOf<typeof COLUMNS>): StoredEvent {
  const guid = { creationNumber: BigInt(creation), address: address ?? addressOfBytes(new Uint8Array(32)) };
  return { version, event: { guid, sequenceNumber: BigInt(sequence), type, data } };
}
