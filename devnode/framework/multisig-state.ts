import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { type SimpleMap, simpleMap, type Table, table } from "./containers.ts";
import { type EventHandle, eventHandle } from "./event.ts";
import { address, bool, bytes, option, type Schema, string, struct, u64, vector } from "./schema.ts";

export interface MultisigTransaction {
  /** BCS of the payload; null when only its hash was stored. */
  readonly payload: Uint8Array | null;
  readonly payload_hash: Uint8Array | null;
  readonly votes: SimpleMap<Address, boolean>;
  readonly creator: Address;
  readonly creation_time_secs: bigint;
}

export type Attributes = SimpleMap<string, Uint8Array>;

export interface MultisigAccount {
  readonly owners: readonly Address[];
  readonly num_signatures_required: bigint;
  readonly transactions: Table;
  readonly last_executed_sequence_number: bigint;
  readonly next_sequence_number: bigint;
  readonly signer_cap: { readonly account: Address } | null;
  readonly metadata: Attributes;
  readonly add_owners_events: EventHandle;
  readonly remove_owners_events: EventHandle;
  readonly update_signature_required_events: EventHandle;
  readonly create_transaction_events: EventHandle;
  readonly vote_events: EventHandle;
  readonly execute_rejected_transaction_events: EventHandle;
  readonly execute_transaction_events: EventHandle;
  readonly transaction_execution_failed_events: EventHandle;
  readonly metadata_updated_events: EventHandle;
}

export interface ExecutionError {
  readonly abort_location: string;
  /** VMError, MoveAbort or MoveExecutionFailure. */
  readonly error_type: string;
  readonly error_code: bigint;
}

const declare = <T extends object>(name: string, fields: { readonly [K in keyof T]: Schema<T[K]> }) =>
  struct<T>(`0x1::multisig_account::${name}`, { abilities: ["drop", "store"] }, fields);

const signerCapability = struct<{ readonly account: Address }>(
  "0x1::account::SignerCapability",
  { abilities: ["drop", "store"] },
  { account: address },
);
export const attributes: Schema<Attributes> = simpleMap(string, bytes);

export const multisigTransaction = struct<MultisigTransaction>(
  "0x1::multisig_account::MultisigTransaction",
  { abilities: ["copy", "drop", "store"] },
  {
    payload: option(bytes),
    payload_hash: option(bytes),
    votes: simpleMap(address, bool),
    creator: address,
    creation_time_secs: u64,
  },
);
export const executionError = struct<ExecutionError>(
  "0x1::multisig_account::ExecutionError",
  { abilities: ["copy", "drop", "store"] },
  { abort_location: string, error_type: string, error_code: u64 },
);

export const events = {
  addOwners: declare<{ readonly owners_added: readonly Address[] }>("AddOwnersEvent", {
    owners_added: vector(address),
  }),
  removeOwners: declare<{ readonly owners_removed: readonly Address[] }>("RemoveOwnersEvent", {
    owners_removed: vector(address),
  }),
  updateSignaturesRequired: declare<{
    readonly old_num_signatures_required: bigint;
    readonly new_num_signatures_required: bigint;
  }>("UpdateSignaturesRequiredEvent", { old_num_signatures_required: u64, new_num_signatures_required: u64 }),
  createTransaction: declare<{
    readonly creator: Address;
    readonly sequence_number: bigint;
    readonly transaction: MultisigTransaction;
  }>("CreateTransactionEvent", { creator: address, sequence_number: u64, transaction: multisigTransaction }),
  vote: declare<{ readonly owner: Address; readonly sequence_number: bigint; readonly approved: boolean }>(
    "VoteEvent",
    { owner: address, sequence_number: u64, approved: bool },
  ),
  executeRejected: declare<{
    readonly sequence_number: bigint;
    readonly num_rejections: bigint;
    readonly executor: Address;
  }>("ExecuteRejectedTransactionEvent", { sequence_number: u64, num_rejections: u64, executor: address }),
  succeeded: declare<{
    readonly executor: Address;
    readonly sequence_number: bigint;
    readonly transaction_payload: Uint8Array;
    readonly num_approvals: bigint;
  }>("TransactionExecutionSucceededEvent", {
    executor: address,
    sequence_number: u64,
    transaction_payload: bytes,
    num_approvals: u64,
  }),
  failed: declare<{
    readonly executor: Address;
    readonly sequence_number: bigint;
    readonly transaction_payload: Uint8Array;
    readonly num_approvals: bigint;
    readonly execution_error: ExecutionError;
  }>("TransactionExecutionFailedEvent", {
    executor: address,
    sequence_number: u64,
    transaction_payload: bytes,
    num_approvals: u64,
    execution_error: executionError,
  }),
  metadataUpdated: declare<{ readonly old_metadata: Attributes; readonly new_metadata: Attributes }>(
    "MetadataUpdatedEvent",
    { old_metadata: attributes, new_metadata: attributes },
  ),
} as const;

