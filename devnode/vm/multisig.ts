import type { Address } from "../../src/chain/address.ts";
import { equalBytes } from "../../src/chain/bytes.ts";
import { decode, encode } from "../codec/bcs.ts";
import { type EntryFunction, multisigPayload, type Payload } from "../codec/transaction.ts";
import { recordExecution } from "../framework/multisig-operations.ts";
import {
  type ExecutionError,
  findTransaction,
  type MultisigTransaction,
  multisigAccount,
  multisigAt,
  tally,
  voteOf,
} from "../framework/multisig-state.ts";
import { type Machine, runEntryFunction } from "./call-function.ts";
import type { VmStatus } from "./effects.ts";
import { attempt, named, VmError } from "./execution-error.ts";
import type { Session } from "./session.ts";
import { VM_STATUS_CODES } from "./status-codes.ts";
import { type ValidationFailure, validationFailure } from "./validation-failure.ts";

/**
 * A call to a multisig account: run the next transaction in its queue, with the payload that is stored when none is
 * given.
 */
type MultisigCall = Extract<Payload, { kind: "multisig" }>;

/** Why this owner may not execute the queue's next transaction now; undefined when it may. */
export function checkMultisig(
  session: Session,
  executor: Address,
  request: MultisigCall,
): ValidationFailure | undefined {
  const multisig = session.find(multisigAccount, request.multisigAddress);
  if (multisig === undefined) return validationFailure("ACCOUNT_NOT_MULTISIG");
  if (!multisig.owners.includes(executor)) return validationFailure("NOT_MULTISIG_OWNER");
  const next = findTransaction(session, multisig, multisig.last_executed_sequence_number + 1n);
  if (next === undefined) return validationFailure("MULTISIG_TRANSACTION_NOT_FOUND");
  // The executor approves implicitly.
  const implicit = voteOf(next, executor) === true ? 0n : 1n;
  if (tally(multisig, next).approvals + implicit < multisig.num_signatures_required)
    return validationFailure("MULTISIG_TRANSACTION_INSUFFICIENT_APPROVALS");
  return matches(next, request.entryFunction)
    ? undefined
    : validationFailure("MULTISIG_TRANSACTION_PAYLOAD_DOES_NOT_MATCH_HASH");
}

/**
 * Runs the queue's next transaction as the multisig account. A failure is recorded in the account's events and rolls
 * back only its own writes; the outer transaction succeeds.
 */
export function runMultisig(machine: Machine, executor: Address, request: MultisigCall): void {
  const { session } = machine;
  const multisig = multisigAt(session, request.multisigAddress);
  const next = findTransaction(session, multisig, multisig.last_executed_sequence_number + 1n);
  const payload = next?.payload ?? encodePayload(request.entryFunction);
  const before = session.savepoint();
  const run = attempt(() => runEntryFunction(machine, decodePayload(payload), [request.multisigAddress]));
  if (run.kind === "stopped") {
    // Out of gas fails the outer transaction, which pays for the gas.
    if (run.status.kind === "out_of_gas") throw new VmError(run.status);
    session.rollback(before);
  }
  const error = run.kind === "stopped" ? executionErrorOf(run.status) : null;
  recordExecution(session, executor, request.multisigAddress, payload, error);
}

function matches({ payload }: MultisigTransaction, call: EntryFunction | null): boolean {
  const given = encodePayload(call);
  return payload === null || given.length === 0 || equalBytes(given, payload);
}

/** BCS of a multisig transaction's payload, as it is queued and hashed; empty when there is none. */
export function encodePayload(call: EntryFunction | null): Uint8Array {
  return call === null ? new Uint8Array() : encode(multisigPayload, call);
}

function decodePayload(payload: Uint8Array): EntryFunction {
  const decoded = decode(multisigPayload, payload);
  if (decoded.kind === "malformed") throw named("FAILED_TO_DESERIALIZE_ARGUMENT", decoded.message);
  return decoded.value;
}

function executionErrorOf(status: VmStatus): ExecutionError {
  switch (status.kind) {
    case "move_abort":
      return { abort_location: status.module, error_type: "MoveAbort", error_code: status.code };
    case "execution_failure":
      return {
        abort_location: status.function.split("::").slice(0, 2).join("::"),
        error_type: "MoveExecutionFailure",
        error_code: BigInt(status.code),
      };
    case "named":
      return { abort_location: "", error_type: "VMError", error_code: BigInt(VM_STATUS_CODES[status.name] ?? 0) };
    case "executed":
    case "out_of_gas":
      return { abort_location: "", error_type: "VMError", error_code: 0n };
  }
}
