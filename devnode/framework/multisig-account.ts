import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { defineModule, entry, signer, tupleView, view } from "./define.ts";
import * as operations from "./multisig-operations.ts";
import * as state from "./multisig-state.ts";
import { address, bool, bytes, type Schema, string, u64, vector } from "./schema.ts";

const addresses = vector(address);
const strings = vector(string);
const byteLists = vector(bytes);

/** The account, or the abort for a number that no transaction was proposed with. */
function proposedIn(session: Session, at: Address, number: bigint): state.MultisigAccount {
  const multisig = state.multisigAt(session, at);
  if (number > 0n && number < multisig.next_sequence_number) return multisig;
  throw state.multisigAbort("invalid_argument", "EINVALID_SEQUENCE_NUMBER");
}

/** Whether the next transaction has the votes to be executed, or rejected. */
function hasVotes(session: Session, at: Address, number: bigint, approved: boolean): boolean {
  const multisig = proposedIn(session, at, number);
  if (number !== multisig.last_executed_sequence_number + 1n) return false;
  const next = state.findTransaction(session, multisig, number);
  if (next === undefined) return false;
  const { approvals, rejections } = state.tally(multisig, next);
  return (approved ? approvals : rejections) >= multisig.num_signatures_required;
}

/** Reads one value of a multisig account. */
const reads = <T>(name: string, result: Schema<T>, read: (multisig: state.MultisigAccount) => T) =>
  view(name, [address], result, (session, at) => read(state.multisigAt(session, at)));

const views = [
  view("can_be_executed", [address, u64], bool, (session, at, number) => hasVotes(session, at, number, true)),
  view("can_be_rejected", [address, u64], bool, (session, at, number) => hasVotes(session, at, number, false)),
  view("get_next_multisig_account_address", [address], address, operations.nextMultisigAddress),
  view("get_pending_transactions", [address], vector(state.multisigTransaction), (session, at) => {
    const multisig = state.multisigAt(session, at);
    const count = Number(multisig.next_sequence_number - multisig.last_executed_sequence_number - 1n);
    const numbers = Array.from(
      { length: count },
      (_, index) => multisig.last_executed_sequence_number + BigInt(index + 1),
    );
    return numbers.flatMap((number) => state.findTransaction(session, multisig, number) ?? []);
  }),
  view("get_transaction", [address, u64], state.multisigTransaction, (session, at, number) => {
    const transaction = state.findTransaction(session, proposedIn(session, at, number), number);
    if (transaction === undefined) throw state.multisigAbort("not_found", "ETRANSACTION_NOT_FOUND");
    return transaction;
  }),
  view("is_owner", [address, address], bool, (session, owner, at) =>
    state.multisigAt(session, at).owners.includes(owner),
  ),
  reads("last_resolved_sequence_number", u64, (multisig) => multisig.last_executed_sequence_number),
  reads("metadata", state.attributes, ({ metadata }) => metadata),
  reads("next_sequence_number", u64, ({ next_sequence_number }) => next_sequence_number),
  reads("num_signatures_required", u64, ({ num_signatures_required }) => num_signatures_required),
  reads("owners", addresses, ({ owners }) => owners),
  tupleView("vote", [address, u64, address], [bool, bool], (session, at, number, owner) => {
    const transaction = state.findTransaction(session, proposedIn(session, at, number), number);
    const cast = transaction === undefined ? undefined : state.voteOf(transaction, owner);
    return [cast !== undefined, cast ?? false];
  }),
];

const votes = [
  entry("approve_transaction", [signer, address, u64], (session, owner, at, number) =>
    operations.vote(session, owner, at, number, true),
  ),
  entry("reject_transaction", [signer, address, u64], (session, owner, at, number) =>
    operations.vote(session, owner, at, number, false),
  ),
  entry("vote_transaction", [signer, address, u64, bool], operations.vote),
];

const proposals = [
  entry("create", [signer, u64, strings, byteLists], (session, owner, signaturesRequired, keys, values) =>
    operations.createMultisig(session, owner, { owners: [], signaturesRequired, keys, values }),
  ),
  entry(
    "create_with_owners",
    [signer, addresses, u64, strings, byteLists],
    (session, owner, owners, signaturesRequired, keys, values) =>
      operations.createMultisig(session, owner, { owners, signaturesRequired, keys, values }),
  ),
  entry("create_transaction", [signer, address, bytes], (session, owner, at, payload) => {
    if (payload.length === 0) throw state.multisigAbort("invalid_argument", "EPAYLOAD_CANNOT_BE_EMPTY");
    operations.propose(session, owner, at, payload);
  }),
  entry("execute_rejected_transaction", [signer, address], operations.executeRejected),
];

export const multisigAccountModule = defineModule("0x1::multisig_account", {
  structs: [...Object.values(state.streams), state.executionError, state.multisigAccount, state.multisigTransaction],
  functions: [...views, ...proposals, ...votes],
});
