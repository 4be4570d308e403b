import type { Address } from "../../src/chain/address.ts";
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

export type VmStatus =
  | { readonly kind: "executed" }
  | { readonly kind: "out_of_gas" }
  | {
      readonly kind: "move_abort";
      /** The aborting module, `0x1::coin`. */
      readonly module: string;
      /** Category << 16 | reason. */
      readonly code: bigint;
      /** Known reasons only. */
      readonly reason?: { readonly name: string; readonly text: string };
    }
  | {
      readonly kind: "execution_failure";
      /** `0x1::coin::transfer` */
      readonly function: string;
      readonly codeOffset: number;
      /** The virtual machine's number of what failed. */
      readonly code: number;
      readonly message?: string;
    }
  /** A status without further data, for instance FUNCTION_RESOLUTION_FAILURE. */
  | { readonly kind: "named"; readonly name: string; readonly message?: string };

/** The record's `vm_status` (the node's own wording). */
export function printVmStatus(status: VmStatus): string {
  switch (status.kind) {
    case "executed":
      return "Executed successfully";
    case "out_of_gas":
      return "Out of gas";
    case "move_abort": {
      const code = `0x${status.code.toString(16)}`;
      return status.reason === undefined
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
  switch (status.kind) {
    case "executed":
    case "out_of_gas":
    case "move_abort":
      return undefined;
    case "execution_failure":
    case "named":
      return status.message === undefined ? undefined : `Execution failed with message: ${status.message}`;
  }
}
