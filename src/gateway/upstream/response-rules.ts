import { parseAddress } from "../../chain/address.ts";
import { parseHash } from "../../chain/hash-value.ts";
import { parseHex } from "../../chain/hex.ts";
import { parseU64 } from "../../chain/integer.ts";
import { parseStructTag, printStructTag } from "../../chain/type-tag.ts";
import { isRecord } from "../../json.ts";
import type { NodeRequest } from "../node-types.ts";
import type { EndpointId } from "../request/endpoints.ts";

/** Whether a JSON value has a shape. */
type Shape = (value: unknown) => boolean;
type Members = Readonly<Record<string, unknown>>;
/** Whether an item of a response is about what was requested; `index` is its place in a page. */
type IsRequested = (item: Members, params: NodeRequest["params"], index: number) => boolean;

/**
 * What a response describes: state at the tip or at an explicit version, one committed item, a page of committed items,
 * what is valid at the tip only, an estimate, or something that is not about the chain's state.
 */
export type ResponseTopic = "state" | "item" | "page" | "tip" | "estimate" | "other";

const isAny: Shape = () => true;
const isText: Shape = (value) => typeof value === "string";
const isNumber: Shape = (value) => typeof value === "number";
const isU64: Shape = (value) => u64(value) !== undefined;
const isHex: Shape = (value) => typeof value === "string" && value.startsWith("0x") && parseHex(value) !== undefined;
const isCount: Shape = (value) => (typeof value === "number" && Number.isInteger(value) && value >= 0) || isU64(value);
const isErrorObject: Shape = (value) => isRecord(value) && isText(value["message"]) && isText(value["error_code"]);
const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape);
/** An object with at least these members. */
const record =
  (members: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isRecord(value) && Object.entries(members).every(([name, shape]) => shape(value[name]));

const TRANSACTION = record({ type: isText, version: isU64, hash: isText });
const PENDING = record({ type: (value) => value === "pending_transaction", hash: isText });
const BLOCK = record({ block_height: isU64, block_hash: isText, first_version: isU64, last_version: isU64 });
const RESOURCE = record({ type: isText, data: isRecord });
const MODULE = record({ bytecode: isText });
const EVENT = record({ version: isU64, sequence_number: isU64, type: isText });

const hasHash: IsRequested = ({ hash }, { txn_hash }) => typeof hash === "string" && parseHash(hash) === txn_hash;
const isNumbered =
  (name: string): IsRequested =>
  (item, { start }, index) =>
    start === undefined || u64(item[name]) === BigInt(start) + BigInt(index);
const isInSequence = isNumbered("sequence_number");

interface ResponseRule {
  /** Minimum shape of a response with status 200 (specification, "Resources and their fields"). */
  readonly shape: Shape;
  readonly topic: ResponseTopic;
  readonly isRequested?: IsRequested;
}

const BY_HASH: ResponseRule = {
  shape: (value) => TRANSACTION(value) || PENDING(value),
  topic: "item",
  isRequested: hasHash,
};
const EVENTS = { shape: listOf(EVENT), isRequested: isInSequence };

export const RESPONSE_RULES: Readonly<Record<EndpointId, ResponseRule>> = {
  ledger_info: { shape: record({ chain_id: isNumber, ledger_version: isU64 }), topic: "tip" },
  healthy: { shape: record({ message: isText }), topic: "other" },
  account: { shape: record({ sequence_number: isU64, authentication_key: isHex }), topic: "state" },
  account_resources: { shape: listOf(RESOURCE), topic: "state" },
  account_resource: {
    shape: RESOURCE,
    topic: "state",
    isRequested: ({ type }, { resource_type }) => {
      const tag = typeof type === "string" ? parseStructTag(type) : undefined;
      return tag !== undefined && printStructTag(tag) === resource_type;
    },
  },
  account_modules: { shape: listOf(MODULE), topic: "state" },
  account_module: {
    shape: MODULE,
    topic: "state",
    // Without an ABI the module cannot be identified: only its bytecode names it, which is not parsed here.
    isRequested: ({ abi }, { module_name, address }) =>
      !isRecord(abi) || (abi["name"] === module_name && isAddress(abi["address"], address)),
  },
  account_balance: { shape: isCount, topic: "state" },
  account_transactions: {
    shape: listOf(TRANSACTION),
    topic: "page",
    isRequested: (item, params, index) =>
      isInSequence(item, params, index) && isAddress(item["sender"], params["address"]),
  },
  // The handle may name another stream after its resource is removed and created again.
  events_by_handle: { ...EVENTS, topic: "tip" },
  events_by_creation_number: { ...EVENTS, topic: "page" },
  block_by_height: {
    shape: BLOCK,
    topic: "item",
    isRequested: (block, { block_height }) => block["block_height"] === block_height,
  },
  block_by_version: {
    shape: BLOCK,
    topic: "item",
    isRequested: ({ first_version, last_version }, { version = "" }) => {
      const [first, last] = [u64(first_version), u64(last_version)];
      return first !== undefined && last !== undefined && first <= BigInt(version) && BigInt(version) <= last;
    },
  },
  transactions: { shape: listOf(TRANSACTION), topic: "page", isRequested: isNumbered("version") },
  transaction_by_hash: BY_HASH,
  transaction_by_version: {
    shape: TRANSACTION,
    topic: "item",
    isRequested: ({ version }, { txn_version }) => version === txn_version,
  },
  wait_by_hash: BY_HASH,
  submit: { shape: isAny, topic: "other" },
  submit_batch: { shape: isAny, topic: "other" },
  simulate: { shape: listOf(isRecord), topic: "tip" },
  encode_submission: { shape: isHex, topic: "other" },
  // Any value that a table may contain, except what looks like an error.
  table_item: { shape: (value) => !isErrorObject(value), topic: "state" },
  raw_table_item: { shape: isHex, topic: "state" },
  view: { shape: listOf(isAny), topic: "state" },
  estimate_gas_price: { shape: record({ gas_estimate: isNumber }), topic: "estimate" },
};

/** Why a body with status 200 is not a response to the request; null when it is one. */
export function mismatchOf({ endpoint, params }: NodeRequest, body: unknown): string | null {
  const { shape, isRequested = isAny } = RESPONSE_RULES[endpoint];
  if (!shape(body)) return `not the form of ${endpoint}`;
  const items = (Array.isArray(body) ? body : [body]).filter(isRecord);
  return items.every((item, index) => isRequested(item, params, index)) ? null : `not the requested ${endpoint}`;
}

/** The ledger version at which a transaction, a block or the last item of a page was committed. */
export function lastVersionOf(body: unknown): bigint | undefined {
  const last: unknown = Array.isArray(body) ? body.at(-1) : body;
  return isRecord(last) ? (u64(last["last_version"]) ?? u64(last["version"])) : undefined;
}

function isAddress(found: unknown, requested?: string): boolean {
  return typeof found === "string" && parseAddress(found) === requested;
}

function u64(value: unknown): bigint | undefined {
  return typeof value === "string" ? parseU64(value) : undefined;
}
