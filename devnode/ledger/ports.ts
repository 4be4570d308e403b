import type { Address } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import type { BlockHead, ChainHead } from "../vm/block-metadata.ts";
import type { Effects } from "../vm/effects.ts";
import type { Outcome } from "../vm/run-user-transaction.ts";
import type { StateReader } from "../vm/state-keys.ts";
import type { UserTransaction } from "../vm/user-transaction.ts";
import type { ValidationFailure } from "../vm/validation-failure.ts";

/** The execution that the ledger needs. Pure and synchronous: the same state gives the same result. */
export interface Machine {
  /** Minimum gas unit price, base units. */
  readonly minimumPrice: bigint;
  /** Maximum of max_gas_amount, gas units. */
  readonly maximumUnits: bigint;
  /** Minimum of max_gas_amount for a signed transaction of this size: its intrinsic cost. */
  readonly minimumUnits: (sizeBytes: number) => bigint;
  /** Writes and events of version 0. */
  readonly genesis: () => Effects;
  readonly beginBlock: (head: BlockHead, state: StateReader) => Effects;
  /** Prologue checks; a sequence number in the future is valid: the mempool parks the transaction. */
  readonly validate: (transaction: UserTransaction, state: StateReader) => ValidationFailure | undefined;
  readonly execute: (transaction: UserTransaction, state: StateReader) => Outcome;
  /** As execute; missing authentication keys are not compared. */
  readonly simulate: (transaction: UserTransaction, state: StateReader) => Outcome;
  readonly headOf: (state: StateReader) => ChainHead;
  /** Next sequence number; undefined: no such account. */
  readonly sequenceNumber: (state: StateReader, address: Address) => bigint | undefined;
  /** Native coin that pays for gas, base units. */
  readonly gasBalance: (state: StateReader, address: Address) => bigint;
}

export type Gas = Pick<UserTransaction, "maxGasAmount" | "gasUnitPrice">;

/** A decoded signed transaction. */
export interface Candidate {
  /** What the machine executes. */
  readonly transaction: UserTransaction;
  readonly signedBytes: Uint8Array;
  readonly hash: HashValue;
  /** BCS of the payload, which an update must not change. */
  readonly payload: Uint8Array;
}

export type DecodeResult =
  | {
      readonly kind: "candidate";
      readonly candidate: Candidate;
      /** Verifies the signatures only; undefined when all are valid. */
      readonly verifySignatures: () => Promise<ValidationFailure | undefined>;
    }
  | { readonly kind: "invalid_input"; readonly message: string };

/** The formats that the ledger needs. */
export interface TransactionCodec {
  readonly decode: (signedBytes: Uint8Array) => DecodeResult;
  /** The same signed transaction with another gas amount and price, as a simulation reports it. */
  readonly withGas: (signedBytes: Uint8Array, gas: Gas) => Uint8Array;
}
