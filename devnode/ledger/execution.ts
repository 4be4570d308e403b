import type { StateReader, Write } from "./state.ts";

/** An event as emitted; `data` is BCS of `type`. */
export type ChainEvent =
  | {
      readonly kind: "handle";
      readonly address: string;
      readonly creationNumber: bigint;
      readonly sequenceNumber: bigint;
      readonly type: string;
      readonly data: Uint8Array;
    }
  /** Module event: belongs to no account; read only inside its transaction. */
  | { readonly kind: "module"; readonly type: string; readonly data: Uint8Array };

/** How an executed (kept) transaction ended. */
export type ExecutionStatus =
  | { readonly kind: "success" }
  | { readonly kind: "out_of_gas" }
  | {
      readonly kind: "move_abort";
      /** `0x1::coin`; null: a script. */
      readonly location: string | null;
      readonly code: bigint;
      readonly reason: { readonly name: string; readonly description: string } | null;
    }
  | {
      readonly kind: "execution_failure";
      readonly location: string | null;
      readonly functionIndex: number;
      readonly codeOffset: number;
    }
  | { readonly kind: "miscellaneous_error"; readonly vmStatusCode: number | null };

/** Everything that one transaction did. Applying `writes` to the state that it ran on gives the next state. */
export interface Execution {
  readonly status: ExecutionStatus;
  /** `Executed successfully`, `Move abort in 0x1::coin: ...`: as records show it. */
  readonly vmStatus: string;
  /** Gas units. */
  readonly gasUsed: bigint;
  readonly writes: readonly Write[];
  readonly events: readonly ChainEvent[];
}

/** A transaction that may not enter a block: a VM status code and its name, such as 5 INSUFFICIENT_BALANCE_... */
export interface Rejection {
  readonly kind: "rejected";
  readonly vmStatusCode: number;
  readonly name: string;
  /** Said instead of the usual sentence when this node has more to say (scripts, publishing); else null. */
  readonly explanation: string | null;
}

/** What a block knows of itself before its transactions run. */
export interface BlockHead {
  readonly height: bigint;
  /** `0x` and 64 digits. */
  readonly hash: string;
  readonly epoch: bigint;
  readonly round: bigint;
  readonly proposer: string;
  readonly failedProposerIndices: readonly number[];
  readonly previousBlockVotesBitvec: Uint8Array;
  /** Microseconds since the epoch, later than every earlier block's. */
  readonly timestampMicros: bigint;
}

/** The moment at which a user transaction is judged or run. */
export interface Moment {
  /** Microseconds; expiry is compared with its whole seconds. */
  readonly timestampMicros: bigint;
  readonly chainId: number;
}

/**
 * What the ledger asks of the machine that executes. Pure and synchronous: same state, same answer. `Signed` is the
 * codecs' decoded signed transaction, its signature already verified.
 */
export interface Machine<Signed> {
  /** Writes and events of version 0. */
  readonly genesis: (chainId: number) => Execution;
  /** Prologue checks on committed state, sequence number aside (too new is no fault in a mempool). */
  readonly validate: (state: StateReader, transaction: Signed, moment: Moment) => Rejection | null;
  /** Runs a transaction in a block; a rejection discards it. */
  readonly execute: (state: StateReader, transaction: Signed, moment: Moment) => Execution | Rejection;
  /** As execute, with signatures not looked at. */
  readonly simulate: (state: StateReader, transaction: Signed, moment: Moment) => Execution | Rejection;
  /** The block metadata transaction. */
  readonly beginBlock: (state: StateReader, head: BlockHead) => Execution;
  /** Committed sequence number; null: no such account. */
  readonly sequenceNumber: (state: StateReader, address: string) => bigint | null;
}
