import { isRecord } from "../../base/json.ts";
import { parseAddress } from "../../chain/address.ts";
import { type EndpointId, isNodeStatus } from "../../chain/endpoints.ts";
import { NOT_FOUND_STATUS } from "../../chain/error-codes.ts";
import { parseHash } from "../../chain/hash-value.ts";
import { parseU64 } from "../../chain/integer.ts";
import { BCS_TYPE, essenceOf, JSON_TYPE } from "../../chain/media-types.ts";
import { nodeError } from "../../chain/node-error.ts";
import { parseStructTag, printStructTag } from "../../chain/type-tag.ts";
import { parseJsonBytes } from "../../chain/utf8.ts";
import type { Ledger } from "../model/ledger.ts";
import type { NodeRequest, NodeResponse } from "../model/node-types.ts";

/** Kind of a response, determined from its status and body. */
export type ResponseKind =
  /** Final: an explicit version, height, hash, or the start of a full page, at or below the node's tip. */
  | "committed"
  /** True at the node's tip: no explicit version, or a page that may still grow. */
  | "current"
  /** Transaction in the mempool, or a transaction record without an outcome yet. */
  | "pending"
  /** 404 for state at an explicit version that exists. */
  | "absent_at_version"
  /** 404 for state at the tip. */
  | "absent"
  /** 404 for a version or height above the tip. */
  | "not_yet"
  | "unknown_hash"
  /** A page of a node that has pruned part of what was asked for: it begins later, or is empty. */
  | "late"
  | "pruned"
  /** Pruned at the upstreams that responded; another one did not respond. */
  | "pruned_so_far"
  /** Too large to parse, so nothing of its content is verified. */
  | "unchecked"
  /** A failure that the node itself reports. */
  | "failed"
  /** 403: the endpoint or format is not available at that node. */
  | "disabled"
  /** Any other status. */
  | "refused";

export interface ValidResponse {
  readonly kind: ResponseKind;
  /** Highest ledger version whose commit the response reveals; null: none. */
  readonly revealsVersion: bigint | null;
}

/** Kind of a valid response; a text is the reason why the response cannot belong to the request. */
type Classification = ValidResponse | string;

type Members = Readonly<Record<string, unknown>>;
/** Whether an item of a response is about what was requested; `index` is its place in a page. */
type IsRequested = (item: Members, params: NodeRequest["params"], index: number, ledger: Ledger | null) => boolean;

const hasHash: IsRequested = ({ hash }, { txn_hash }) => typeof hash === "string" && parseHash(hash) === txn_hash;
const isNumbered =
  (name: string) =>
  (item: Members, { start }: NodeRequest["params"], index: number): boolean =>
    start === undefined || u64(item[name]) === BigInt(start) + BigInt(index);
const isInSequence = isNumbered("sequence_number");
/**
 * Start of a page whose beginning the node has pruned: later than requested, or than the account's first entry. null:
 * the page begins as requested.
 */
function lateStart({ endpoint, params }: NodeRequest, items: readonly unknown[], { ledger }: NodeResponse) {
  const { start, limit } = params;
  if (ledger === null || ledger.oldestVersion === 0n || !isPage(endpoint)) return null;
  const [first] = items;
  if (first === undefined) return BigInt(start ?? 0);
  const isOfLedger = endpoint === "transactions";
  const begin = isRecord(first) ? u64(first[isOfLedger ? "version" : "sequence_number"]) : undefined;
  const isWhole = start === undefined && (isOfLedger || String(items.length) === limit);
  return begin === undefined || isWhole || begin <= BigInt(start ?? 0) ? null : begin;
}

/** Whether an item is a block with transactions of its versions only. */
const isBlock = ({ first_version, last_version, transactions }: Members, version?: string): boolean => {
  const [first, last] = [u64(first_version), u64(last_version)];
  if (first === undefined || last === undefined) return false;
  const isInBlock = (one?: bigint): boolean => one !== undefined && first <= one && one <= last;
  const blockTransactions: readonly unknown[] = Array.isArray(transactions) ? transactions : [];
  return (
    (version === undefined || isInBlock(BigInt(version))) &&
    blockTransactions.every((each) => isInBlock(lastVersionOf(each)))
  );
};

/** Checks of identity, for endpoints whose responses name what they are about. */
const IDENTITY: Partial<Record<EndpointId, IsRequested>> = {
  ledger_info: ({ chain_id, ledger_version }, _params, _index, ledger) =>
    chain_id === ledger?.chainId && u64(ledger_version) === ledger?.version,
  account: ({ error_code }) => error_code === undefined,
  account_resource: ({ type }, { resource_type }) => {
    // The requested type is written in a form that is not parsed here, so nothing is compared.
    if (resource_type === undefined) return true;
    const tag = typeof type === "string" ? parseStructTag(type) : undefined;
    return tag !== undefined && printStructTag(tag) === resource_type;
  },
  // Without an ABI the module cannot be identified: only its bytecode has the name, and that is not parsed here.
  account_module: ({ abi }, { module_name, address }) =>
    !isRecord(abi) || (abi["name"] === module_name && isAddress(abi["address"], address)),
  account_transactions: (item, params, index) =>
    isInSequence(item, params, index) && isAddress(item["sender"], params["address"]),
  account_transaction_summaries: ({ sender }, { address }) => isAddress(sender, address),
  events_by_creation_number: (item, params, index) => {
    const { account_address, creation_number } = isRecord(item["guid"]) ? item["guid"] : {};
    const isOf = isAddress(account_address, params["address"]) && creation_number === params["creation_number"];
    return isInSequence(item, params, index) && isOf;
  },
  events_by_handle: isInSequence,
  block_by_height: (item, params) => item["block_height"] === params["block_height"] && isBlock(item),
  block_by_version: (item, { version }) => isBlock(item, version),
  transactions: isNumbered("version"),
  transaction_by_hash: hasHash,
  wait_by_hash: hasHash,
  transaction_by_version: ({ version }, { txn_version }) => version === txn_version,
};

