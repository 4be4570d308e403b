import { NOT_FOUND_STATUS } from "../../chain/error-codes.ts";
import { decodeUtf8 } from "../../chain/utf8.ts";
import { isRecord, parseJson } from "../../json.ts";
import type { ResponseKind } from "../cache/policy.ts";
import type { NodeRequest, NodeResponse } from "../node-types.ts";
import type { EndpointId } from "../request/endpoints.ts";
import { lastVersionOf, mismatchOf, RESPONSE_RULES } from "./response-rules.ts";

export interface ValidResponse {
  readonly kind: "valid";
  readonly answer: ResponseKind;
  /** The highest ledger version whose commit the response reveals; null when it reveals none. */
  readonly revealsVersion: bigint | null;
}

/** The kind of a valid response, or why it cannot belong to the request. */
export type Classification = ValidResponse | { readonly kind: "invalid"; readonly why: string };

const JSON_MEDIA = /^application\/json\b/i;
const BCS_MEDIA = /^application\/x-bcs\b/i;
/** These endpoints have no BCS form: a node answers JSON for any `Accept`. */
const JSON_ONLY: readonly EndpointId[] = ["healthy", "encode_submission"];
/** Larger bodies are not parsed: parsing takes up to 35 times their size in memory. */
const MAX_PARSED_BYTES = 393_216;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Checks shape and identity. An invalid response is never cached, and never passed on with status 200. */
export function classifyResponse(request: NodeRequest, response: NodeResponse): Classification {
  const isJson = JSON_MEDIA.test(response.contentType);
  if (response.status >= 400) return isJson ? classifyError(request, response) : invalid("an error that is not JSON");
  if (request.mode === "submit") {
    const isKnown = isJson || BCS_MEDIA.test(response.contentType);
    return isKnown ? valid("refused", null) : invalid("neither JSON nor BCS");
  }
  if (response.ledger === null && !JSON_ONLY.includes(request.endpoint)) return invalid("no readable ledger headers");
  if (BCS_MEDIA.test(response.contentType) && request.accept === "bcs") return classifyBcs(request, response);
  const isRequested = isJson && (request.accept === "json" || JSON_ONLY.includes(request.endpoint));
  return isRequested ? classifyJson(request, response) : invalid("not of the requested media type");
}

function classifyJson(request: NodeRequest, response: NodeResponse): Classification {
  if (!isParsed(response)) return classifyLarge(request, response);
  const body = parseBody(response.body);
  if (body === undefined || body === null) return invalid("empty, null or not JSON");
  const why = mismatchOf(request, body);
  if (why !== null) return invalid(why);
  const tip = response.ledger?.version ?? null;
  switch (RESPONSE_RULES[request.endpoint].topic) {
    case "state":
      return stateAt(request, response);
    case "item":
      if (isRecord(body) && body["type"] === "pending_transaction") return valid("pending", tip);
      return committedUpTo(lastVersionOf(body), response);
    case "page": {
      const { start, limit } = request.params;
      const isFull = Array.isArray(body) && start !== undefined && String(body.length) === limit;
      const last = isFull ? lastVersionOf(body) : undefined;
      return last === undefined || tip === null || last > tip ? valid("current", tip) : valid("full_page", last);
    }
    case "tip":
      return valid("current", tip);
    case "estimate":
      return valid("current", null);
    case "other":
      return valid("refused", null);
  }
}

/** Lists of state carry no identity to check beyond their shape; other large bodies stay unchecked. */
const LISTS: readonly EndpointId[] = ["account_resources", "account_modules"];

function isParsed({ body, large }: NodeResponse): boolean {
  return large === undefined && body.byteLength <= MAX_PARSED_BYTES;
}

function classifyLarge({ endpoint }: NodeRequest, { body, large, ledger }: NodeResponse): Classification {
  const tip = ledger?.version ?? null;
  if (!LISTS.includes(endpoint)) return valid("unchecked", tip);
  const isList = body.at(0) === OPEN_BRACKET && (large !== undefined || body.at(-1) === CLOSE_BRACKET);
  return isList ? valid("current", tip) : invalid("not a list");
}

/** BCS is not decoded here: only what the request itself fixes counts as committed. */
function classifyBcs(request: NodeRequest, response: NodeResponse): Classification {
  if (response.body.length === 0) return invalid("empty");
  const { topic } = RESPONSE_RULES[request.endpoint];
  if (topic === "estimate") return valid("current", null);
  if (topic !== "item") return stateAt(request, response);
  const version = u64Param(request, "txn_version") ?? u64Param(request, "version");
  if (version !== undefined) return committedUpTo(version, response);
  const tip = response.ledger?.version ?? null;
  const height = u64Param(request, "block_height");
  if (height === undefined) return valid("pending", tip);
  // A block at or below the node's height is final, whatever version it ends with.
  return valid(response.ledger !== null && height <= response.ledger.blockHeight ? "committed" : "current", tip);
}

/** Codes that the specification defines as an absence; other codes are not stored. */
const NOT_FOUND_CODES = Object.keys(NOT_FOUND_STATUS);
const NOT_YET_CODES: readonly string[] = ["transaction_not_found", "version_not_found", "block_not_found"];

function classifyError(request: NodeRequest, response: NodeResponse): Classification {
  const body = isParsed(response) ? parseBody(response.body) : undefined;
  const code = isRecord(body) ? body["error_code"] : undefined;
  if (typeof code !== "string") return invalid("an error without an error code");
  const tip = response.ledger?.version ?? null;
  const refused = valid("refused", request.mode === "submit" ? null : tip);
  if (response.status === 410) return code.endsWith("_pruned") ? valid("pruned", null) : refused;
  if (response.status !== 404 || !NOT_FOUND_CODES.includes(code)) return refused;
  if (request.params["txn_hash"] !== undefined && code === "transaction_not_found") return valid("unknown_hash", tip);
  if (NOT_YET_CODES.includes(code)) return valid("not_yet", tip);
  const version = u64Param(request, "ledger_version");
  if (version === undefined || tip === null || version > tip) return valid("absent", tip);
  return valid("absent_at_version", version);
}

/** State at an explicit version is final once that version is committed; otherwise it is valid at the tip. */
function stateAt(request: NodeRequest, response: NodeResponse): Classification {
  const version = u64Param(request, "ledger_version");
  return version === undefined ? valid("current", response.ledger?.version ?? null) : committedUpTo(version, response);
}

function committedUpTo(version: bigint | undefined, { ledger }: NodeResponse): Classification {
  if (version === undefined) return invalid("no version");
  const tip = ledger?.version ?? null;
  return tip !== null && version <= tip ? valid("committed", version) : valid("current", tip);
}

function u64Param({ params }: NodeRequest, name: string): bigint | undefined {
  const text = params[name];
  return text === undefined ? undefined : BigInt(text);
}

function parseBody(body: Uint8Array): unknown {
  const text = decodeUtf8(body);
  return text === undefined ? undefined : parseJson(text);
}

function valid(answer: ResponseKind, revealsVersion: bigint | null): Classification {
  return { kind: "valid", answer, revealsVersion };
}

function invalid(why: string): Classification {
  return { kind: "invalid", why };
}
