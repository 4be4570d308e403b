import type { HashValue } from "../../src/chain/hash-value.ts";
import { parseHex } from "../../src/chain/hex.ts";
import { address, bytes, encode, fixedBytes, option, string, struct, u64, type ValueOf, vector } from "../codec/bcs.ts";
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

const hash = fixedBytes(32);
const change = struct({ key: bytes, value: option(bytes) });
const event = struct({ address, creationNumber: u64, sequenceNumber: u64, type: string, data: bytes });
const info = struct({
  transaction: hash,
  gasUsed: u64,
  status: string,
  stateChange: hash,
  eventRoot: hash,
  checkpoint: option(hash),
});
const block = struct({ parentRoot: hash, height: u64, round: u64, proposer: address, timestampMicros: u64 });

const changesHash = domainHash("LEDGER::StateChanges");
const eventHash = domainHash("LEDGER::Event");
const checkpointHash = domainHash("LEDGER::Checkpoint");
const infoHash = domainHash("LEDGER::TransactionInfo");
const blockHash = domainHash("LEDGER::Block");
const genesisHash = domainHash("LEDGER::Genesis");
/** The hashes of the transactions that begin and end a block, from the block's own. */
export const digestMetadata = domainHash("LEDGER::BlockMetadata");
export const digestClosing = domainHash("LEDGER::StateCheckpoint");

/** Before genesis there is no checkpoint. */
export const NO_CHECKPOINT = new Uint8Array(32);

export function digestChanges(changes: readonly StateChange[]): Uint8Array {
  const covered = changes.map((each) => ({
    key: stateKeyBytes(each.key),
    value: each.kind === "write" ? each.value : null,
  }));
  return changesHash(encode(vector(change), covered));
}

export function digestEvents(events: readonly MoveEvent[]): Uint8Array {
  return rootOver(events.map(({ guid, ...rest }) => eventHash(encode(event, { ...guid, ...rest }))));
}

export function digestCheckpoint(before: Uint8Array, changeHashes: readonly Uint8Array[]): Uint8Array {
  return checkpointHash(before, ...changeHashes);
}

/** Hashes the transaction info that a leaf of the accumulator covers. */
export function digestInfo(covered: Omit<ValueOf<typeof info>, "status"> & { readonly status: VmStatus }): Uint8Array {
  return infoHash(encode(info, { ...covered, status: printVmStatus(covered.status) }));
}

/** A block's hash, known before its transactions run. `parentRoot` commits it to everything before. */
export function digestBlock(parentRoot: Uint8Array, height: bigint, head: Omit<BlockHead, "hash">): Uint8Array {
  return blockHash(encode(block, { ...head, parentRoot, height }));
}

export function digestGenesis(changes: readonly StateChange[]): Uint8Array {
  return genesisHash(digestChanges(changes));
}

/** The 32 bytes of a hash. */
export function hashBytes(value: HashValue): Uint8Array {
  const parsed = parseHex(value);
  if (parsed === undefined) throw new RangeError(`not a hash: ${value}`);
  return parsed;
}
