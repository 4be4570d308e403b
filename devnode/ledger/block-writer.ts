import { type HashValue, hashOfBytes } from "../../src/chain/hash-value.ts";
import type { BlockHead } from "../vm/block-metadata.ts";
import type { Effects } from "../vm/effects.ts";
import { append, rootOf } from "./accumulator.ts";
import type { BlockRow } from "./block-store.ts";
import {
  digestChanges,
  digestCheckpoint,
  digestClosing,
  digestEvents,
  digestGenesis,
  digestInfo,
  digestMetadata,
  hashBytes,
} from "./digest.ts";
import type { HashState } from "./hash-state.ts";
import type { DecodedTransaction } from "./ports.ts";
import type { RecordRow } from "./record-store.ts";
import type { Stores } from "./stores.ts";

/** The state checkpoint at the end of a block has no effects. */
const NO_EFFECTS: Effects = { status: { kind: "executed" }, gasUsed: 0n, changes: [], events: [] };

interface Entry extends Pick<RecordRow, "kind" | "hash" | "body" | "sender" | "sequenceNumber"> {
  readonly effects: Effects;
  /** Ends a block, so it has a state checkpoint hash. */
  readonly closes: boolean;
}

const NOT_SENT = { body: new Uint8Array(), sender: null, sequenceNumber: null } as const;

/** Writes one block's records, version by version. Used inside a storage transaction only. */
export class BlockWriter {
  readonly #stores: Stores;
  readonly #height: number;
  readonly #first: number;
  readonly #changeHashes: Uint8Array[] = [];
  #hashState: HashState;
  #users = 0;
  #lowestPrice: bigint | null = null;

  constructor(stores: Stores, hashState: HashState, height: number) {
    this.#stores = stores;
    this.#hashState = hashState;
    this.#height = height;
    this.#first = hashState.accumulator.leaves;
  }

  genesis(effects: Effects): void {
    const hash = hashOfBytes(digestGenesis(effects.changes));
    this.#write({ ...NOT_SENT, kind: "genesis", hash, effects, closes: true });
  }

  metadata(block: HashValue, effects: Effects): void {
    const hash = hashOfBytes(digestMetadata(hashBytes(block)));
    this.#write({ ...NOT_SENT, kind: "block_metadata", hash, effects, closes: false });
  }

  user({ hash, signedBytes, transaction }: DecodedTransaction, effects: Effects): void {
    const { sender, gasUnitPrice } = transaction;
    const sequenceNumber = Number(transaction.sequenceNumber);
    const sent = { sender: sender.address, sequenceNumber, body: signedBytes };
    this.#write({ ...sent, kind: "user", hash, effects, closes: false });
    this.#users += 1;
    if (this.#lowestPrice === null || gasUnitPrice < this.#lowestPrice) this.#lowestPrice = gasUnitPrice;
  }

  checkpoint(block: HashValue): void {
    const hash = hashOfBytes(digestClosing(hashBytes(block)));
    this.#write({ ...NOT_SENT, kind: "state_checkpoint", hash, effects: NO_EFFECTS, closes: true });
  }

  /** Stores the block; returns it and the hash state for the next one. */
  close(head: BlockHead, epoch: bigint): { readonly block: BlockRow; readonly hashState: HashState } {
    const block: BlockRow = {
      height: this.#height,
      hash: head.hash,
      epoch: Number(epoch),
      round: Number(head.round),
      proposer: head.proposer,
      timestampMicros: Number(head.timestampMicros),
      first: this.#first,
      last: this.#hashState.accumulator.leaves - 1,
      users: this.#users,
      lowestPrice: this.#lowestPrice === null ? null : Number(this.#lowestPrice),
    };
    this.#stores.blocks.append(block);
    this.#stores.saveHashState(this.#hashState);
    return { block, hashState: this.#hashState };
  }

  #write({ effects, closes, ...entry }: Entry): void {
    const version = this.#hashState.accumulator.leaves;
    const stateChange = digestChanges(effects.changes);
    const eventRoot = digestEvents(effects.events);
    this.#changeHashes.push(stateChange);
    const checkpoint = closes ? digestCheckpoint(this.#hashState.checkpoint, this.#changeHashes) : null;
    const { status, gasUsed } = effects;
    const leaf = digestInfo({
      transaction: hashBytes(entry.hash),
      gasUsed,
      status,
      stateChange,
      eventRoot,
      checkpoint,
    });
    const accumulator = append(this.#hashState.accumulator, leaf);
    this.#stores.records.append({
      ...entry,
      version,
      height: this.#height,
      gasUsed: Number(gasUsed),
      status,
      stateChange,
      eventRoot,
      checkpoint,
      root: rootOf(accumulator),
      changes: this.#stores.state.write(version, effects.changes),
    });
    this.#stores.events.append(version, effects.events);
    this.#hashState = { accumulator, checkpoint: checkpoint ?? this.#hashState.checkpoint };
  }
}
