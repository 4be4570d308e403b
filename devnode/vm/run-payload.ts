import { printEntryFunctionId } from "../codec/entry-function-id.ts";
import { type Machine, runEntryFunction } from "./call-function.ts";
import { Stop } from "./execution-error.ts";
import { multisigFault, runMultisig } from "./multisig.ts";
import type { Session } from "./session.ts";
import type { UserTransaction } from "./user-transaction.ts";
import { type ValidationFailure, validationFailure } from "./validation-failure.ts";

const PUBLISHING = new Set(
  ["code::publish_package_txn", "object_code_deployment::publish", "object_code_deployment::upgrade"].map(
    (name) => `0x1::${name}`,
  ),
);

/** What this machine does not run at all, said in one sentence. */
export function refusal({ payload }: UserTransaction): ValidationFailure | undefined {
  if (payload.kind === "script")
    return validationFailure("UNKNOWN_SCRIPT", "This node runs its built-in entry functions only, no scripts.");
  const { call } = payload;
  if (call !== null && PUBLISHING.has(printEntryFunctionId(call.id)))
    return validationFailure("UNKNOWN_MODULE", "This node runs its built-in modules only and publishes no others.");
  return undefined;
}

/** Whether a multisig account would let its transaction run. */
export function payloadFault({ payload, sender }: UserTransaction, session: Session): ValidationFailure | undefined {
  return payload.kind === "multisig" ? multisigFault(session, sender.address, payload) : undefined;
}

/** Runs what the transaction asks for, for everyone who signed it. */
export function runPayload(machine: Machine, { payload, sender, secondary }: UserTransaction): void {
  const signers = [sender, ...secondary].map(({ address }) => address);
  switch (payload.kind) {
    case "entry_function":
      runEntryFunction(machine, payload.call, signers);
      return;
    case "multisig":
      runMultisig(machine, sender.address, payload);
      return;
    case "script":
      // The prologue has refused it before.
      throw new Stop({ kind: "named", name: "UNKNOWN_SCRIPT" });
  }
}