const on = (event: { readonly type: string }) => eventHandle.of(event.type);

export const multisigAccount = struct<MultisigAccount>(
  "0x1::multisig_account::MultisigAccount",
  { abilities: ["key"] },
  {
    owners: vector(address),
    num_signatures_required: u64,
    transactions: table.of("u64", multisigTransaction.type),
    last_executed_sequence_number: u64,
    next_sequence_number: u64,
    signer_cap: option(signerCapability),
    metadata: attributes,
    add_owners_events: on(events.addOwners),
    remove_owners_events: on(events.removeOwners),
    update_signature_required_events: on(events.updateSignaturesRequired),
    create_transaction_events: on(events.createTransaction),
    vote_events: on(events.vote),
    execute_rejected_transaction_events: on(events.executeRejected),
    execute_transaction_events: on(events.succeeded),
    transaction_execution_failed_events: on(events.failed),
    metadata_updated_events: on(events.metadataUpdated),
  },
);

export const multisigAbort = aborts("0x1::multisig_account", {
  EDUPLICATE_OWNER: [1, "Owner list cannot contain the same address more than once."],
  EACCOUNT_NOT_MULTISIG: [2002, "Specified account is not a multisig account."],
  ENOT_OWNER: [2003, "Account executing this operation is not an owner of the multisig account."],
  EPAYLOAD_CANNOT_BE_EMPTY: [4, "Transaction payload cannot be empty."],
  ENOT_ENOUGH_OWNERS: [5, "Multisig account must have at least one owner."],
  ETRANSACTION_NOT_FOUND: [2006, "Transaction with specified id cannot be found."],
  ENOT_ENOUGH_REJECTIONS: [10, "Transaction has not received enough rejections to be officially rejected."],
  EINVALID_SIGNATURES_REQUIRED: [
    11,
    "Number of signatures required must be more than zero and at most the total number of owners.",
  ],
  EINVALID_PAYLOAD_HASH: [12, "Payload hash must be exactly 32 bytes (sha3-256)."],
  EOWNER_CANNOT_BE_MULTISIG_ACCOUNT_ITSELF: [13, "The multisig account itself cannot be an owner."],
  ENUMBER_OF_METADATA_KEYS_AND_VALUES_DONT_MATCH: [15, "The number of metadata keys and values don't match."],
  EDUPLICATE_METADATA_KEY: [16, "The specified metadata contains duplicate attributes (keys)."],
  EINVALID_SEQUENCE_NUMBER: [
    17,
    "The sequence number provided is invalid. It must be between [1, next pending transaction - 1].",
  ],
  EMAX_PENDING_TRANSACTIONS_EXCEEDED: [19, "The number of pending transactions has exceeded the maximum allowed."],
});

/** The multisig account, or the abort of a function that needs one. */
export function multisigAt(session: Session, at: Address): MultisigAccount {
  const found = session.find(multisigAccount, at);
  if (found === undefined) throw multisigAbort("invalid_state", "EACCOUNT_NOT_MULTISIG");
  return found;
}

export function findTransaction(
  session: Session,
  { transactions }: MultisigAccount,
  number: bigint,
): MultisigTransaction | undefined {
  return session.findItem(transactions.handle, u64, number, multisigTransaction);
}

export function putTransaction(
  session: Session,
  { transactions }: MultisigAccount,
  number: bigint,
  value: MultisigTransaction,
): void {
  session.putItem(transactions.handle, u64, number, multisigTransaction, value);
}

/** Counts the votes of the current owners. */
export function tally(
  { owners }: MultisigAccount,
  { votes }: MultisigTransaction,
): { readonly approvals: bigint; readonly rejections: bigint } {
  const counted = votes.data.filter(({ key }) => owners.includes(key));
  const approvals = counted.filter(({ value }) => value).length;
  return { approvals: BigInt(approvals), rejections: BigInt(counted.length - approvals) };
}

export function voteOf({ votes }: MultisigTransaction, owner: Address): boolean | undefined {
  return votes.data.find(({ key }) => key === owner)?.value;
}
