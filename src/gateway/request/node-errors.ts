import { badPathMessage, badQueryMessage } from "../../chain/parameters.ts";
import type { NodeFailure } from "../../http/failure.ts";

function failure(
  status: number,
  errorCode: NodeFailure["errorCode"],
  message: string,
  retryAfterSeconds: number | null = null,
): NodeFailure {
  return { kind: "node", status, errorCode, message, vmErrorCode: null, retryAfterSeconds };
}

export function nodesDown(retryAfterSeconds: number): NodeFailure {
  return failure(503, "internal_error", "No chain node answers at the moment.", retryAfterSeconds);
}

export function versionNotHere(version: bigint): NodeFailure {
  return failure(503, "internal_error", `Ledger version ${version} is not available yet.`, 1);
}

/** For a submit whose bytes may have been received. */
export function answerLost(): NodeFailure {
  const message = "The node's answer was lost. The transaction may have been accepted: look it up by its hash.";
  return failure(502, "internal_error", message);
}

export function invalidInput(message: string): NodeFailure {
  return failure(400, "invalid_input", message);
}

/** Errors for requests that the node's web framework rejects, with its exact text, which clients match on. */
function framework(status: number, message: string): NodeFailure {
  return failure(status, "web_framework_error", message);
}

/** A path segment that does not parse. `type` as in `string(Address)`. */
export function badPath(name: string, type: string, why: string): NodeFailure {
  return framework(400, badPathMessage(name, type, why));
}

/** A query parameter that does not parse. */
export function badParameter(name: string, type: string, why: string): NodeFailure {
  return framework(400, badQueryMessage(name, type, why));
}

export function badPayload(why: string): NodeFailure {
  return framework(400, `parse request payload error: ${why}`);
}

export function zeroLimit(): NodeFailure {
  return invalidInput("Given limit value (0) must not be zero");
}

export function tooLarge(maxBytes: number): NodeFailure {
  return framework(413, `payload too large: at most ${maxBytes} bytes`);
}

export function incompleteBody(): NodeFailure {
  return badPayload("the body ended before its declared length, or took longer than 30 seconds");
}

export function lengthRequired(): NodeFailure {
  return framework(411, "missing `Content-Length` header");
}

export function wrongMediaType(contentType: string | null): NodeFailure {
  return framework(
    415,
    contentType === null
      ? "the client request does not include the `Content-Type` header"
      : `the \`Content-Type\` requested by the client is not supported: ${contentType.slice(0, 100)}`,
  );
}
