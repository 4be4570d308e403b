import type { ErrorCode } from "../../chain/error-codes.ts";
import type { NodeRequest, NodeResponse } from "../node-types.ts";
import type { UpstreamError, UpstreamResponse } from "./upstream-result.ts";

/** 5xx statuses about the request itself, with our message in place of the upstream's. */
const SERVER_STATUSES: readonly (readonly [status: number, code: ErrorCode, message: string])[] = [
  [503, "health_check_failed", "The node is not healthy: its ledger is older than the given duration."],
  [507, "mempool_is_full", "The node's mempool is full. Send the transaction again later."],
];

/** A node's 5xx without its text, which may name files, addresses or versions. */
export function withOwnMessage(response: NodeResponse): NodeResponse | null {
  const found = SERVER_STATUSES.find(([status]) => status === response.status);
  return found === undefined ? null : { ...response, ...errorBody(found[1], found[2]) };
}

/** Of the body, the path or the headers (RFC 9110 section 15.5.14 and 15.5.15, RFC 6585 section 5). */
const TOO_LONG: readonly number[] = [413, 414, 431];

/**
 * The response to a request that a proxy or firewall in front of the node rejected with a 4xx: 413 where it is
 * documented, else 400.
 */
export function refusalOf({ method }: NodeRequest, { status }: UpstreamError): UpstreamResponse {
  const given = status ?? 400;
  const reason = TOO_LONG.includes(given) ? ": it is too long" : "";
  const message = `The request was refused before it reached the chain node (status ${given})${reason}.`;
  const documented = method === "POST" && given === 413 ? 413 : 400;
  return {
    kind: "response",
    response: { status: documented, ledger: null, extras: {}, ...errorBody("web_framework_error", message) },
    classification: { kind: "valid", answer: "refused", revealsVersion: null },
    dialect: null,
  };
}

function errorBody(code: ErrorCode, message: string): Pick<NodeResponse, "contentType" | "body"> {
  const body = new TextEncoder().encode(JSON.stringify({ message, error_code: code, vm_error_code: null }));
  return { contentType: "application/json; charset=utf-8", body };
}
