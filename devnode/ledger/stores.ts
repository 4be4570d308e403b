import { BlockStore } from "./block-store.ts";
import { EventStore } from "./event-store.ts";
import { type HashState, saveHashState } from "./hash-state.ts";
import { RecordStore } from "./record-store.ts";
import { StateStore } from "./state-store.ts";
import type { Storage } from "./storage.ts";
import { createTables } from "./tables.ts";

/** All tables of a ledger, in one database. */
export class Stores {
  readonly state: StateStore;
  readonly records: RecordStore;
  readonly events: EventStore;
  readonly blocks: BlockStore;
  readonly #storage: Storage;

  constructor(storage: Storage) {
    createTables(storage);
    this.#storage = storage;
    this.state = new StateStore(storage);
    this.records = new RecordStore(storage);
    this.events = new EventStore(storage);
    this.blocks = new BlockStore(storage);
  }

  saveHashState(hashState: HashState): void {
    saveHashState(this.#storage, hashState);
  }

  /** All of `work`'s writes or none; after a rollback the caches are cleared. */
  atomically<T>(work: () => T): T {
    try {
      return this.#storage.atomically(work);
    } catch (cause) {
      this.state.clearCache();
      throw cause;
    }
  }
}
