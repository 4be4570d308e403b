import { parseAddress } from "../../src/chain/address.ts";
import { parseHex } from "../../src/chain/hex.ts";
import { type BcsWriter, encodeBcs } from "../codec/bcs-writer.ts";
import type { CommittedTransaction, PendingTransaction } from "../ledger/api.ts";
import type { BlockRow } from "../ledger/block-store.ts";
import { PREVIOUS_BLOCK_VOTES } from "../vm/block-metadata.ts";
import type { MoveEvent, StateChange, VmStatus } from "../vm/effects.ts";
import { parseStateKey, stateKeyBytes } from "../vm/state-keys.ts";
import { eventBcs } from "./event-bcs.ts";

/** Variant numbers of the format's BCS enums: `Transaction` and `ExecutionStatus` (types/src/transaction/mod.rs). */
const TRANSACTION = { user: 0, genesis: 1, block_metadata: 2, state_checkpoint: 3 } as const;
const STATUS = { success: 0, out_of_gas: 1, move_abort: 2, execution_failure: 3, miscellaneous: 4 } as const;
const MODIFICATION = 1;
const DELETION = 2;
const FIRST_VERSION_OF_FORMAT = 0;

/** BCS of a committed record: version, transaction, info, events, accumulator root, write set. */
export function transactionRecordBcs(record: CommittedTransaction): Uint8Array {
  return encodeBcs((writer) => {
    writer.u64(BigInt(record.version));
    writeTransaction(writer, record);
    writeInfo(writer, record);
    writer.vector(record.events, writeEvent);
    writer.bytes(record.root);
    writeChanges(writer, record.changes);
  });
}

const ON_CHAIN = 0;
const PENDING = 1;

/** BCS of a lookup (`TransactionData`, api/types): a committed record, or the pending signed transaction. */
export function lookupBcs(found: CommittedTransaction | PendingTransaction): Uint8Array {
  return encodeBcs((writer) =>
    found.kind === "pending"
      ? writer.uleb(PENDING).fixed(found.signedBytes)
      : writer.uleb(ON_CHAIN).fixed(transactionRecordBcs(found)),
  );
}

function writeTransaction(writer: BcsWriter, record: CommittedTransaction): void {
  writer.uleb(TRANSACTION[record.kind]);
  switch (record.kind) {
    case "user":
      writer.fixed(record.body);
      return;
    case "genesis":
      writer.uleb(FIRST_VERSION_OF_FORMAT);
      writeChanges(writer, record.changes);
      writer.vector(record.events, writeEvent);
      return;
    case "block_metadata":
      writeBlockHead(writer, record.block);
      return;
    case "state_checkpoint":
      writeHash(writer, record.block.hash);
      return;
  }
}

function writeBlockHead(writer: BcsWriter, head: BlockRow): void {
  writeHash(writer, head.hash);
  writer.u64(BigInt(head.epoch)).u64(BigInt(head.round)).address(head.proposer);
  writer.bytes(PREVIOUS_BLOCK_VOTES);
  writer.uleb(0); // failed proposers
  writer.u64(BigInt(head.timestampMicros));
}

function writeInfo(writer: BcsWriter, record: CommittedTransaction): void {
  writer.uleb(FIRST_VERSION_OF_FORMAT).u64(BigInt(record.gasUsed));
  writeStatus(writer, record.status);
  writeHash(writer, record.hash);
  writer.bytes(record.eventRoot).bytes(record.stateChange);
  writer.option(record.checkpoint, (inner, hash) => inner.bytes(hash));
  writer.uleb(0); // no further state
}

function writeStatus(writer: BcsWriter, status: VmStatus): void {
  switch (status.kind) {
    case "executed":
      writer.uleb(STATUS.success);
      return;
    case "out_of_gas":
      writer.uleb(STATUS.out_of_gas);
      return;
    case "move_abort":
      writer.uleb(STATUS.move_abort);
      writeModule(writer, status.module);
      writer.u64(status.code);
      writer.option(status.reason, (inner, reason) => inner.string(reason.name).string(reason.text));
      return;
    case "execution_failure":
      writer.uleb(STATUS.execution_failure);
      writeModule(writer, status.function);
      writer.u16(0).u16(status.codeOffset);
      return;
    case "named":
      writer.uleb(STATUS.miscellaneous).u8(0);
      return;
  }
}

const IN_MODULE = 0;
const IN_SCRIPT = 1;

/** `0x1::coin` or `0x1::coin::transfer`: where execution stopped. */
function writeModule(writer: BcsWriter, place: string): void {
  const [address = "", name = ""] = place.split("::");
  const parsed = parseAddress(address);
  if (parsed === undefined || name === "") writer.uleb(IN_SCRIPT);
  else writer.uleb(IN_MODULE).address(parsed).string(name);
}

/** A write is always a modification: whether the slot was new is not stored. */
function writeChanges(writer: BcsWriter, changes: readonly StateChange[]): void {
  writer.uleb(FIRST_VERSION_OF_FORMAT);
  writer.vector(changes, (inner, change) => {
    const place = parseStateKey(change.key)?.place;
    if (place?.kind === "table_item") inner.u8(1).address(place.handle).bytes(place.key);
    else inner.fixed(stateKeyBytes(change.key));
    if (change.kind === "write") inner.uleb(MODIFICATION).bytes(change.value);
    else inner.uleb(DELETION);
  });
}

function writeEvent(writer: BcsWriter, event: MoveEvent): void {
  writer.fixed(eventBcs(event));
}

/** A hash is `vector<u8>`, with its length. */
function writeHash(writer: BcsWriter, hash: string): void {
  writer.bytes(parseHex(hash) ?? new Uint8Array());
}
