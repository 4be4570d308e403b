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

/** Error of the gateway itself when no upstream answered. */
export function unanswered(why: AttemptError, nodeStatus: number | null = null, seconds?: number): NodeFailure {
  const [status, retryAfterSeconds, message] = outcomeOf(why).callerMessage;
  return failure(status, "internal_error", fillTemplate(message, nodeStatus), seconds ?? retryAfterSeconds);
}

/** Error of a submit whose bytes may have reached the node. */
export const ANSWER_LOST = failure(
  502,
  "internal_error",
  "The node's answer was lost. The transaction may have been accepted: look it up by its hash.",
);

/** Error of a request that the node's web framework would reject, with its exact text, which clients match on. */
function framework(status: number, message: string): NodeFailure {
  return failure(status, "web_framework_error", message);
}

/** Error of a path segment, query parameter or body that does not parse. */
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

/** Error of a body that was dropped because other bodies needed memory and its caller had the most. */
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

/**
 * Statuses for a body, path or headers that are too long (RFC 9110 section 15.5.14 and 15.5.15, RFC 6585 section 5).
 */
const TOO_LONG: readonly number[] = [413, 414, 431];

/**
 * Makes the answer for a request that a proxy or firewall rejected in front of the node. The status is 413 where the
 * interface documents it, else 400.
 */
export function proxyRefusal(status: number, method: "GET" | "POST") {
  const reason = TOO_LONG.includes(status) ? ": it is too long" : "";
  const message = `The request was refused before it reached the chain node (status ${status})${reason}.`;
  const error = { message, error_code: "web_framework_error", vm_error_code: null };
  const body = new TextEncoder().encode(JSON.stringify(error));
  return { status: method === "POST" && status === 413 ? status : 400, contentType: NODE_JSON_TYPE, body };
}
