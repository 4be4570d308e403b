import type { HashValue } from "../../src/chain/hash-value.ts";
import { parseHex } from "../../src/chain/hex.ts";
import { type BcsWriter, encodeBcs } from "../codec/bcs-writer.ts";
import type { BlockHead } from "../vm/block-metadata.ts";
import { type MoveEvent, printVmStatus, type StateChange, type VmStatus } from "../vm/effects.ts";
import { stateKeyBytes } from "../vm/state-keys.ts";
import { domainHash, rootOver } from "./accumulator.ts";

/*
 * The hashes in records. Each is SHA3-256 of SHA3-256(domain name) and the BCS of what it covers:
 *
 *     state_change_hash      LEDGER::StateChanges    vector of (key, option of value), in key order
 *     event_root_hash        accumulator over        LEDGER::Event (address, creation number, sequence number, type, data)
 *     state_checkpoint_hash  LEDGER::Checkpoint      checkpoint before, state change hashes of the block's transactions
 *     accumulator_root_hash  accumulator over        LEDGER::TransactionInfo of every version so far
 *     block hash             LEDGER::Block           accumulator root before, height, round, proposer, timestamp
 *
 * So the accumulator root of the tip covers the whole history and can be recomputed from the records alone.
 */

const changesHash = domainHash("LEDGER::StateChanges");
const eventHash = domainHash("LEDGER::Event");
const checkpointHash = domainHash("LEDGER::Checkpoint");
const infoHash = domainHash("LEDGER::TransactionInfo");
const blockHash = domainHash("LEDGER::Block");
const genesisHash = domainHash("LEDGER::Genesis");
const metadataHash = domainHash("LEDGER::BlockMetadata");
const closingHash = domainHash("LEDGER::StateCheckpoint");

/** Before genesis there is no checkpoint. */
export const NO_CHECKPOINT = new Uint8Array(32);

export function digestChanges(changes: readonly StateChange[]): Uint8Array {
  return changesHash(encodeBcs((writer) => writer.vector(changes, writeChange)));
}

export function digestEvents(events: readonly MoveEvent[]): Uint8Array {
  return rootOver(events.map((event) => eventHash(encodeBcs((writer) => writeEvent(writer, event)))));
}

export function digestCheckpoint(before: Uint8Array, changeHashes: readonly Uint8Array[]): Uint8Array {
  return checkpointHash(before, ...changeHashes);
}

/** What a leaf of the accumulator covers. Hashes as bytes. */
export interface InfoDigest {
  readonly transaction: Uint8Array;
  readonly gasUsed: bigint;

  readonly status: VmStatus;
  readonly stateChange: Uint8Array;
  readonly eventRoot: Uint8Array;
  readonly checkpoint: Uint8Array | null;
}

export function digestInfo(info: InfoDigest): Uint8Array {
  return infoHash(
    encodeBcs((writer) =>
      writer
        .fixed(info.transaction)
        .u64(info.gasUsed)
        .string(printVmStatus(info.status))
        .fixed(info.stateChange)
        .fixed(info.eventRoot)
        .option(info.checkpoint, (inner, value) => inner.fixed(value)),
    ),
  );
}

/** A block's hash, known before its transactions run. `parentRoot` commits it to everything before. */
export function digestBlock(parentRoot: Uint8Array, height: bigint, head: Omit<BlockHead, "hash">): Uint8Array {
  return blockHash(
    encodeBcs((writer) =>
      writer.fixed(parentRoot).u64(height).u64(head.round).address(head.proposer).u64(head.timestampMicros),
    ),
  );
}

/** Hashes of the transactions without a signature. */
export function digestGenesis(changes: readonly StateChange[]): Uint8Array {
  return genesisHash(digestChanges(changes));
}

export function digestMetadata(block: Uint8Array): Uint8Array {
  return metadataHash(block);
}

export function digestClosing(block: Uint8Array): Uint8Array {
  return closingHash(block);
}

/** The 32 bytes of a hash. */
export function hashBytes(hash: HashValue): Uint8Array {
  const bytes = parseHex(hash);
  if (bytes === undefined) throw new RangeError(`not a hash: ${hash}`);
  return bytes;
}

function writeChange(writer: BcsWriter, change: StateChange): void {
  writer
    .bytes(stateKeyBytes(change.key))
    .option(change.kind === "write" ? change.value : null, (inner, value) => inner.bytes(value));
}

function writeEvent(writer: BcsWriter, { guid, sequenceNumber, type, data }: MoveEvent): void {
  writer.address(guid.address).u64(guid.creationNumber).u64(sequenceNumber).string(type).bytes(data);
}
