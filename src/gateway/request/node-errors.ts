import { NODE_JSON_TYPE } from "../../chain/media-types.ts";
import type { NodeFailure } from "../../http/failure.ts";
import { type AttemptError, fillTemplate, outcomeOf } from "../model/outcomes.ts";

function failure(
  status: number,
  errorCode: NodeFailure["errorCode"],
  message: string,
  retryAfterSeconds: number | null = null,
): NodeFailure {
  return { kind: "node", status, errorCode, message, retryAfterSeconds };
}

/** What the gateway says itself, because no upstream answered. */
export function unanswered(why: AttemptError, nodeStatus: number | null = null, seconds?: number): NodeFailure {
  const [status, retryAfterSeconds, message] = outcomeOf(why).callerMessage;
  return failure(status, "internal_error", fillTemplate(message, nodeStatus), seconds ?? retryAfterSeconds);
}

/** For a submit whose bytes may have been received. */
export const ANSWER_LOST = failure(
  502,
  "internal_error",
  "The node's answer was lost. The transaction may have been accepted: look it up by its hash.",
);

/** Errors for requests that the node's web framework rejects, with its exact text, which clients match on. */
function framework(status: number, message: string): NodeFailure {
  return failure(status, "web_framework_error", message);
}

/** A path segment, a query parameter or a body that does not parse. */
export function badRequest(message: string): NodeFailure {
  return framework(400, message);
}

export const ZERO_LIMIT = failure(400, "invalid_input", "Given limit value (0) must not be zero");

export function tooLarge(maxBytes: number): NodeFailure {
  return framework(413, `payload too large: at most ${maxBytes} bytes`);
}

export const INCOMPLETE_BODY = framework(
  400,
  "parse request payload error: the body ended before its declared length, or took longer than 30 seconds",
);

/** Other bodies need the memory of this one, of the caller who holds most of it. */
export const TOO_MANY_BODIES = failure(
  503,
  "internal_error",
  "Too much is being uploaded at the same time. Send the request again, fewer large bodies at a time.",
  1,
);

export const LENGTH_REQUIRED = framework(411, "missing `Content-Length` header");

export function wrongMediaType(contentType: string | null): NodeFailure {
  return framework(
    415,
    contentType === null
      ? "the client request does not include the `Content-Type` header"
      : `the \`Content-Type\` requested by the client is not supported: ${contentType.slice(0, 100)}`,
  );
}

export function wrongEncoding(encoding: string): NodeFailure {
  const given = encoding.slice(0, 100);
  return framework(415, `the \`Content-Encoding\` of the body is not supported: ${given}; send gzip, or none`);
}

/** Of the body, the path or the headers (RFC 9110 section 15.5.14 and 15.5.15, RFC 6585 section 5). */
const TOO_LONG: readonly number[] = [413, 414, 431];

/**
 * Our own message in place of a proxy's or firewall's in front of the node, which rejected the request (413 where that is
 * documented, else 400).
 */
export function refusalOf(status: number, method: "GET" | "POST") {
  const reason = TOO_LONG.includes(status) ? ": it is too long" : "";
  const message = `The request was refused before it reached the chain node (status ${status})${reason}.`;
  const error = { message, error_code: "web_framework_error", vm_error_code: null };
  const body = new TextEncoder().encode(JSON.stringify(error));
  return { status: method === "POST" && status === 413 ? status : 400, contentType: NODE_JSON_TYPE, body };
}
