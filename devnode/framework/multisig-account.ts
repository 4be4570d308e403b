import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { defineModule, entry, signer, tupleView, view } from "./define.ts";
import * as operations from "./multisig-operations.ts";
import { changeOwners, type OwnerChange, updateMetadata } from "./multisig-owners.ts";
import {
  attributes,
  executionError,
  findTransaction,
  type MultisigAccount,
  multisigAbort,
  multisigAccount,
  multisigAt,
  multisigTransaction,
  streams,
  tally,
  voteOf,
} from "./multisig-state.ts";
import { address, bool, bytes, type Schema, string, u64, vector } from "./schema.ts";

const addresses = vector(address);
const strings = vector(string);
const byteLists = vector(bytes);

/** The votes on a transaction that was proposed and is not resolved yet. */
function votesOn(session: Session, at: Address, number: bigint, more?: { owner: Address; approved: boolean }) {
  const multisig = multisigAt(session, at);
  if (number === 0n || number >= multisig.next_sequence_number)
    throw multisigAbort("invalid_argument", "EINVALID_SEQUENCE_NUMBER");
  const transaction = findTransaction(session, multisig, number);
  const counted = transaction === undefined ? { approvals: 0n, rejections: 0n } : tally(multisig, transaction);
  const voted = more !== undefined && transaction !== undefined && voteOf(transaction, more.owner) === more.approved;
  const extra = more === undefined || voted ? 0n : 1n;
  const isNext = number === multisig.last_executed_sequence_number + 1n;
  const mayAct = isNext && (more === undefined || multisig.owners.includes(more.owner));
  return { multisig, counted, extra, mayAct };
}

function canExecute(session: Session, at: Address, number: bigint, owner?: Address): boolean {
  const more = owner === undefined ? undefined : { owner, approved: true };
  const { multisig, counted, extra, mayAct } = votesOn(session, at, number, more);
  return mayAct && counted.approvals + extra >= multisig.num_signatures_required;
}

function canReject(session: Session, at: Address, number: bigint, owner?: Address): boolean {
  const more = owner === undefined ? undefined : { owner, approved: false };
  const { multisig, counted, extra, mayAct } = votesOn(session, at, number, more);
  return mayAct && counted.rejections + extra >= multisig.num_signatures_required;
}

/** Reads one value of a multisig account. */
const reads = <T>(name: string, result: Schema<T>, read: (multisig: MultisigAccount) => T) =>
  view(name, [address], result, (session, at) => read(multisigAt(session, at)));

const views = [
  view("can_be_executed", [address, u64], bool, canExecute),
  view("can_be_rejected", [address, u64], bool, canReject),
  view("can_execute", [address, address, u64], bool, (session, owner, at, number) =>
    canExecute(session, at, number, owner),
  ),
  view("can_reject", [address, address, u64], bool, (session, owner, at, number) =>
    canReject(session, at, number, owner),
  ),
  view("get_next_multisig_account_address", [address], address, operations.nextMultisigAddress),
  view("get_pending_transactions", [address], vector(multisigTransaction), (session, at) => {
    const multisig = multisigAt(session, at);
    const count = Number(multisig.next_sequence_number - multisig.last_executed_sequence_number - 1n);
    const numbers = Array.from(
      { length: count },
      (_, index) => multisig.last_executed_sequence_number + BigInt(index + 1),
    );
    return numbers.flatMap((number) => findTransaction(session, multisig, number) ?? []);
  }),
  view("get_transaction", [address, u64], multisigTransaction, (session, at, number) => {
    const transaction = findTransaction(session, votesOn(session, at, number).multisig, number);
    if (transaction === undefined) throw multisigAbort("not_found", "ETRANSACTION_NOT_FOUND");
    return transaction;
  }),
  view("is_owner", [address, address], bool, (session, owner, at) => multisigAt(session, at).owners.includes(owner)),
  reads("last_resolved_sequence_number", u64, (multisig) => multisig.last_executed_sequence_number),
  reads("metadata", attributes, ({ metadata }) => metadata),
  reads("next_sequence_number", u64, ({ next_sequence_number }) => next_sequence_number),
  reads("num_signatures_required", u64, ({ num_signatures_required }) => num_signatures_required),
  reads("owners", addresses, ({ owners }) => owners),
  tupleView("vote", [address, u64, address], [bool, bool], (session, at, number, owner) => {
    const transaction = findTransaction(session, votesOn(session, at, number).multisig, number);
    const cast = transaction === undefined ? undefined : voteOf(transaction, owner);
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
    if (payload.length === 0) throw multisigAbort("invalid_argument", "EPAYLOAD_CANNOT_BE_EMPTY");
    operations.propose(session, owner, at, { payload, payload_hash: null });
  }),
  entry("create_transaction_with_hash", [signer, address, bytes], (session, owner, at, hash) => {
    if (hash.length !== 32) throw multisigAbort("invalid_argument", "EINVALID_PAYLOAD_HASH");
    operations.propose(session, owner, at, { payload: null, payload_hash: hash });
  }),
  entry("execute_rejected_transaction", [signer, address], operations.executeRejected),
];

/** A function that only the account itself may call, by a transaction that its owners approved. */
const changes = <T>(name: string, parameter: Schema<T>, changeOf: (value: T) => Partial<OwnerChange>) =>
  entry(name, [signer, parameter], (session, at, value: T) => changeOwners(session, at, changeOf(value)), "private");

export const multisigAccountModule = defineModule("0x1::multisig_account", {
  structs: [...Object.values(streams), executionError, multisigAccount, multisigTransaction],
  functions: [
    ...views,
    ...proposals,
    ...votes,
    changes("add_owner", address, (owner) => ({ add: [owner] })),
    changes("add_owners", addresses, (add) => ({ add })),
    changes("remove_owner", address, (owner) => ({ remove: [owner] })),
    changes("remove_owners", addresses, (remove) => ({ remove })),
    entry("update_metadata", [signer, strings, byteLists], updateMetadata, "private"),
    changes("update_signatures_required", u64, (signaturesRequired) => ({ signaturesRequired })),
  ],
});
