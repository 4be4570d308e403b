import type { Address } from "../../src/chain/address.ts";
import type { HashValue } from "../../src/chain/hash-value.ts";
import type { LedgerInfo } from "../../src/chain/ledger-headers.ts";
import type { MoveEvent, StateChange } from "../vm/effects.ts";
import type { StatePlace, StateReader } from "../vm/state-keys.ts";
import type { ValidationFailure } from "../vm/validation-failure.ts";
import type { BlockRow } from "./block-store.ts";
import type { RecordRow } from "./record-store.ts";

/** A committed transaction: its row with its block, its events and the values it changed. */
export interface CommittedTransaction extends Omit<RecordRow, "changes" | "sender" | "sequenceNumber"> {
  readonly block: BlockRow;
  readonly events: readonly MoveEvent[];
  readonly changes: readonly StateChange[];
}

export interface PendingTransaction {
  readonly kind: "pending";
  readonly hash: HashValue;
  readonly signedBytes: Uint8Array;
}

export interface Block extends BlockRow {
  /** null unless requested; else from the block's first version on, at most 10,000. */
  readonly transactions: readonly CommittedTransaction[] | null;
}

/** An event of a handle with the version that emitted it. */
export interface EventRecord {
  readonly version: bigint;
  readonly event: MoveEvent;
}

/**
 * One page in state key order; `nextCursor` (hex, no prefix) names the first item of the next page, null at the end.
 */
export interface Page {
  readonly kind: "page";
  readonly items: readonly { readonly place: StatePlace; readonly value: Uint8Array }[];
  readonly nextCursor: string | null;
}

export type VersionNotFound = { readonly kind: "version_not_found"; readonly version: bigint };
export type VersionPruned = { readonly kind: "version_pruned"; readonly version: bigint };
export type VersionFailure = VersionNotFound | VersionPruned;
export type NotFound = { readonly kind: "not_found" };

export type Found<Value> = { readonly kind: "found"; readonly value: Value };

/** State as of `version`, read through `state`. */
export type StateLookup =
  | { readonly kind: "found"; readonly version: bigint; readonly timestampMicros: bigint; readonly state: StateReader }
  | VersionFailure;

export type BlockLookup =
  | Found<Block>
  | VersionFailure
  | { readonly kind: "block_not_found"; readonly height: bigint }
  | { readonly kind: "block_pruned"; readonly height: bigint };

export type HashLookup = Found<CommittedTransaction | PendingTransaction> | NotFound;

export type TransactionsLookup =
  | Found<readonly CommittedTransaction[]>
  /** `start` is past the tip, or past the stored history. */
  | { readonly kind: "start_beyond_tip"; readonly start: bigint }
  | VersionPruned;

/** Why a submitted transaction was refused. One kind per documented error. */
export type SubmitFailure =
  /** Bytes that are not a signed transaction, or a payload that no longer exists. 400 invalid_input. */
  | { readonly kind: "invalid_input"; readonly message: string }
  /** 400, vm_error_code 3. */
  | { readonly kind: "sequence_number_too_old"; readonly given: bigint; readonly current: bigint }
  /** 400 vm_error. */
  | { readonly kind: "rejected"; readonly failure: ValidationFailure }
  /** mempool_is_full is 507. */
  | { readonly kind: "invalid_transaction_update"; readonly message: string }
  | { readonly kind: "mempool_is_full"; readonly message: string };

export type SubmitResult = { readonly kind: "accepted"; readonly pending: PendingTransaction } | SubmitFailure;

export interface SimulateOptions {
  readonly estimateMaxGasAmount: boolean;
  readonly estimateGasUnitPrice: boolean;
  /** Takes precedence over estimateGasUnitPrice. */
  readonly estimatePrioritizedGasUnitPrice: boolean;
}

export type SimulateResult =
  /**
   * Its version and block are the tip's; hashes other than its own are zero; the body contains the requested estimates.
   */
  | { readonly kind: "simulated"; readonly transaction: CommittedTransaction }
  | { readonly kind: "valid_signature" }
  | { readonly kind: "invalid_input"; readonly message: string };

/** Gas unit prices, base units per gas unit. */
export interface GasEstimate {
  readonly deprioritized: bigint;
  readonly market: bigint;
  readonly prioritized: bigint;
}

export type FundResult =
  | { readonly kind: "funded"; readonly hash: HashValue; readonly signedBytes: Uint8Array }
  /** 507: no room for its transaction even after a block. */
  | { readonly kind: "mempool_is_full"; readonly message: string }
  /** Nothing was paid, for instance because the amount exceeds the reserve. */
  | { readonly kind: "refused"; readonly message: string };

/**
 * The chain behind the node interface. Reads are synchronous and see one consistent tip until the next await.
 * `version: null` means the tip. Limits are not checked: the caller clamps them.
 */
export interface Ledger {
  readonly info: () => LedgerInfo;
  readonly stateAt: (version: bigint | null) => StateLookup;
  /** An account's resources or modules. */
  readonly list: (
    kind: "resource" | "module",
    address: Address,
    version: bigint | null,
    cursor: string | null,
    limit: number,
  ) => Page | VersionFailure | { readonly kind: "bad_cursor" };
  /** Version beyond the tip: version_not_found. */
  readonly transactionByVersion: (version: bigint) => Found<CommittedTransaction> | VersionFailure;
  /** Committed first, then pending. */
  readonly transactionByHash: (hash: HashValue) => HashLookup;
  /** As transactionByHash, but waits up to a second for a pending transaction, unless 100 requests already wait. */
  readonly waitByHash: (hash: HashValue) => Promise<HashLookup>;
  /** Ascending from `start`; null: the latest `limit`. */
  readonly transactions: (start: bigint | null, limit: number) => TransactionsLookup;
  /** Sent by the account, ascending by sequence number; null: the latest `limit` that are stored. */
  readonly accountTransactions: (
    address: Address,
    start: bigint | null,
    limit: number,
  ) => Found<readonly CommittedTransaction[]> | { readonly kind: "account_not_found" } | VersionPruned;
  readonly blockByHeight: (height: bigint, withTransactions: boolean) => BlockLookup;
  readonly blockByVersion: (version: bigint, withTransactions: boolean) => BlockLookup;
  /** Events of one handle, ascending; null: the latest `limit` that are stored; beyond the end: none. */
  readonly events: (
    address: Address,
    creationNumber: bigint,
    start: bigint | null,
    limit: number,
  ) => Found<readonly EventRecord[]> | VersionPruned;
  readonly gasEstimate: () => GasEstimate;
  /** `signedBytes`: BCS of one signed transaction. When the result is `accepted`, the transaction is on disk. */
  readonly submit: (signedBytes: Uint8Array) => Promise<SubmitResult>;
  /** In order, each with all checks: consecutive sequence numbers in one batch are valid. */
  readonly submitBatch: (signed: readonly Uint8Array[]) => Promise<readonly SubmitResult[]>;
  /** Runs on the tip and commits nothing. Signatures must be invalid, for instance zero. */
  readonly simulate: (signedBytes: Uint8Array, options: SimulateOptions) => Promise<SimulateResult>;
  /** Faucet: creates the account if necessary; resolves when the payment has committed. */
  readonly fund: (address: Address, amount: bigint) => Promise<FundResult>;
}
