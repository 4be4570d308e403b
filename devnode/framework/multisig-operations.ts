import type { Address } from "../../src/chain/address.ts";
import { encodeBcs } from "../codec/bcs-writer.ts";
import type { Session } from "../vm/session.ts";
import { accountAt, createResourceAccount, newStreams, resourceAccountAddress } from "./account.ts";
import { NATIVE_COIN } from "./addresses.ts";
import { nowSeconds } from "./chain.ts";
import { register } from "./coin-state.ts";
import { tableHandle } from "./containers.ts";
import { emitOn } from "./event.ts";
import * as state from "./multisig-state.ts";
import { u64 } from "./schema.ts";

const DOMAIN = new TextEncoder().encode("aptos_framework::multisig_account");
const MAXIMUM_PENDING = 20n;

type Votes = state.MultisigTransaction["votes"]["data"];

/** Address of the creator's next multisig account, derived from its sequence number. */
export function nextMultisigAddress(session: Session, creator: Address): Address {
  return multisigAddress(creator, accountAt(session, creator).sequence_number);
}

/** Address of the multisig account created by the transaction with that sequence number. */
export function multisigAddress(creator: Address, sequenceNumber: bigint): Address {
  const nonce = encodeBcs((writer) => writer.u64(sequenceNumber));
  return resourceAccountAddress(creator, Uint8Array.of(...DOMAIN, ...nonce));
}

/** Owners are distinct, and the account is not its own. */
function checkOwners(owners: readonly Address[], at: Address): void {
  if (owners.includes(at)) throw state.multisigAbort("invalid_argument", "EOWNER_CANNOT_BE_MULTISIG_ACCOUNT_ITSELF");
  if (new Set(owners).size !== owners.length) throw state.multisigAbort("invalid_argument", "EDUPLICATE_OWNER");
}

/** Pairs keys with values; keys must be distinct. */
function attributesOf(keys: readonly string[], values: readonly Uint8Array[]): state.Attributes {
  if (keys.length !== values.length)
    throw state.multisigAbort("invalid_argument", "ENUMBER_OF_METADATA_KEYS_AND_VALUES_DONT_MATCH");
  if (new Set(keys).size !== keys.length) throw state.multisigAbort("invalid_argument", "EDUPLICATE_METADATA_KEY");
  return { data: keys.map((key, index) => ({ key, value: values[index] ?? new Uint8Array() })) };
}

interface Founding {
  readonly owners: readonly Address[];
  readonly signaturesRequired: bigint;
  readonly keys: readonly string[];
  readonly values: readonly Uint8Array[];
}

export function createMultisig(session: Session, creator: Address, founding: Founding): void {
  const at = nextMultisigAddress(session, creator);
  createResourceAccount(session, at);
  register(session, NATIVE_COIN, at);
  const owners = [...founding.owners, creator];
  if (founding.signaturesRequired === 0n || founding.signaturesRequired > BigInt(owners.length))
    throw state.multisigAbort("invalid_argument", "EINVALID_SIGNATURES_REQUIRED");
  checkOwners(owners, at);
  session.put(state.multisigAccount, at, {
    owners,
    num_signatures_required: founding.signaturesRequired,
    transactions: { handle: tableHandle(at, "multisig_account.transactions") },
    last_executed_sequence_number: 0n,
    next_sequence_number: 1n,
    signer_cap: { account: at },
    metadata: attributesOf(founding.keys, founding.values),
    ...newStreams(session, at, state.streams),
  });
}

/** The account, after checking that `owner` is one of its owners. */
function ownedMultisig(session: Session, owner: Address, at: Address): state.MultisigAccount {
  const multisig = state.multisigAt(session, at);
  if (!multisig.owners.includes(owner)) throw state.multisigAbort("permission_denied", "ENOT_OWNER");
  return multisig;
}

