import type { NodeFailure } from "../http/failure.ts";

export function nodesDown(retryAfterSeconds: number): NodeFailure {
  return unavailable("No chain node answers at the moment.", retryAfterSeconds);
}

export function versionNotHere(version: bigint): NodeFailure {
  return unavailable(`Ledger version ${version} is not available yet.`, 1);
}

function unavailable(message: string, retryAfterSeconds: number): NodeFailure {
  return { kind: "node", status: 503, errorCode: "internal_error", message, vmErrorCode: null, retryAfterSeconds };
}

/** For a submit whose bytes may have been received. */
export function answerLost(): NodeFailure {
  const message = "The node's answer was lost. The transaction may have been accepted: look it up by its hash.";
  return {
    kind: "node",
    status: 502,
    errorCode: "internal_error",
    message,
    vmErrorCode: null,
    retryAfterSeconds: null,
  };
}
