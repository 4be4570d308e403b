import type { Address } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import type { BlockHead } from "../vm/block-metadata.ts";
import type { Effects } from "../vm/effects.ts";
import type { Outcome } from "../vm/run-user-transaction.ts";
import type { StateReader } from "../vm/state-keys.ts";
import type { UserTransaction } from "../vm/user-transaction.ts";
import type { ValidationFailure } from "../vm/validation-failure.ts";

/** The virtual machine as the ledger sees it. Pure and synchronous: the same state gives the same result. */
export interface Machine {
  /** Base units of the native coin. */
  readonly minGasUnitPrice: bigint;
  /** The highest `max_gas_amount` that a transaction may declare, gas units. */
  readonly maxGasUnits: bigint;
  /** The largest signed transaction that may enter a block. */
  readonly maxTransactionBytes: number;
  /** The lowest `max_gas_amount` of a signed transaction of this size, gas units: its intrinsic cost. */
  readonly minGasUnits: (sizeBytes: number) => bigint;
  /** State writes and events of the genesis transaction, version 0. */
  readonly genesis: () => Effects;
  /** Runs the block prologue. */
  readonly beginBlock: (head: BlockHead, state: StateReader) => Effects;
  /**
   * The transaction prologue's checks; undefined when all pass. A sequence number above the account's next one passes:
   * the mempool keeps the transaction until the gap is filled.
   */
  readonly validate: (transaction: UserTransaction, state: StateReader) => ValidationFailure | undefined;
  readonly execute: (transaction: UserTransaction, state: StateReader) => Outcome;
  /** As `execute`, without comparing the authentication key when the request has no public key. */
  readonly simulate: (transaction: UserTransaction, state: StateReader) => Outcome;
  readonly epoch: (state: StateReader) => bigint;
  /** Next sequence number; undefined: no such account. */
  readonly sequenceNumber: (state: StateReader, address: Address) => bigint | undefined;
  /** Base units of the native coin, which pays for gas; 0 for an account that does not exist. */
  readonly gasBalance: (state: StateReader, address: Address) => bigint;
}

export type Gas = Pick<UserTransaction, "maxGasAmount" | "gasUnitPrice">;

/** A decoded signed transaction. */
export interface DecodedTransaction {
  /** Transaction that the machine executes. */
  readonly transaction: UserTransaction;
  readonly signedBytes: Uint8Array;
  readonly hash: HashValue;
  /** BCS of the payload. A transaction that replaces one in the mempool for a higher gas price must have the same. */
  readonly payload: Uint8Array;
}

export type DecodeResult =
  | {
      readonly kind: "candidate";
      readonly candidate: DecodedTransaction;
      /** Verifies the signatures, not the authentication keys; undefined when all are valid. */
      readonly verifySignatures: () => Promise<ValidationFailure | undefined>;
    }
  | { readonly kind: "invalid_input"; readonly message: string };

/** Decodes and encodes signed transactions. */
export interface TransactionCodec {
  readonly decode: (signedBytes: Uint8Array) => DecodeResult;
  /**
   * The same signed transaction with another gas amount and price, for a simulation's response; no signature fits it.
   */
  readonly withGas: (signedBytes: Uint8Array, gas: Gas) => Uint8Array;
}
