import { BlockStore } from "./block-store.ts";
import { EventStore } from "./event-store.ts";
import { type Foundation, saveFoundation } from "./hash-state.ts";
import { RecordStore } from "./record-store.ts";
import { StateStore } from "./state-store.ts";
import type { Storage } from "./storage.ts";
import { layOut } from "./tables.ts";

/** Everything that a ledger keeps, over one database. */
export class Stores {
  readonly state: StateStore;
  readonly records: RecordStore;
  readonly events: EventStore;
  readonly blocks: BlockStore;
  readonly #storage: Storage;

  constructor(storage: Storage) {
    layOut(storage);
    this.#storage = storage;
    this.state = new StateStore(storage);
    this.records = new RecordStore(storage);
    this.events = new EventStore(storage);
    this.blocks = new BlockStore(storage);
  }

  saveFoundation(foundation: Foundation): void {
    saveFoundation(this.#storage, foundation);
  }

  /** All of `work`'s writes or none; when none, memory is emptied too. */
  atomically<T>(work: () => T): T {
    try {
      return this.#storage.atomically(work);
    } catch (cause) {
      this.state.forget();
      this.events.forget();
      throw cause;
    }
  }
}