/** Queues a transaction, with its creator's approval. */
export function propose(session: Session, creator: Address, at: Address, payload: Uint8Array): void {
  const multisig = ownedMultisig(session, creator, at);
  const number = multisig.next_sequence_number;
  if (number - multisig.last_executed_sequence_number > MAXIMUM_PENDING)
    throw state.multisigAbort("invalid_state", "EMAX_PENDING_TRANSACTIONS_EXCEEDED");
  const transaction: state.MultisigTransaction = {
    payload,
    payload_hash: null,
    votes: { data: [{ key: creator, value: true }] },
    creator,
    creation_time_secs: nowSeconds(session),
  };
  state.putTransaction(session, multisig, number, transaction);
  const event = { creator, sequence_number: number, transaction };
  const proposed = emitOn(session, state.streams, multisig, "create_transaction_events", event);
  session.put(state.multisigAccount, at, { ...proposed, next_sequence_number: number + 1n });
}

export function vote(session: Session, owner: Address, at: Address, number: bigint, approved: boolean): void {
  const multisig = ownedMultisig(session, owner, at);
  const transaction = state.findTransaction(session, multisig, number);
  if (transaction === undefined) throw state.multisigAbort("not_found", "ETRANSACTION_NOT_FOUND");
  const votes = { data: withVote(transaction.votes.data, owner, approved) };
  state.putTransaction(session, multisig, number, { ...transaction, votes });
  const event = { owner, sequence_number: number, approved };
  session.put(state.multisigAccount, at, emitOn(session, state.streams, multisig, "vote_events", event));
}

function withVote(votes: Votes, owner: Address, value: boolean): Votes {
  const known = votes.some(({ key }) => key === owner);
  return known
    ? votes.map((entry) => (entry.key === owner ? { key: owner, value } : entry))
    : [...votes, { key: owner, value }];
}

/** Takes the next transaction off the queue when enough owners have rejected it; the caller counts as one of them. */
export function executeRejected(session: Session, executor: Address, at: Address): void {
  const owned = ownedMultisig(session, executor, at);
  const number = owned.last_executed_sequence_number + 1n;
  const next = state.findTransaction(session, owned, number);
  if (next === undefined || state.voteOf(next, executor) !== false) vote(session, executor, at, number, false);
  const multisig = state.multisigAt(session, at);
  const { rejections } = takeNext(session, multisig);
  if (rejections < multisig.num_signatures_required)
    throw state.multisigAbort("invalid_state", "ENOT_ENOUGH_REJECTIONS");
  const event = { sequence_number: number, num_rejections: rejections, executor };
  const executed = emitOn(session, state.streams, multisig, "execute_rejected_transaction_events", event);
  session.put(state.multisigAccount, at, { ...executed, last_executed_sequence_number: number });
}

/** Removes the next transaction from the queue and returns its votes. */
function takeNext(session: Session, multisig: state.MultisigAccount): { approvals: bigint; rejections: bigint } {
  const number = multisig.last_executed_sequence_number + 1n;
  const transaction = state.findTransaction(session, multisig, number);
  if (transaction === undefined) throw state.multisigAbort("not_found", "ETRANSACTION_NOT_FOUND");
  session.removeItem(multisig.transactions.handle, u64, number, state.multisigTransaction);
  return state.tally(multisig, transaction);
}

/** Records that the next transaction was executed; an executor without a vote thereby approves it. */
export function recordExecution(
  session: Session,
  executor: Address,
  at: Address,
  payload: Uint8Array,
  error: state.ExecutionError | null,
): void {
  const before = state.multisigAt(session, at);
  const number = before.last_executed_sequence_number + 1n;
  const transaction = state.findTransaction(session, before, number);
  const implicit = transaction === undefined || state.voteOf(transaction, executor) !== true;
  const { approvals } = takeNext(session, before);
  const vote = { owner: executor, sequence_number: number, approved: true };
  const voted = implicit ? emitOn(session, state.streams, before, "vote_events", vote) : before;
  const multisig = { ...voted, last_executed_sequence_number: number };
  const event = {
    executor,
    sequence_number: number,
    transaction_payload: payload,
    num_approvals: implicit ? approvals + 1n : approvals,
  };
  session.put(
    state.multisigAccount,
    at,
    error === null
      ? emitOn(session, state.streams, multisig, "execute_transaction_events", event)
      : emitOn(session, state.streams, multisig, "transaction_execution_failed_events", {
          ...event,
          execution_error: error,
        }),
  );
}
