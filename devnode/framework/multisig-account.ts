import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { FRAMEWORK } from "./addresses.ts";
import { entry, type ModuleDefinition, signer, view } from "./define.ts";
import * as operations from "./multisig-operations.ts";
import { changeOwners, updateMetadata } from "./multisig-owners.ts";
import {
  attributes,
  events,
  executionError,
  findTransaction,
  multisigAbort,
  multisigAccount,
  multisigAt,
  multisigTransaction,
  tally,
  voteOf,
} from "./multisig-state.ts";
import { address, bool, bytes, string, u64, vector } from "./schema.ts";

const addresses = vector(address);
const strings = vector(string);
const byteLists = vector(bytes);
/** Functions that only the multisig account itself may call, by a transaction that its owners approved. */
const own = { visibility: "private" } as const;

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

const views = [
  view("can_be_executed", {}, [address, u64], [bool], ({ session }, at, number) => [canExecute(session, at, number)]),
  view("can_be_rejected", {}, [address, u64], [bool], ({ session }, at, number) => [canReject(session, at, number)]),
  view("can_execute", {}, [address, address, u64], [bool], ({ session }, owner, at, number) => [
    canExecute(session, at, number, owner),
  ]),
  view("can_reject", {}, [address, address, u64], [bool], ({ session }, owner, at, number) => [
    canReject(session, at, number, owner),
  ]),
  view("get_next_multisig_account_address", {}, [address], [address], ({ session }, creator) => [
    operations.nextMultisigAddress(session, creator),
  ]),
  view("get_pending_transactions", {}, [address], [vector(multisigTransaction)], ({ session }, at) => {
    const multisig = multisigAt(session, at);
    const count = Number(multisig.next_sequence_number - multisig.last_executed_sequence_number - 1n);
    const numbers = Array.from(
      { length: count },
      (_, index) => multisig.last_executed_sequence_number + BigInt(index + 1),
    );
    return [numbers.flatMap((number) => findTransaction(session, multisig, number) ?? [])];
  }),
  view("get_transaction", {}, [address, u64], [multisigTransaction], ({ session }, at, number) => {
    const transaction = findTransaction(session, votesOn(session, at, number).multisig, number);
    if (transaction === undefined) throw multisigAbort("not_found", "ETRANSACTION_NOT_FOUND");
    return [transaction];
  }),
  view("is_owner", {}, [address, address], [bool], ({ session }, owner, at) => [
    multisigAt(session, at).owners.includes(owner),
  ]),
  view("last_resolved_sequence_number", {}, [address], [u64], ({ session }, at) => [
    multisigAt(session, at).last_executed_sequence_number,
  ]),
  view("metadata", {}, [address], [attributes], ({ session }, at) => [multisigAt(session, at).metadata]),
  view("next_sequence_number", {}, [address], [u64], ({ session }, at) => [
    multisigAt(session, at).next_sequence_number,
  ]),
  view("num_signatures_required", {}, [address], [u64], ({ session }, at) => [
    multisigAt(session, at).num_signatures_required,
  ]),
  view("owners", {}, [address], [addresses], ({ session }, at) => [multisigAt(session, at).owners]),
  view("vote", {}, [address, u64, address], [bool, bool], ({ session }, at, number, owner) => {
    const transaction = findTransaction(session, votesOn(session, at, number).multisig, number);
    const cast = transaction === undefined ? undefined : voteOf(transaction, owner);
    return [cast !== undefined, cast ?? false];
  }),
];

const votes = [
  entry("approve_transaction", {}, [signer, address, u64], ({ session }, owner, at, number) =>
    operations.vote(session, owner, at, number, true),
  ),
  entry("reject_transaction", {}, [signer, address, u64], ({ session }, owner, at, number) =>
    operations.vote(session, owner, at, number, false),
  ),
  entry("vote_transaction", {}, [signer, address, u64, bool], ({ session }, owner, at, number, approved) =>
    operations.vote(session, owner, at, number, approved),
  ),
];

const proposals = [
  entry("create", {}, [signer, u64, strings, byteLists], ({ session }, owner, signaturesRequired, keys, values) =>
    operations.createMultisig(session, owner, { owners: [], signaturesRequired, keys, values }),
  ),
  entry(
    "create_with_owners",
    {},
    [signer, addresses, u64, strings, byteLists],
    ({ session }, owner, owners, signaturesRequired, keys, values) =>
      operations.createMultisig(session, owner, { owners, signaturesRequired, keys, values }),
  ),
  entry("create_transaction", {}, [signer, address, bytes], ({ session }, owner, at, payload) => {
    if (payload.length === 0) throw multisigAbort("invalid_argument", "EPAYLOAD_CANNOT_BE_EMPTY");
    operations.propose(session, owner, at, { payload, payload_hash: null });
  }),
  entry("create_transaction_with_hash", {}, [signer, address, bytes], ({ session }, owner, at, hash) => {
    if (hash.length !== 32) throw multisigAbort("invalid_argument", "EINVALID_PAYLOAD_HASH");
    operations.propose(session, owner, at, { payload: null, payload_hash: hash });
  }),
  entry("execute_rejected_transaction", {}, [signer, address], ({ session }, owner, at) =>
    operations.executeRejected(session, owner, at),
  ),
];

const NOTHING = { add: [], remove: [], signaturesRequired: null };
const changes = [
  entry("add_owner", own, [signer, address], ({ session }, at, owner) =>
    changeOwners(session, at, { ...NOTHING, add: [owner] }),
  ),
  entry("add_owners", own, [signer, addresses], ({ session }, at, add) =>
    changeOwners(session, at, { ...NOTHING, add }),
  ),
  entry("remove_owner", own, [signer, address], ({ session }, at, owner) =>
    changeOwners(session, at, { ...NOTHING, remove: [owner] }),
  ),
  entry("remove_owners", own, [signer, addresses], ({ session }, at, remove) =>
    changeOwners(session, at, { ...NOTHING, remove }),
  ),
  entry("update_metadata", own, [signer, strings, byteLists], ({ session }, at, keys, values) =>
    updateMetadata(session, at, keys, values),
  ),
  entry("update_signatures_required", own, [signer, u64], ({ session }, at, signaturesRequired) =>
    changeOwners(session, at, { ...NOTHING, signaturesRequired }),
  ),
];

export const multisigAccountModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "multisig_account",
  friends: [],
  structs: [...Object.values(events), executionError, multisigAccount, multisigTransaction],
  functions: [...views, ...proposals, ...votes, ...changes],
};
