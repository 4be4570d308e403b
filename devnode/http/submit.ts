import { ERROR_STATUS } from "../../src/chain/error-codes.ts";
import { SIGNED_TRANSACTION_TYPES } from "../../src/chain/media-types.ts";
import { encodeBcs } from "../codec/bcs-writer.ts";
import { signedTransactionFromJson, splitBatch } from "../codec/transaction-request.ts";
import { interfaces } from "../framework/abi.ts";
import type { SubmitFailure } from "../ledger/api.ts";
import { type Answer, bcs, json, takes } from "./endpoint.ts";
import type { Node } from "./node-context.ts";
import { isError, type NodeError, refuse, refuseEarly } from "./node-error.ts";
import { malformedBody, readOr } from "./request-body.ts";
import type { Format } from "./response-format.ts";
import { pendingJson } from "./transaction-record.ts";

const MAX_IN_BATCH = 10;

/**
 * `POST /v1/transactions`: 202 once the transaction is on disk; the BCS response is empty, the sender knows the hash.
 */
export const submit = takes(SIGNED_TRANSACTION_TYPES, {
  answer: async ({ body, format }, node) => {
    const signed = body.kind === "bcs" ? body.bytes : signedOf(node, body.value, "");
    if (isError(signed)) return signed;
    const result = await node.ledger.submit(signed);
    if (result.kind !== "accepted") return submitError(result);
    const answer = format === "bcs" ? bcs(new Uint8Array()) : json(pendingJson(result.pending));
    return { ...answer, status: 202 };
  },
});

/** `POST /v1/transactions/batch`: 202 when all were accepted, else 206 with a report, in the order of submission. */
export const submitBatch = takes(SIGNED_TRANSACTION_TYPES, {
  answer: async ({ body, format }, node) => {
    const batch = body.kind === "bcs" ? readBcsBatch(body.bytes) : readBatch(node, body.value);
    if (isError(batch)) return batch;
    const results = await node.ledger.submitBatch(batch);
    const failures = results.flatMap((result, index) =>
      result.kind === "accepted" ? [] : [{ error: submitError(result), index }],
    );
    const answer = batchReport(failures, format);
    return { ...answer, status: failures.length === 0 ? 202 : 206 };
  },
});

interface BatchFailure {
  readonly error: NodeError;
  readonly index: number;
}

function batchReport(failures: readonly BatchFailure[], format: Format): Answer {
  if (format === "bcs") return bcs(batchReportBcs(failures));
  return json({
    transaction_failures: failures.map(({ error, index }) => ({
      error: { message: error.message, error_code: error.errorCode, vm_error_code: error.vmErrorCode },
      transaction_index: index,
    })),
  });
}

/** In BCS, an error code is its position in the specification's list. */
const ERROR_CODES = Object.keys(ERROR_STATUS);

function batchReportBcs(failures: readonly BatchFailure[]): Uint8Array {
  return encodeBcs((writer) =>
    writer.vector(failures, (inner, { error, index }) =>
      inner
        .string(error.message)
        .uleb(ERROR_CODES.indexOf(error.errorCode))
        .option(error.vmErrorCode, (each, code) => each.u64(BigInt(code)))
        .u64(BigInt(index)),
    ),
  );
}

function readBcsBatch(bytes: Uint8Array): readonly Uint8Array[] | NodeError {
  const split = splitBatch(bytes);
  if (split.kind === "malformed") {
    return refuse("invalid_input", `Failed to deserialize input into SignedTransaction: ${split.message}`);
  }
  return split.list.length > MAX_IN_BATCH ? tooMany(split.list.length) : split.list;
}

function readBatch(node: Node, value: unknown): readonly Uint8Array[] | NodeError {
  if (!Array.isArray(value))
    return malformedBody('failed to parse "SubmitTransactionsBatchPost": Expected input type "array"');
  if (value.length > MAX_IN_BATCH) return tooMany(value.length);
  const batch: Uint8Array[] = [];
  for (const [index, request] of value.entries()) {
    const signed = signedOf(node, request, ` at position ${index}`);
    if (isError(signed)) return signed;
    batch.push(signed);
  }
  return batch;
}

function tooMany(count: number): NodeError {
  return refuseEarly("invalid_input", `Submitted too many transactions: ${count}, while limit is ${MAX_IN_BATCH}`);
}

/** BCS of a JSON request with its signature; `where` names its place in a batch. */
export function signedOf(node: Node, value: unknown, where: string): Uint8Array | NodeError {
  return readOr(
    signedTransactionFromJson(value, node.ledger.info().chainId, interfaces),
    `Failed to create SignedTransaction from SubmitTransactionRequest${where}: `,
  );
}

/** The node's error for a refused submission. */
function submitError(failure: SubmitFailure): NodeError {
  const validation = "Invalid transaction: Type: Validation Code:";
  switch (failure.kind) {
    case "sequence_number_too_old": {
      const numbers = `The transaction's sequence number is ${failure.given}, the account's ${failure.current}.`;
      const message = `${validation} SEQUENCE_NUMBER_TOO_OLD. ${numbers}`;
      return refuse("sequence_number_too_old", message, SEQUENCE_NUMBER_TOO_OLD);
    }
    case "rejected": {
      const { status, code, message } = failure.failure;
      return refuse("vm_error", `${validation} ${status}${message === undefined ? "" : `. ${message}`}`, code);
    }
    default:
      return refuse(failure.kind, failure.message);
  }
}

const SEQUENCE_NUMBER_TOO_OLD = 3;
