import { addressOfBytes } from "../../src/chain/address.ts";
import { hashOfBytes } from "../../src/chain/hash-value.ts";
import type { BlockHead } from "../vm/block-metadata.ts";
import type { Outcome } from "../vm/run-user-transaction.ts";
import { VALIDATION_CODES } from "../vm/validation-failure.ts";
import { rootOf } from "./accumulator.ts";
import type { BlockRow } from "./block-store.ts";
import { BlockWriter } from "./block-writer.ts";
import { digestBlock } from "./digest.ts";
import { type Foundation, loadFoundation, NO_FOUNDATION } from "./hash-state.ts";
import type { Waiting } from "./mempool-admission.ts";
import type { Queue } from "./mempool-store.ts";
import type { Machine } from "./ports.ts";
import { type Pruned, pruneTo } from "./pruning.ts";
import type { Storage } from "./storage.ts";
import type { Stores } from "./stores.ts";

/** The one validator there is. */
const PROPOSER = addressOfBytes(new Uint8Array(32).fill(1, 31));

/** At most this many user transactions in a block: what one turn of the object may take. */
const MOST_IN_BLOCK = 500;

/** Told of what nobody expected. */
export type Complain = (cause: unknown) => void;

/** What a block did with the transactions it looked at. */
export interface Made {
  readonly committed: readonly Waiting[];
  /** Given up: expired, or refused when their turn came. */
  readonly dropped: readonly Waiting[];
}

interface Written extends Made {
  readonly block: BlockRow;
  readonly foundation: Foundation;
  readonly oldest: Pruned;
}

/** The committed chain: its tip in memory, everything else in the stores. Blocks commit whole or not at all. */
export class Chain {
  readonly stores: Stores;
  readonly #machine: Machine;
  readonly #pruneWindow: number;
  readonly #complain: Complain;
  #foundation: Foundation;
  #tip: BlockRow;
  #oldest: Pruned;

  constructor(storage: Storage, stores: Stores, machine: Machine, pruneWindow: number, complain: Complain) {
    this.stores = stores;
    this.#machine = machine;
    this.#pruneWindow = pruneWindow;
    this.#complain = complain;
    if (stores.blocks.newest() === undefined) stores.atomically(() => this.#writeGenesis());
    const [tip, first] = [stores.blocks.newest(), stores.blocks.oldest()];
    if (tip === undefined || first === undefined) throw new Error("a ledger has a genesis block");
    this.#foundation = loadFoundation(storage);
    this.#tip = tip;
    this.#oldest = { version: first.first, height: first.height };
  }

  get tip(): BlockRow {
    return this.#tip;
  }

  /** The first version, and the first block, still stored. */
  get oldest(): Pruned {
    return this.#oldest;
  }

  /** Makes one block of what is ready. Its timestamp is `nowMs`, or just after the last block's if that is later. */
  makeBlock(queue: Queue, nowMs: number): Made {
    const written = this.stores.atomically(() => this.#writeBlock(queue, nowMs));
    this.#foundation = written.foundation;
    this.#tip = written.block;
    this.#oldest = written.oldest;
    for (const waiting of [...written.committed, ...written.dropped]) queue.forget(waiting);
    for (const { transaction } of written.committed) queue.advance(transaction);
    return written;
  }

  #writeBlock(queue: Queue, nowMs: number): Written {
    const { epoch } = this.#machine.headOf(this.stores.state.newest);
    const head = this.#nextHead(epoch, nowMs);
    const writer = new BlockWriter(this.stores, this.#foundation, this.#tip.height + 1);
    writer.metadata(head.hash, this.#machine.beginBlock(head, this.stores.state.newest));
    const expired = queue.expired(head.timestampMicros, nowMs);
    const made = this.#run(writer, queue, new Set(expired));
    writer.checkpoint(head.hash);
    const { block, foundation } = writer.close(head, epoch);
    for (const waiting of [...made.committed, ...made.dropped]) queue.deleteRow(waiting);
    const oldest = pruneTo(this.stores, this.#oldest, block.last - this.#pruneWindow + 1);
    return { ...made, block, foundation, oldest };
  }

  #run(writer: BlockWriter, queue: Queue, expired: ReadonlySet<Waiting>): Made {
    const committed: Waiting[] = [];
    const dropped: Waiting[] = [...expired];
    for (const waiting of queue.ready(MOST_IN_BLOCK)) {
      if (expired.has(waiting)) continue;
      const outcome = this.#execute(waiting);
      if (outcome === null) dropped.push(waiting);
      else if (outcome.kind === "kept") {
        writer.user(waiting, outcome.effects);
        committed.push(waiting);
        // One before it fell out: it is parked again, and stays.
      } else if (outcome.failure.code !== VALIDATION_CODES.SEQUENCE_NUMBER_TOO_NEW) dropped.push(waiting);
    }
    return { committed, dropped };
  }

  /** null: the machine broke on it. Such a transaction is given up, or it would stop the chain for good. */
  #execute(waiting: Waiting): Outcome | null {
    try {
      return this.#machine.execute(waiting.transaction, this.stores.state.newest);
    } catch (cause) {
      this.#complain(cause);
      return null;
    }
  }

  #nextHead(epoch: bigint, nowMs: number): BlockHead {
    const head = {
      round: BigInt(this.#tip.epoch) === epoch ? BigInt(this.#tip.round + 1) : 1n,
      proposer: PROPOSER,
      timestampMicros: BigInt(Math.max(nowMs * 1_000, this.#tip.timestampMicros + 1)),
    };
    const parentRoot = rootOf(this.#foundation.accumulator);
    return { ...head, hash: hashOfBytes(digestBlock(parentRoot, BigInt(this.#tip.height + 1), head)) };
  }

  #writeGenesis(): void {
    const head = { round: 0n, proposer: PROPOSER, timestampMicros: 0n };
    const foundation = NO_FOUNDATION;
    const hash = hashOfBytes(digestBlock(rootOf(foundation.accumulator), 0n, head));
    const writer = new BlockWriter(this.stores, foundation, 0);
    writer.genesis(this.#machine.genesis());
    writer.close({ ...head, hash }, 0n);
  }
}
