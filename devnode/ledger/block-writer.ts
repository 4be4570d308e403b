import type { Address } from "../../src/chain/address.ts";
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
import type { Foundation } from "./hash-state.ts";
import type { Candidate } from "./ports.ts";
import type { RecordKind } from "./record-store.ts";
import type { Stores } from "./stores.ts";

/** What the chain does by itself at the end of a block: nothing but marking it. */
const NO_EFFECTS: Effects = { status: { kind: "executed" }, gasUsed: 0n, changes: [], events: [] };

interface Entry {
  readonly kind: RecordKind;
  readonly hash: HashValue;
  readonly body: Uint8Array;
  readonly sent: { readonly sender: Address; readonly sequenceNumber: number } | null;
  readonly effects: Effects;
  /** Ends a block: gets the state checkpoint hash. */
  readonly closes: boolean;
}

const NOBODY = { body: new Uint8Array(), sent: null } as const;

/** Writes one block's records, version by version. Used inside a storage transaction only. */
export class BlockWriter {
  readonly #stores: Stores;
  readonly #height: number;
  readonly #first: number;
  readonly #changeHashes: Uint8Array[] = [];
  #foundation: Foundation;
  #users = 0;
  #lowestPrice: bigint | null = null;

  constructor(stores: Stores, foundation: Foundation, height: number) {
    this.#stores = stores;
    this.#foundation = foundation;
    this.#height = height;
    this.#first = foundation.accumulator.leaves;
  }

  genesis(effects: Effects): void {
    const hash = hashOfBytes(digestGenesis(effects.changes));
    this.#write({ ...NOBODY, kind: "genesis", hash, effects, closes: true });
  }

  metadata(block: HashValue, effects: Effects): void {
    const hash = hashOfBytes(digestMetadata(hashBytes(block)));
    this.#write({ ...NOBODY, kind: "block_metadata", hash, effects, closes: false });
  }

  user({ hash, signedBytes, transaction }: Candidate, effects: Effects): void {
    const { sender, sequenceNumber, gasUnitPrice } = transaction;
    const sent = { sender: sender.address, sequenceNumber: Number(sequenceNumber) };
    this.#write({ kind: "user", hash, body: signedBytes, sent, effects, closes: false });
    this.#users += 1;
    if (this.#lowestPrice === null || gasUnitPrice < this.#lowestPrice) this.#lowestPrice = gasUnitPrice;
  }

  checkpoint(block: HashValue): void {
    const hash = hashOfBytes(digestClosing(hashBytes(block)));
    this.#write({ ...NOBODY, kind: "state_checkpoint", hash, effects: NO_EFFECTS, closes: true });
  }

  /** Records the block itself; gives it and what the next one builds on. */
  close(head: BlockHead, epoch: bigint): { readonly block: BlockRow; readonly foundation: Foundation } {
    const block: BlockRow = {
      height: this.#height,
      hash: head.hash,
      epoch: Number(epoch),
      round: Number(head.round),
      proposer: head.proposer,
      timestampMicros: Number(head.timestampMicros),
      first: this.#first,
      last: this.#foundation.accumulator.leaves - 1,
      users: this.#users,
      lowestPrice: this.#lowestPrice === null ? null : Number(this.#lowestPrice),
    };
    this.#stores.blocks.append(block);
    this.#stores.saveFoundation(this.#foundation);
    return { block, foundation: this.#foundation };
  }

  #write({ kind, hash, body, sent, effects, closes }: Entry): void {
    const version = this.#foundation.accumulator.leaves;
    const stateChange = digestChanges(effects.changes);
    const eventRoot = digestEvents(effects.events);
    this.#changeHashes.push(stateChange);
    const checkpoint = closes ? digestCheckpoint(this.#foundation.checkpoint, this.#changeHashes) : null;
    const { status, gasUsed } = effects;
    const leaf = digestInfo({ transaction: hashBytes(hash), gasUsed, status, stateChange, eventRoot, checkpoint });
    const accumulator = append(this.#foundation.accumulator, leaf);
    this.#stores.records.append({
      version,
      hash,
      height: this.#height,
      kind,
      body,
      sent,
      gasUsed: Number(gasUsed),
      status,
      stateChange,
      eventRoot,
      checkpoint,
      root: rootOf(accumulator),
      changes: this.#stores.state.write(version, effects.changes),
    });
    this.#stores.events.append(version, effects.events);
    this.#foundation = { accumulator, checkpoint: checkpoint ?? this.#foundation.checkpoint };
  }
}
