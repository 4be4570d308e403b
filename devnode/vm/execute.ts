import type { Address } from "../../src/chain/address.ts";
import type { EntryFunctionId } from "../../src/chain/entry-function.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import type { SignedTransaction } from "../../src/chain/transaction.ts";
import type { TypeTag } from "../../src/chain/type-tag.ts";
import type { Effects, VmStatus } from "./effects.ts";
import type { GasSchedule } from "./gas.ts";
import type { StateReader } from "./state.ts";
import type { ValidationFailure } from "./validation.ts";

/** A signed transaction with what only its octets tell. Its signature is somebody else's check. */
export interface Submission {
  readonly signed: SignedTransaction;
  /** Octets of BCS(SignedTransaction). */
  readonly sizeBytes: number;
}

export type Outcome =
  /** Belongs in the block, whatever its status: the fee is charged and the sequence number used up. */
  | { readonly kind: "kept"; readonly effects: Effects }
  /** May not enter a block; the state is as it was. */
  | { readonly kind: "discarded"; readonly failure: ValidationFailure };

/** What a block knows of itself before its transactions run. */
export interface BlockHead {
  readonly hash: HashValue;
  readonly round: bigint;
  readonly proposer: Address;
  /** Microseconds since 1970; later than the block before. */
  readonly timestampMicros: bigint;
}

export interface GenesisOptions {
  readonly chainId: number;
  /** An epoch ends with the first block this long after it began. */
  readonly epochSeconds: number;
}

export interface ViewCall {
  readonly function: EntryFunctionId;
  readonly typeArguments: readonly TypeTag[];
  /** BCS of each argument. */
  readonly arguments: readonly Uint8Array[];
}

export type ViewOutcome =
  | {
      readonly kind: "returned";
      readonly values: readonly { readonly type: TypeTag; readonly bytes: Uint8Array }[];
      readonly gasUsed: bigint;
    }
  /** No such function, not a view, wrong arguments: 400 invalid_input with this sentence. */
  | { readonly kind: "refused"; readonly message: string }
  /** It ran and failed: an abort, or out of gas. */
  | { readonly kind: "failed"; readonly status: VmStatus };

/** Where the chain stands, read from the state itself. */
export interface ChainHead {
  readonly chainId: number;
  readonly epoch: bigint;
  readonly blockHeight: bigint;
  readonly timestampMicros: bigint;
}

/**
 * Everything the machine checks before it runs a transaction, in the order of a real node. A sequence number that is
 * too new is a fault in a block, not in a mempool: `sequenceNumber: "may_be_ahead"` lets it pass.
 */
export type ValidatePrologue = (
  submission: Submission,
  state: StateReader,
  gas: GasSchedule,
  sequenceNumber: "exact" | "may_be_ahead",
) => ValidationFailure | undefined;

export type ExecuteUserTransaction = (submission: Submission, state: StateReader, gas: GasSchedule) => Outcome;

/**
 * As a real run, except that authentication keys are not compared. Overrides stand in for what the transaction says.
 */
export type SimulateUserTransaction = (
  submission: Submission,
  state: StateReader,
  gas: GasSchedule,
  overrides: { readonly maxGasAmount?: bigint; readonly gasUnitPrice?: bigint },
) => Outcome;

export type ExecuteBlockMetadata = (block: BlockHead, state: StateReader) => Effects;
export type ExecuteGenesis = (options: GenesisOptions) => Effects;
export type CallView = (call: ViewCall, state: StateReader, gas: GasSchedule) => ViewOutcome;
export type ReadChainHead = (state: StateReader) => ChainHead;
