import type { Machine } from "./run.ts";
import { runEntryFunction } from "./run.ts";
import { Stop } from "./stop.ts";
import type { UserTransaction } from "./transaction.ts";

/** Runs what the transaction asks for, for everyone who signed it. */
export function runPayload(machine: Machine, { payload, sender, secondary }: UserTransaction): void {
  switch (payload.kind) {
    case "entry_function":
      runEntryFunction(
        machine,
        payload.call,
        [sender, ...secondary].map(({ address }) => address),
      );
      return;
    case "multisig":
    case "script":
      // The prologue refuses scripts; nothing here could run one.
      throw new Stop({ kind: "named", name: "UNKNOWN_SCRIPT" });
  }
}
