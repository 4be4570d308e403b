import type { Address } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import type { BlockHead, ChainHead } from "../vm/block-metadata.ts";
import type { Effects } from "../vm/effects.ts";
import type { Outcome } from "../vm/run-user-transaction.ts";
import type { StateReader } from "../vm/state-keys.ts";
import type { UserTransaction } from "../vm/user-transaction.ts";
import type { ValidationFailure } from "../vm/validation-failure.ts";

/** What the ledger asks of the machine that executes. Pure and synchronous: same state, same answer. */
export interface Machine {
  /** Gas unit price below which nothing enters, base units. */
  readonly minimumPrice: bigint;
  /** Most gas units that a transaction may ask for. */
  readonly maximumUnits: bigint;
  /** Fewest, for a signed transaction of this size: what it costs before it does anything. */
  readonly minimumUnits: (sizeBytes: number) => bigint;
  /** Writes and events of version 0. */
  readonly genesis: () => Effects;
  readonly beginBlock: (head: BlockHead, state: StateReader) => Effects;
  /** Prologue checks; a sequence number that is ahead passes, a mempool parks it. */
  readonly validate: (transaction: UserTransaction, state: StateReader) => ValidationFailure | undefined;
  readonly execute: (transaction: UserTransaction, state: StateReader) => Outcome;
  /** As execute; keys that are not given are not compared. */
  readonly simulate: (transaction: UserTransaction, state: StateReader) => Outcome;
  readonly headOf: (state: StateReader) => ChainHead;
  /** Next sequence number; undefined: no such account. */
  readonly sequenceNumber: (state: StateReader, address: Address) => bigint | undefined;
  /** Native coin that pays for gas, base units. */
  readonly gasBalance: (state: StateReader, address: Address) => bigint;
}

export type Gas = Pick<UserTransaction, "maxGasAmount" | "gasUnitPrice">;

/** A signed transaction taken apart. */
export interface Candidate {
  /** What the machine runs. */
  readonly transaction: UserTransaction;
  readonly signedBytes: Uint8Array;
  readonly hash: HashValue;
  /** BCS of the payload: what must not change in an update. */
  readonly payload: Uint8Array;
}

export type Intake =
  | {
      readonly kind: "candidate";
      readonly candidate: Candidate;
      /** Checks the signatures alone; undefined: every one is good. */
      readonly signatureFault: () => Promise<ValidationFailure | undefined>;
    }
  | { readonly kind: "invalid_input"; readonly message: string };

/** What the ledger asks of the codecs. */
export interface Codecs {
  readonly decode: (signedBytes: Uint8Array) => Intake;
  /** The same signed transaction asking for other gas, as a simulation reports it. */
  readonly withGas: (signedBytes: Uint8Array, gas: Gas) => Uint8Array;
}
