/** A 32-byte account address in its canonical spelling: `0x`, lower case, no leading zeros. */
export type Address = string & { readonly brand: "Address" };

/** `0x` and 64 lower-case digits. */
export type HashValue = string & { readonly brand: "HashValue" };

/**
 * Where one value of the state lives: lower-case hex, without 0x, of the bytes below. String order is byte order, which
 * is the order of resource and module listings; the list endpoints' cursor is this very string.
 *
 *     00 | address (32) | ULEB length | 00 | BCS(ModuleId)     a module
 *     00 | address (32) | ULEB length | 01 | BCS(StructTag)    a resource
 *     01 | table handle (32) | BCS(key)                        a table item
 */
export type StateKey = string & { readonly brand: "StateKey" };

/** One version of the whole state. */
export interface StateReader {
  get(key: StateKey): Uint8Array | undefined;
}

export type StateChange =
  | { readonly kind: "write"; readonly key: StateKey; readonly value: Uint8Array }
  | { readonly kind: "delete"; readonly key: StateKey };

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
      readonly message?: string;
    }
  /** A status that has a name and nothing else, for instance FUNCTION_RESOLUTION_FAILURE. */
  | { readonly kind: "named"; readonly name: string; readonly message?: string };

/** What one transaction did. The ledger applies `changes` whole, or not at all, and numbers nothing in it again. */
export interface Effects {
  readonly status: VmStatus;
  /** In gas units; 0 for what the chain itself runs (genesis, block metadata). */
  readonly gasUsed: bigint;
  /** At most one entry per key, in key order. */
  readonly changes: readonly StateChange[];
  /** In order of emission; a user transaction's last one is its fee statement. */
  readonly events: readonly MoveEvent[];
}

/** Why a transaction may not enter a block. `code` is the API's `vm_error_code`. */
export interface ValidationFailure {
  readonly status: string;
  readonly code: number;
  /** One plain sentence for a person, where the status name is not enough. */
  readonly message?: string;
}

/** What a block knows of itself before its transactions run. */
export interface BlockHead {
  readonly height: bigint;
  readonly hash: HashValue;
  readonly epoch: bigint;
  readonly round: bigint;
  readonly proposer: Address;
  /** Microseconds since the epoch, later than every earlier block's. */
  readonly timestampMicros: bigint;
}
