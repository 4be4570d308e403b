import { hexOf } from "../../src/chain/hex.ts";
import { signedTransactionJson } from "../codec/transaction-json.ts";
import { interfaces } from "../framework/abi.ts";
import type { CommittedTransaction, PendingTransaction } from "../ledger/api.ts";
import { PREVIOUS_BLOCK_VOTES } from "../vm/block-metadata.ts";
import { printVmStatus } from "../vm/effects.ts";
import { eventJson } from "./events.ts";
import { changeJson } from "./state-changes.ts";

/** A committed record as every endpoint returns it; its `type` determines the fields beside the common ones. */
export function transactionRecordJson(record: CommittedTransaction): Record<string, unknown> {
  const common = commonJson(record);
  const events = record.events.map((event) => eventJson(event));
  const timestamp = String(record.block.timestampMicros);
  switch (record.kind) {
    case "user":
      return {
        ...common,
        ...signedTransactionJson(record.body, interfaces),
        replay_protection_nonce: null,
        events,
        timestamp,
        type: "user_transaction",
      };
    case "block_metadata":
      return {
        ...common,
        id: record.block.hash,
        epoch: String(record.block.epoch),
        round: String(record.block.round),
        events,
        previous_block_votes_bitvec: [...PREVIOUS_BLOCK_VOTES],
        proposer: record.block.proposer,
        failed_proposer_indices: [],
        timestamp,
        type: "block_metadata_transaction",
      };
    case "state_checkpoint":
      return { ...common, timestamp, type: "state_checkpoint_transaction" };
    case "genesis":
      return {
        ...common,
        payload: {
          write_set: { changes: common["changes"], events, type: "direct_write_set" },
          type: "write_set_payload",
        },
        events,
        type: "genesis_transaction",
      };
  }
}

function commonJson(record: CommittedTransaction): Record<string, unknown> {
  const { version, hash, stateChange, eventRoot, checkpoint, root, gasUsed, status, changes } = record;
  return {
    version: String(version),
    hash,
    state_change_hash: hexOf(stateChange),
    event_root_hash: hexOf(eventRoot),
    state_checkpoint_hash: checkpoint === null ? null : hexOf(checkpoint),
    gas_used: String(gasUsed),
    success: status.kind === "executed",
    vm_status: printVmStatus(status),
    accumulator_root_hash: hexOf(root),
    changes: changes.map((change) => changeJson(change)),
  };
}

/** A transaction in the mempool, as submit and the lookups return it. */
export function pendingJson({ hash, signedBytes }: PendingTransaction): Record<string, unknown> {
  return {
    hash,
    ...signedTransactionJson(signedBytes, interfaces),
    replay_protection_nonce: null,
    type: "pending_transaction",
  };
}

/** The result of a lookup by hash, committed or pending. */
export function foundJson(found: CommittedTransaction | PendingTransaction): Record<string, unknown> {
  return found.kind === "pending" ? pendingJson(found) : transactionRecordJson(found);
}
