import { hexOf } from "../../../src/chain/hex.ts";
import { printTypeTag } from "../../../src/chain/type-tag.ts";
import type { BcsReader } from "../../codec/bcs-reader.ts";
import { signedTransaction } from "../../codec/transaction.ts";
import { typeTag } from "../../codec/type-tag-bcs.ts";

/** Parts of a committed record in BCS that a test compares, in the form of its JSON. */
export interface ReadRecord {
  readonly version: string;
  readonly type: string;
  readonly sender: string | null;
  readonly sequence_number: string | null;
  readonly hash: string;
  readonly gas_used: string;
  readonly success: boolean;
  readonly state_change_hash: string;
  readonly event_root_hash: string;
  readonly state_checkpoint_hash: string | null;
  readonly accumulator_root_hash: string;
  readonly events: readonly { readonly type: string; readonly sequence_number: string }[];
  readonly changes: number;
}

const TYPES = [
  "user_transaction",
  "genesis_transaction",
  "block_metadata_transaction",
  "state_checkpoint_transaction",
] as const;

/** Reads a record independently of the code that wrote it, except for scalars and signed transactions. */
export function readRecord(reader: BcsReader): ReadRecord {
  const version = String(reader.u64());
  const type = TYPES[reader.variant(TYPES.length)] ?? "user_transaction";
  const signed = type === "user_transaction" ? signedTransaction.read(reader) : null;
  if (type === "genesis_transaction") readGenesis(reader);
  if (type === "block_metadata_transaction") readBlockMetadata(reader);
  if (type === "state_checkpoint_transaction") reader.bytes();
  reader.variant(1);
  const gas_used = String(reader.u64());
  const success = readStatus(reader);
  const [hash, event_root_hash, state_change_hash] = [readHash(reader), readHash(reader), readHash(reader)];
  const state_checkpoint_hash = reader.option(readHash);
  reader.option(readHash);
  return {
    version,
    type,
    sender: signed?.raw.sender ?? null,
    sequence_number: signed === null ? null : String(signed.raw.sequenceNumber),
    hash,
    gas_used,
    success,
    state_change_hash,
    event_root_hash,
    state_checkpoint_hash,
    events: reader.vector(readEvent),
    accumulator_root_hash: readHash(reader),
    changes: readChanges(reader),
  };
}

export function readHash(reader: BcsReader): string {
  return hexOf(reader.bytes());
}

function readGenesis(reader: BcsReader): void {
  reader.variant(1);
  readChanges(reader);
  reader.vector(readEvent);
}

function readBlockMetadata(reader: BcsReader): void {
  readHash(reader);
  reader.u64();
  reader.u64();
  reader.address();
  reader.bytes();
  reader.vector((inner) => inner.u32());
  reader.u64();
}

/** Whether it executed. */
function readStatus(reader: BcsReader): boolean {
  const variant = reader.variant(5);
  if (variant === 2 || variant === 3) readPlace(reader);
  if (variant === 2) {
    reader.u64();
    reader.option((inner) => [inner.string(), inner.string()]);
  }
  if (variant === 3) reader.u32();
  if (variant === 4) reader.option((inner) => inner.u64());
  return variant === 0;
}

function readPlace(reader: BcsReader): void {
  if (reader.variant(2) === 0) {
    reader.address();
    reader.string();
  }
}

export function readEvent(reader: BcsReader): { type: string; sequence_number: string } {
  const ofHandle = reader.variant(2) === 0;
  if (ofHandle) {
    reader.u64();
    reader.address();
  }
  const sequence_number = ofHandle ? String(reader.u64()) : "0";
  const type = printTypeTag(typeTag.read(reader));
  reader.bytes();
  return { type, sequence_number };
}

/** Reads the number of values that a write set writes. */
function readChanges(reader: BcsReader): number {
  reader.variant(1);
  return reader.vector((inner) => {
    inner.variant(2);
    inner.address();
    inner.bytes();
    if (inner.variant(3) !== 2) inner.bytes();
  }).length;
}
