import type { Address } from "../../src/chain/address.ts";
import { Mempool, type MempoolLimits } from "./mempool.ts";
import type { Admission, PooledTransaction } from "./mempool-admission.ts";
import type { DecodedTransaction, TransactionCodec } from "./ports.ts";
import { bytesIn, integerIn, type Storage } from "./storage.ts";

/** The mempool with its rows on disk, so that an accepted transaction survives a crash. */
export class MempoolStore {
  readonly #storage: Storage;
  readonly pool: Mempool;
  #nextArrival = 1;

  constructor(storage: Storage, limits: MempoolLimits) {
    this.#storage = storage;
    this.pool = new Mempool(limits);
  }

  /** Loads the rows after a restart. They were validated on arrival; one that became invalid is dropped by a block. */
  load(codec: TransactionCodec, committed: (sender: Address) => bigint): void {
    for (const row of this.#storage.run(`SELECT arrival, signed, arrived_ms FROM mempool ORDER BY arrival`)) {
      const arrival = integerIn(row, "arrival");
      this.#nextArrival = arrival + 1;
      const intake = codec.decode(bytesIn(row, "signed"));
      if (intake.kind !== "candidate") throw new Error(`waiting transaction ${arrival} is unreadable`);
      const waiting = { ...intake.candidate, arrival, arrivedMs: integerIn(row, "arrived_ms") };
      this.pool.add(waiting, committed(waiting.transaction.sender.address));
    }
  }

  /** Adds `candidate` unless the admission check refuses it. */
  offer(candidate: DecodedTransaction, committed: bigint, nowMs: number): Admission {
    const admission = this.pool.checkAdmission(candidate, committed);
    if (admission.kind !== "admit") return admission;
    const waiting: PooledTransaction = { ...candidate, arrival: this.#nextArrival, arrivedMs: nowMs };
    this.#storage.atomically(() => {
      if (admission.drops !== null) this.deleteRow(admission.drops);
      this.#storage.run(`INSERT INTO mempool VALUES (?, ?, ?)`, waiting.arrival, waiting.signedBytes, nowMs);
    });
    this.#nextArrival += 1;
    if (admission.drops !== null) this.pool.remove(admission.drops);
    this.pool.add(waiting, committed);
    return admission;
  }

  /** Deletes the row, inside the block's storage transaction. */
  deleteRow(waiting: PooledTransaction): void {
    this.#storage.run(`DELETE FROM mempool WHERE arrival = ?`, waiting.arrival);
  }
}
