import { parseAddress } from "../../src/chain/address.ts";
import { parseHex } from "../../src/chain/hex.ts";
import { address, option, string, struct, u16, u64, union, unit, type ValueOf } from "../codec/bcs.ts";
import { type BcsWriter, encodeBcs } from "../codec/bcs-writer.ts";
import type { CommittedTransaction, PendingTransaction } from "../ledger/api.ts";
import type { BlockRow } from "../ledger/block-store.ts";
import { PREVIOUS_BLOCK_VOTES } from "../vm/block-metadata.ts";
import type { MoveEvent, StateChange, VmStatus } from "../vm/effects.ts";
import { parseStateKey, stateKeyBytes } from "../vm/state-keys.ts";
import { eventBcs } from "./event-bcs.ts";

/** Variant numbers of `Transaction` (types/src/transaction/mod.rs). */
const TRANSACTION = { user: 0, genesis: 1, block_metadata: 2, state_checkpoint: 3 } as const;
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
  executionStatus.write(writer, statusOf(record.status));
  writeHash(writer, record.hash);
  writer.bytes(record.eventRoot).bytes(record.stateChange);
  writer.option(record.checkpoint, (inner, hash) => inner.bytes(hash));
  writer.uleb(0); // no further state
}

/** Where execution stopped: in a module, or anywhere else. */
const place = union({ module: struct({ address, name: string }), script: unit });

/** `ExecutionStatus` (types/src/transaction/mod.rs); a status without further data is `MiscellaneousError(None)`. */
const executionStatus = union({
  executed: unit,
  out_of_gas: unit,
  move_abort: struct({ place, code: u64, reason: option(struct({ name: string, text: string })) }),
  execution_failure: struct({ place, function: u16, codeOffset: u16 }),
  named: struct({ code: option(u64) }),
});

function statusOf(status: VmStatus): ValueOf<typeof executionStatus> {
  switch (status.kind) {
    case "executed":
    case "out_of_gas":
      return status;
    case "move_abort":
      return { ...status, place: placeOf(status.module) };
    case "execution_failure":
      return { ...status, place: placeOf(status.function), function: 0 };
    case "named":
      return { kind: "named", code: null };
  }
}

/** Parses the place of an abort: `0x1::coin` or `0x1::coin::transfer`. */
function placeOf(text: string): ValueOf<typeof place> {
  const [given = "", name = ""] = text.split("::");
  const parsed = parseAddress(given);
  return parsed === undefined || name === "" ? { kind: "script" } : { kind: "module", address: parsed, name };
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