/** Endpoints of one committed item, and of pages of committed items. All others read state, or none. */
const RECORDS: readonly EndpointId[] = ["transaction_by_hash", "wait_by_hash", "transaction_by_version"];
const BLOCKS: readonly EndpointId[] = ["block_by_height", "block_by_version"];
const PAGES: readonly EndpointId[] = ["account_transactions", "events_by_creation_number", "transactions"];
const isItem = (endpoint: EndpointId): boolean => RECORDS.includes(endpoint) || BLOCKS.includes(endpoint);
const isPage = (endpoint: EndpointId): boolean => PAGES.includes(endpoint) || endpoint === "events_by_handle";
/** Endpoints without a BCS form: a node answers JSON for any `Accept`. */
const JSON_ONLY: readonly EndpointId[] = ["healthy", "node_info", "encode_submission"];
/**
 * Endpoints whose lists are true only at the tip: the items are state, or more items may follow. Other large bodies
 * stay unchecked.
 */
const LISTS: readonly EndpointId[] = ["account_resources", "account_modules", "account_transaction_summaries"];
/** Largest body that is parsed; parsing takes up to 35 times its size in memory. */
const MAX_PARSED_BYTES = 393_216;

/** Classifies a response. An invalid response is never cached and, where it is parsed, never passed on with 200. */
export function classify(request: NodeRequest, response: NodeResponse): Classification {
  const media = essenceOf(response.contentType);
  if (response.status >= 400)
    return media === JSON_TYPE ? classifyError(request, response) : "an error that is not JSON";
  const isSubmit = request.mode === "submit";
  if (isSubmit || JSON_ONLY.includes(request.endpoint)) {
    if (isSubmit && media === BCS_TYPE) return valid("refused", null);
    if (media !== JSON_TYPE) return isSubmit ? "neither JSON nor BCS" : "not of the requested media type";
    return isParsed(response) && parseJsonBytes(response.body) == null ? NO_JSON : valid("refused", null);
  }
  if (response.ledger === null) return NO_LEDGER;
  if (media !== (request.accept === "bcs" ? BCS_TYPE : JSON_TYPE)) return "not of the requested media type";
  return media === BCS_TYPE ? classifyBcs(request, response) : classifyJson(request, response);
}

const NO_JSON = "empty, null or not JSON";
export const NO_LEDGER = "no readable ledger headers";

function classifyJson(request: NodeRequest, response: NodeResponse): Classification {
  const { endpoint, params } = request;
  const { ledger } = response;
  const tip = ledger?.version ?? null;
  if (!isParsed(response)) return valid(LISTS.includes(endpoint) ? "current" : "unchecked", tip);
  const body = parseJsonBytes(response.body);
  if (body == null) return NO_JSON;
  const items: readonly unknown[] = Array.isArray(body) ? body : [body];
  const isList = isPage(endpoint) || LISTS.includes(endpoint);
  const isRequested = IDENTITY[endpoint];
  const isForm = isList ? Array.isArray(body) && items.every(isRecord) : isRequested === undefined || isRecord(body);
  if (!isForm) return `not the form of ${endpoint}`;
  if (isPage(endpoint) && items.length > Number(params["limit"])) return `more than the limit of ${endpoint}`;
  const late = lateStart(request, items, response);
  const expected = late === null ? params : { ...params, start: String(late) };
  if (
    isRequested !== undefined &&
    !items.every((item, index) => isRecord(item) && isRequested(item, expected, index, ledger))
  )
    return `not the requested ${endpoint}`;
  if (late !== null) return valid("late", tip);
  if (isItem(endpoint)) {
    const isPending = isRecord(body) && body["type"] === "pending_transaction";
    const value = isPending ? valid("pending", tip) : committedUpTo(lastVersionOf(body), response);
    return typeof value === "string" || recordsIn(endpoint, items).every(hasOutcome) ? value : valid("pending", tip);
  }
  if (!recordsIn(endpoint, items).every(hasOutcome)) return valid("pending", tip);
  if (PAGES.includes(endpoint)) {
    const isFull = params["start"] !== undefined && String(items.length) === params["limit"];
    const last = isFull ? lastVersionOf(items.at(-1)) : undefined;
    return last === undefined || tip === null || last > tip ? valid("current", tip) : valid("committed", last);
  }
  return stateAt(request, response);
}

