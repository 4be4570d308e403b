import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { signerCapability } from "./account.ts";
import { simpleMap, table } from "./containers.ts";
import { handlesOf } from "./event.ts";
import { address, bool, bytes, option, type Schema, string, structsOf, u64, type ValueOf, vector } from "./schema.ts";

const declare = structsOf("0x1::multisig_account");
const event = <const F extends Readonly<Record<string, Schema<unknown>>>>(name: string, fields: F) =>
  declare(`${name}Event`, ["drop", "store"], fields);

export const attributes = simpleMap(string, bytes);

/** The payload is BCS. Proposals that store its hash alone, as the type allows, cannot be made here. */
export const multisigTransaction = declare("MultisigTransaction", ["copy", "drop", "store"], {
  payload: option(bytes),
  payload_hash: option(bytes),
  votes: simpleMap(address, bool),
  creator: address,
  creation_time_secs: u64,
});
/** The type is VMError, MoveAbort or MoveExecutionFailure. */
export const executionError = declare("ExecutionError", ["copy", "drop", "store"], {
  abort_location: string,
  error_type: string,
  error_code: u64,
});

const execution = { executor: address, sequence_number: u64, transaction_payload: bytes, num_approvals: u64 };
export const streams = {
  add_owners_events: event("AddOwners", { owners_added: vector(address) }),
  remove_owners_events: event("RemoveOwners", { owners_removed: vector(address) }),
  update_signature_required_events: event("UpdateSignaturesRequired", {
    old_num_signatures_required: u64,
    new_num_signatures_required: u64,
  }),
  create_transaction_events: event("CreateTransaction", {
    creator: address,
    sequence_number: u64,
    transaction: multisigTransaction,
  }),
  vote_events: event("Vote", { owner: address, sequence_number: u64, approved: bool }),
  execute_rejected_transaction_events: event("ExecuteRejectedTransaction", {
    sequence_number: u64,
    num_rejections: u64,
    executor: address,
  }),
  execute_transaction_events: event("TransactionExecutionSucceeded", execution),
  transaction_execution_failed_events: event("TransactionExecutionFailed", {
    ...execution,
    execution_error: executionError,
  }),
  metadata_updated_events: event("MetadataUpdated", { old_metadata: attributes, new_metadata: attributes }),
} as const;

export const multisigAccount = declare("MultisigAccount", ["key"], {
  owners: vector(address),
  num_signatures_required: u64,
  transactions: table.of("u64", multisigTransaction.type),
  last_executed_sequence_number: u64,
  next_sequence_number: u64,
  signer_cap: option(signerCapability),
  metadata: attributes,
  ...handlesOf(streams),
});

export type Attributes = ValueOf<typeof attributes>;
export type MultisigTransaction = ValueOf<typeof multisigTransaction>;
export type ExecutionError = ValueOf<typeof executionError>;
export type MultisigAccount = ValueOf<typeof multisigAccount>;

export const multisigAbort = aborts("0x1::multisig_account", {
  EDUPLICATE_OWNER: [1, "Owner list cannot contain the same address more than once."],
  EACCOUNT_NOT_MULTISIG: [2002, "Specified account is not a multisig account."],
  ENOT_OWNER: [2003, "Account executing this operation is not an owner of the multisig account."],
  EPAYLOAD_CANNOT_BE_EMPTY: [4, "Transaction payload cannot be empty."],
  ETRANSACTION_NOT_FOUND: [2006, "Transaction with specified id cannot be found."],
  ENOT_ENOUGH_REJECTIONS: [10, "Transaction has not received enough rejections to be officially rejected."],
  EINVALID_SIGNATURES_REQUIRED: [
    11,
    "Number of signatures required must be more than zero and at most the total number of owners.",
  ],
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
  return session.get(multisigAccount, at, () => multisigAbort("invalid_state", "EACCOUNT_NOT_MULTISIG"));
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
