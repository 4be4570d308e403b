import type { Address } from "../../src/chain/address.ts";
import { option, string, struct, u32, u64, union, unit, type ValueOf } from "../codec/bcs.ts";
import type { StateKey } from "./state-keys.ts";

/** The effects of one transaction. The ledger applies all of `changes` or none. */
export interface Effects {
  readonly status: VmStatus;
  /** In gas units; 0 for genesis and block metadata. */
  readonly gasUsed: bigint;
  /** At most one entry per key, in key order. */
  readonly changes: readonly StateChange[];
  /** In order of emission; a user transaction's last one is its fee statement. */
  readonly events: readonly MoveEvent[];
}

export type StateChange = (
  | { readonly kind: "write"; readonly key: StateKey; readonly value: Uint8Array }
  | { readonly kind: "delete"; readonly key: StateKey }
) & {
  /** Types of a table's item: unlike a resource's, its key does not name them. */
  readonly item?: ItemTypes;
};

/** As printed: `u64`, `0x1::string::String`. */
export interface ItemTypes {
  readonly key: string;
  readonly value: string;
}

export interface MoveEvent {
  /** The stream. Module events have none: creation number 0 at address 0x0, and sequence number 0. */
  readonly guid: { readonly creationNumber: bigint; readonly address: Address };
  readonly sequenceNumber: bigint;
  /** Canonical type tag of `data`. */
  readonly type: string;
  readonly data: Uint8Array;
}

/** Module events belong to no stream. */
export function isModuleEvent({ guid }: MoveEvent): boolean {
  return guid.address === "0x0" && guid.creationNumber === 0n;
}

/** How an execution ended, and how that is stored. */
export const vmStatus = union({
  executed: unit,
  out_of_gas: unit,
  /** Raised by `module`, `0x1::coin`; the code is category << 16 | reason. The reason is null for unknown ones. */
  move_abort: struct({ module: string, code: u64, reason: option(struct({ name: string, text: string })) }),
  /** In `function`, `0x1::coin::transfer`; `code` is the virtual machine's number of what failed. */
  execution_failure: struct({ function: string, codeOffset: u32, code: u32, message: string }),
  /** A status without further data, for instance FUNCTION_RESOLUTION_FAILURE. */
  named: struct({ name: string, message: option(string) }),
});

export type VmStatus = ValueOf<typeof vmStatus>;

/** The record's `vm_status` (the node's own wording). */
export function printVmStatus(status: VmStatus): string {
  switch (status.kind) {
    case "executed":
      return "Executed successfully";
    case "out_of_gas":
      return "Out of gas";
    case "move_abort": {
      const code = `0x${status.code.toString(16)}`;
      return status.reason === null
        ? `Move abort in ${status.module}: ${code}`
        : `Move abort in ${status.module}: ${status.reason.name}(${code}): ${status.reason.text}`;
    }
    case "execution_failure":
      return `Execution failed in ${status.function} at code offset ${status.codeOffset}`;
    case "named":
      return status.name;
  }
}

/** The detail that a simulation adds to `vm_status`; undefined when there is none. */
export function vmStatusDetail(status: VmStatus): string | undefined {
  const message = "message" in status ? status.message : null;
  return message === null ? undefined : `Execution failed with message: ${message}`;
}
