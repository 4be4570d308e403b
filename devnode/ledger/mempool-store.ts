import type { Address } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import type { UserTransaction } from "../vm/user-transaction.ts";
import { Mempool, type MempoolLimits } from "./mempool.ts";
import type { Admission, Waiting } from "./mempool-admission.ts";
import type { Candidate, Codecs } from "./ports.ts";
import { bytesIn, integerIn, type Storage } from "./storage.ts";

/** The mempool and its rows: what it holds is on disk, so that a transaction once taken survives a crash. */
export class Queue {
  readonly #storage: Storage;
  readonly #pool: Mempool;
  #nextArrival = 1;

  constructor(storage: Storage, limits: MempoolLimits) {
    this.#storage = storage;
    this.#pool = new Mempool(limits);
  }

  /** Reads the rows back after a restart. They were checked when they came; what became unfit falls out in a block. */
  load(codecs: Codecs, committed: (sender: Address) => bigint): void {
    for (const row of this.#storage.run(`SELECT arrival, signed, arrived_ms FROM waiting ORDER BY arrival`)) {
      const arrival = integerIn(row, "arrival");
      this.#nextArrival = arrival + 1;
      const intake = codecs.decode(bytesIn(row, "signed"));
      if (intake.kind !== "candidate") throw new Error(`waiting transaction ${arrival} is unreadable`);
      const waiting = { ...intake.candidate, arrival, arrivedMs: integerIn(row, "arrived_ms") };
      this.#pool.add(waiting, committed(waiting.transaction.sender.address));
    }
  }

  find(hash: HashValue): Waiting | undefined {
    return this.#pool.find(hash);
  }

  get size(): number {
    return this.#pool.size;
  }

  /** Judges, and takes when there is nothing against it. */
  offer(candidate: Candidate, committed: bigint, nowMs: number): Admission {
    const admission = this.#pool.judge(candidate, committed);
    if (admission.kind !== "admit") return admission;
    const waiting: Waiting = { ...candidate, arrival: this.#nextArrival, arrivedMs: nowMs };
    this.#storage.atomically(() => {
      if (admission.drops !== null) this.deleteRow(admission.drops);
      this.#storage.run(`INSERT INTO waiting VALUES (?, ?, ?)`, waiting.arrival, waiting.signedBytes, nowMs);
    });
    this.#nextArrival += 1;
    if (admission.drops !== null) this.#pool.remove(admission.drops);
    this.#pool.add(waiting, committed);
    return admission;
  }

  /** The first sequence number from `committed` on that nothing waits with. */
  nextFree(sender: Address, committed: bigint): bigint {
    return this.#pool.nextFree(sender, committed);
  }

  hasReady(): boolean {
    return this.#pool.hasReady();
  }

  ready(most: number): readonly Waiting[] {
    return this.#pool.ready(most);
  }

  expired(nowMicros: bigint, nowMs: number): readonly Waiting[] {
    return this.#pool.expired(nowMicros, nowMs);
  }

  /** The disk's half of leaving; inside the block's own transaction. */
  deleteRow(waiting: Waiting): void {
    this.#storage.run(`DELETE FROM waiting WHERE arrival = ?`, waiting.arrival);
  }

  /** Memory's half, once the disk's is sure. */
  forget(waiting: Waiting): void {
    this.#pool.remove(waiting);
  }

  /** `transaction` committed. */
  advance({ sender, sequenceNumber }: UserTransaction): void {
    this.#pool.advance(sender.address, sequenceNumber + 1n);
  }
}
