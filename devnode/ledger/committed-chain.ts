import { addressOfBytes } from "../../src/chain/address.ts";
import { hashOfBytes } from "../../src/chain/hash-value.ts";
import type { BlockHead } from "../vm/block-metadata.ts";
import type { Outcome } from "../vm/run-user-transaction.ts";
import { VALIDATION_CODES } from "../vm/validation-failure.ts";
import { rootOf } from "./accumulator.ts";
import type { BlockRow } from "./block-store.ts";
import { BlockWriter } from "./block-writer.ts";
import { digestBlock } from "./digest.ts";
import { type HashState, INITIAL_HASH_STATE, loadHashState } from "./hash-state.ts";
import type { PooledTransaction } from "./mempool-admission.ts";
import type { MempoolStore } from "./mempool-store.ts";
import type { Machine } from "./ports.ts";
import { type Pruned, pruneTo } from "./pruning.ts";
import type { Storage } from "./storage.ts";
import type { Stores } from "./stores.ts";

/** The only validator. */
const PROPOSER = addressOfBytes(new Uint8Array(32).fill(1, 31));

/** Maximum user transactions in a block: bounds the time that one block occupies the object. */
const MAX_IN_BLOCK = 500;

/** Logs an unexpected exception. */
export type LogUnexpected = (cause: unknown) => void;

/** Result of a block for the ready transactions. */
export interface BlockResult {
  readonly committed: readonly PooledTransaction[];
  /** Expired, or no longer valid. */
  readonly dropped: readonly PooledTransaction[];
}

interface Written extends BlockResult {
  readonly block: BlockRow;
  readonly hashState: HashState;
  readonly oldest: Pruned;
}

/** The committed chain: its tip in memory, everything else in the stores. Blocks commit whole or not at all. */
export class CommittedChain {
  readonly stores: Stores;
  readonly #machine: Machine;
  readonly #pruneWindow: number;
  readonly #logUnexpected: LogUnexpected;
  #hashState: HashState;
  #tip: BlockRow;
  #oldest: Pruned;

  constructor(storage: Storage, stores: Stores, machine: Machine, pruneWindow: number, logUnexpected: LogUnexpected) {
    this.stores = stores;
    this.#machine = machine;
    this.#pruneWindow = pruneWindow;
    this.#logUnexpected = logUnexpected;
    if (stores.blocks.newest() === undefined) stores.atomically(() => this.#writeGenesis());
    const [tip, first] = [stores.blocks.newest(), stores.blocks.oldest()];
    if (tip === undefined || first === undefined) throw new Error("the ledger has no genesis block");
    this.#hashState = loadHashState(storage);
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

  /**
   * Makes one block of the ready transactions. Its timestamp is `nowMs`, or just after the last block's if that is
   * later.
   */
  makeBlock(mempool: MempoolStore, nowMs: number): BlockResult {
    const written = this.stores.atomically(() => this.#writeBlock(mempool, nowMs));
    this.#hashState = written.hashState;
    this.#tip = written.block;
    this.#oldest = written.oldest;
    for (const waiting of [...written.committed, ...written.dropped]) mempool.pool.remove(waiting);
    for (const { transaction } of written.committed) mempool.pool.advance(transaction);
    return written;
  }

  #writeBlock(mempool: MempoolStore, nowMs: number): Written {
    const epoch = this.#machine.epoch(this.stores.state.newest);
    const head = this.#nextHead(epoch, nowMs);
    const writer = new BlockWriter(this.stores, this.#hashState, this.#tip.height + 1);
    writer.metadata(head.hash, this.#machine.beginBlock(head, this.stores.state.newest));
    const expired = mempool.pool.expired(head.timestampMicros, nowMs);
    const made = this.#run(writer, mempool, new Set(expired));
    writer.checkpoint(head.hash);
    const { block, hashState } = writer.close(head, epoch);
    for (const waiting of [...made.committed, ...made.dropped]) mempool.deleteRow(waiting);
    const oldest = pruneTo(this.stores, this.#oldest, block.last - this.#pruneWindow + 1);
    return { ...made, block, hashState, oldest };
  }

  #run(writer: BlockWriter, mempool: MempoolStore, expired: ReadonlySet<PooledTransaction>): BlockResult {
    const committed: PooledTransaction[] = [];
    const dropped: PooledTransaction[] = [...expired];
    for (const waiting of mempool.pool.ready(MAX_IN_BLOCK)) {
      if (expired.has(waiting)) continue;
      const outcome = this.#execute(waiting);
      if (outcome === null) dropped.push(waiting);
      else if (outcome.kind === "committed") {
        writer.user(waiting, outcome.effects);
        committed.push(waiting);
        // An earlier transaction of this sender was dropped, so this one is not next in sequence. Keep it parked.
      } else if (outcome.failure.code !== VALIDATION_CODES.SEQUENCE_NUMBER_TOO_NEW) dropped.push(waiting);
    }
    return { committed, dropped };
  }

  /** null: the machine threw. Such a transaction is dropped, or it would stop every later block. */
  #execute(waiting: PooledTransaction): Outcome | null {
    try {
      return this.#machine.execute(waiting.transaction, this.stores.state.newest);
    } catch (cause) {
      this.#logUnexpected(cause);
      return null;
    }
  }

  #nextHead(epoch: bigint, nowMs: number): BlockHead {
    const head = {
      round: BigInt(this.#tip.epoch) === epoch ? BigInt(this.#tip.round + 1) : 1n,
      proposer: PROPOSER,
      timestampMicros: BigInt(Math.max(nowMs * 1_000, this.#tip.timestampMicros + 1)),
    };
    const parentRoot = rootOf(this.#hashState.accumulator);
    return { ...head, hash: hashOfBytes(digestBlock(parentRoot, BigInt(this.#tip.height + 1), head)) };
  }

  #writeGenesis(): void {
    const head = { round: 0n, proposer: PROPOSER, timestampMicros: 0n };
    const hashState = INITIAL_HASH_STATE;
    const hash = hashOfBytes(digestBlock(rootOf(hashState.accumulator), 0n, head));
    const writer = new BlockWriter(this.stores, hashState, 0);
    writer.genesis(this.#machine.genesis());
    writer.close({ ...head, hash }, 0n);
  }
}
