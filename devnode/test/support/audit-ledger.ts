import { hashOfBytes } from "../../../src/chain/hash-value.ts";
import { append, rootOf } from "../../ledger/accumulator.ts";
import type { CommittedTransaction } from "../../ledger/api.ts";
import {
  digestBlock,
  digestChanges,
  digestCheckpoint,
  digestClosing,
  digestEvents,
  digestGenesis,
  digestInfo,
  digestMetadata,
  hashBytes,
} from "../../ledger/digest.ts";
import { type HashState, INITIAL_HASH_STATE } from "../../ledger/hash-state.ts";

/** Progress of an audit: the hash state after the records so far. */
interface Progress {
  readonly hashState: HashState;
  readonly changeHashes: readonly Uint8Array[];
}

/**
 * Recomputes every hash of a history from its records alone, genesis first, and lists the differences; empty when all
 * is as recorded. `userHash` is the hash of a signed transaction's bytes.
 */
export function audit(
  records: Iterable<CommittedTransaction>,
  userHash: (signedBytes: Uint8Array) => string,
): readonly string[] {
  const faults: string[] = [];
  let progress: Progress = { hashState: INITIAL_HASH_STATE, changeHashes: [] };
  for (const record of records) {
    const blame = (what: string, recorded: string | null, computed: string | null) => {
      if (recorded !== computed) faults.push(`version ${record.version}: ${what} is ${recorded}, not ${computed}`);
    };
    blame("version", String(record.version), String(progress.hashState.accumulator.leaves));
    blame("hash", record.hash, transactionHash(record, userHash));
    if (record.kind === "block_metadata") blame("block hash", record.block.hash, blockHash(record, progress));
    progress = auditInfo(record, progress, blame);
  }
  return faults;
}

type Blame = (what: string, recorded: string | null, computed: string | null) => void;

function auditInfo(record: CommittedTransaction, { hashState, changeHashes }: Progress, blame: Blame): Progress {
  const stateChange = digestChanges(record.changes);
  const eventRoot = digestEvents(record.events);
  const all = [...changeHashes, stateChange];
  const closes = record.kind === "genesis" || record.kind === "state_checkpoint";
  const checkpoint = closes ? digestCheckpoint(hashState.checkpoint, all) : null;
  const transaction = hashBytes(record.hash);
  const { status } = record;
  const gasUsed = BigInt(record.gasUsed);
  const leaf = digestInfo({ transaction, gasUsed, status, stateChange, eventRoot, checkpoint });
  const accumulator = append(hashState.accumulator, leaf);
  blame("state_change_hash", hashOfBytes(record.stateChange), hashOfBytes(stateChange));
  blame("event_root_hash", hashOfBytes(record.eventRoot), hashOfBytes(eventRoot));
  blame("state_checkpoint_hash", textOf(record.checkpoint), textOf(checkpoint));
  blame("accumulator_root_hash", hashOfBytes(record.root), hashOfBytes(rootOf(accumulator)));
  return {
    hashState: { accumulator, checkpoint: checkpoint ?? hashState.checkpoint },
    changeHashes: closes ? [] : all,
  };
}

function transactionHash(record: CommittedTransaction, userHash: (signedBytes: Uint8Array) => string): string {
  switch (record.kind) {
    case "genesis":
      return hashOfBytes(digestGenesis(record.changes));
    case "block_metadata":
      return hashOfBytes(digestMetadata(hashBytes(record.block.hash)));
    case "user":
      return userHash(record.body);
    case "state_checkpoint":
      return hashOfBytes(digestClosing(hashBytes(record.block.hash)));
  }
}

function textOf(hash: Uint8Array | null): string | null {
  return hash === null ? null : hashOfBytes(hash);
}

function blockHash({ block }: CommittedTransaction, { hashState }: Progress): string {
  const { height, round, proposer, timestampMicros } = block;
  const head = { round: BigInt(round), proposer, timestampMicros: BigInt(timestampMicros) };
  return hashOfBytes(digestBlock(rootOf(hashState.accumulator), BigInt(height), head));
}
