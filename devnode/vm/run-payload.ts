import { printEntryFunctionId } from "../codec/entry-function-id.ts";
import { type Machine, runEntryFunction } from "./call-function.ts";
import { named } from "./execution-error.ts";
import { checkMultisig, runMultisig } from "./multisig.ts";
import type { Session } from "./session.ts";
import type { UserTransaction } from "./user-transaction.ts";
import { type ValidationFailure, validationFailure } from "./validation-failure.ts";

const PUBLISHING = new Set(
  ["code::publish_package_txn", "object_code_deployment::publish", "object_code_deployment::upgrade"].map(
    (name) => `0x1::${name}`,
  ),
);

/** The error for a payload that this machine does not support. */
export function refusal({ payload }: UserTransaction): ValidationFailure | undefined {
  if (payload.kind === "script")
    return validationFailure("UNKNOWN_SCRIPT", "This node runs its built-in entry functions only, no scripts.");
  const { entryFunction } = payload;
  if (entryFunction !== null && PUBLISHING.has(printEntryFunctionId(entryFunction.id)))
    return validationFailure("UNKNOWN_MODULE", "This node runs its built-in modules only and publishes no others.");
  return undefined;
}

/** Why a multisig account does not allow its transaction; undefined when it does. */
export function checkPayload({ payload, sender }: UserTransaction, session: Session): ValidationFailure | undefined {
  return payload.kind === "multisig" ? checkMultisig(session, sender.address, payload) : undefined;
}

/** Runs the payload with all signers of the transaction. */
export function runPayload(machine: Machine, { payload, sender, secondary }: UserTransaction): void {
  const signers = [sender, ...secondary].map(({ address }) => address);
  switch (payload.kind) {
    case "entry_function":
      runEntryFunction(machine, payload.entryFunction, signers);
      return;
    case "multisig":
      runMultisig(machine, sender.address, payload);
      return;
    case "script":
      // Unreachable: the prologue refuses scripts.
      throw named("UNKNOWN_SCRIPT");
  }
}
