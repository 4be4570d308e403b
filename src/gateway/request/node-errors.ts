import { badPathMessage, badQueryMessage } from "../../chain/parameters.ts";
import type { NodeFailure } from "../../http/failure.ts";

/** Errors for requests that the node's web framework rejects, with its exact text, which clients match on. */
function framework(status: number, message: string): NodeFailure {
  return {
    kind: "node",
    status,
    errorCode: "web_framework_error",
    message,
    vmErrorCode: null,
    retryAfterSeconds: null,
  };
}

export function invalidInput(message: string): NodeFailure {
  return { ...framework(400, message), errorCode: "invalid_input" };
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