/** Returns the transactions in a response; none for an endpoint with other items, such as events. */
function recordsIn(endpoint: EndpointId, items: readonly unknown[]): readonly unknown[] {
  if (BLOCKS.includes(endpoint)) return items.flatMap((each) => (isRecord(each) && each["transactions"]) || []);
  return RECORDS.includes(endpoint) || endpoint.endsWith("transactions") ? items : [];
}

/** Whether a transaction has its outcome, without which it is not final. A node may show it earlier. */
function hasOutcome(record: unknown): boolean {
  return isRecord(record) && typeof record["success"] === "boolean" && typeof record["vm_status"] === "string";
}

function isParsed({ body, large }: NodeResponse): boolean {
  return large === undefined && body.byteLength <= MAX_PARSED_BYTES;
}

/** Classifies a BCS body, which is not decoded: only what the request itself fixes counts as committed. */
function classifyBcs(request: NodeRequest, response: NodeResponse): Classification {
  if (response.body.length === 0) return "empty";
  const { endpoint } = request;
  // The body is an empty list.
  if (response.body.length === 1 && response.body[0] === 0 && lateStart(request, [], response) !== null)
    return valid("late", response.ledger?.version ?? null);
  if (!isItem(endpoint)) return stateAt(request, response);
  const version = u64Param(request, "txn_version") ?? u64Param(request, "version");
  if (version !== undefined) return committedUpTo(version, response);
  const tip = response.ledger?.version ?? null;
  const height = u64Param(request, "block_height");
  if (height === undefined) return valid("pending", tip);
  // A block at or below the node's height is final, whatever its last version.
  return valid(response.ledger !== null && height <= response.ledger.blockHeight ? "committed" : "current", tip);
}

/** Leaves an error's text unchanged, because the error parsed here is not passed on. */
const UNCHANGED = (text: string): string => text;
/** Codes that the specification defines as an absence; other codes are not stored. */
const NOT_FOUND_CODES = Object.keys(NOT_FOUND_STATUS);
const NOT_YET_CODES: readonly string[] = ["transaction_not_found", "version_not_found", "block_not_found"];

function classifyError(request: NodeRequest, response: NodeResponse): Classification {
  const { status } = response;
  const error = isParsed(response) ? nodeError(parseJsonBytes(response.body), status, UNCHANGED) : undefined;
  if (error === undefined) return "an error without an error code";
  const { error_code: code, message } = error;
  const tip = response.ledger?.version ?? null;
  const refused = valid("refused", request.mode === "submit" ? null : tip);
  const isPruned = status === 410 ? code.endsWith("_pruned") : status === 500 && /\bpruned\b/i.test(message);
  // Without a start, the page changes as soon as the chain grows.
  const isFixed = !isPage(request.endpoint) || request.params["start"] !== undefined;
  if (isPruned && isNodeStatus(request, 410)) return valid(isFixed ? "pruned" : "pruned_so_far", null);
  if (status >= 500 && code !== "health_check_failed" && code !== "mempool_is_full")
    return valid("failed", refused.revealsVersion);
  if (status === 403) return valid("disabled", refused.revealsVersion);
  if (status !== 404 || !NOT_FOUND_CODES.includes(code)) return refused;
  if (request.params["txn_hash"] !== undefined && code === "transaction_not_found") return valid("unknown_hash", tip);
  if (NOT_YET_CODES.includes(code)) return valid("not_yet", tip);
  const version = u64Param(request, "ledger_version");
  if (version === undefined || tip === null || version > tip) return valid("absent", tip);
  return valid("absent_at_version", version);
}

/**
 * Classifies state. At an explicit version it is final once that version is committed; otherwise it is valid at the
 * tip.
 */
function stateAt(request: NodeRequest, response: NodeResponse): Classification {
  if (request.endpoint === "estimate_gas_price") return valid("current", null);
  const version = u64Param(request, "ledger_version");
  return version === undefined ? valid("current", response.ledger?.version ?? null) : committedUpTo(version, response);
}

function committedUpTo(version: bigint | undefined, { ledger }: NodeResponse): Classification {
  if (version === undefined) return "no version";
  const tip = ledger?.version ?? null;
  return tip !== null && version <= tip ? valid("committed", version) : valid("current", tip);
}

/** Ledger version at which a transaction, a block or the last item of a page was committed. */
function lastVersionOf(item: unknown): bigint | undefined {
  return isRecord(item) ? (u64(item["last_version"]) ?? u64(item["version"])) : undefined;
}

function isAddress(found: unknown, requested?: string): boolean {
  return typeof found === "string" && parseAddress(found) === requested;
}

function u64(value: unknown): bigint | undefined {
  return typeof value === "string" ? parseU64(value) : undefined;
}

function u64Param({ params }: NodeRequest, name: string): bigint | undefined {
  const text = params[name];
  return text === undefined ? undefined : BigInt(text);
}

function valid(kind: ResponseKind, revealsVersion: bigint | null): ValidResponse {
  return { kind, revealsVersion };
}
