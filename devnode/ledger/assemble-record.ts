import { hashOfBytes } from "../../src/chain/hash-value.ts";
import type { Block, Committed, CommittedTransaction } from "./api.ts";
import type { BlockRow } from "./block-store.ts";
import type { RecordRow } from "./record-store.ts";
import type { Stores } from "./stores.ts";

/** Combines a stored record with its block, its events and the values it wrote. */
export function assemble(stores: Stores, record: RecordRow): CommittedTransaction {
  const block = stores.blocks.atHeight(record.height);
  if (block === undefined) throw new Error(`version ${record.version} is in no block`);
  const common: Committed = {
    version: BigInt(record.version),
    hash: record.hash,
    info: {
      stateChangeHash: hashOfBytes(record.stateChange),
      eventRootHash: hashOfBytes(record.eventRoot),
      stateCheckpointHash: record.checkpoint === null ? null : hashOfBytes(record.checkpoint),
      accumulatorRootHash: hashOfBytes(record.root),
      gasUsed: BigInt(record.gasUsed),
      status: record.status ?? { kind: "executed" },
    },
    events: stores.events.of(record.version),
    changes: stores.state.changesAt(record.version, record.changes),
    timestampMicros: BigInt(block.timestampMicros),
  };
  switch (record.kind) {
    case "genesis":
      return { ...common, kind: "genesis" };
    case "block_metadata":
      return { ...common, kind: "block_metadata", block: headOf(block) };
    case "user":
      return { ...common, kind: "user", signedBytes: record.body };
    case "state_checkpoint":
      return { ...common, kind: "state_checkpoint", blockHash: block.hash };
  }
}

/** A block as the node interface returns it. */
export function blockOf(stores: Stores, row: BlockRow, maxTransactions: number): Block {
  const wanted = Math.min(maxTransactions, row.last - row.first + 1);
  return {
    height: BigInt(row.height),
    hash: row.hash,
    timestampMicros: BigInt(row.timestampMicros),
    firstVersion: BigInt(row.first),
    lastVersion: BigInt(row.last),
    transactions:
      wanted === 0 ? null : stores.records.from(row.first, wanted).map((record) => assemble(stores, record)),
  };
}

function headOf(block: BlockRow) {
  return {
    height: BigInt(block.height),
    hash: block.hash,
    epoch: BigInt(block.epoch),
    round: BigInt(block.round),
    proposer: block.proposer,
    timestampMicros: BigInt(block.timestampMicros),
  };
}
