import { parseHex } from "../../chain/hex.ts";
import { parseU64 } from "../../chain/integer.ts";
import { isRecord } from "../../json.ts";
import type { EndpointId } from "../request/endpoints.ts";

/** Whether a JSON value has a shape. */
type Shape = (value: unknown) => boolean;

const isAny: Shape = () => true;
const isText: Shape = (value) => typeof value === "string";
const isNumber: Shape = (value) => typeof value === "number";
const isU64: Shape = (value) => typeof value === "string" && parseU64(value) !== undefined;
const isHex: Shape = (value) => typeof value === "string" && value.startsWith("0x") && parseHex(value) !== undefined;
const isCount: Shape = (value) => (typeof value === "number" && Number.isInteger(value) && value >= 0) || isU64(value);
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

/** Minimum shape of a response with status 200, by endpoint (specification, "Resources and their fields"). */
const SHAPES: Readonly<Record<EndpointId, Shape>> = {
  ledger_info: record({ chain_id: isNumber, ledger_version: isU64 }),
  healthy: record({ message: isText }),
  account: record({ sequence_number: isU64, authentication_key: isHex }),
  account_resources: listOf(RESOURCE),
  account_resource: RESOURCE,
  account_modules: listOf(MODULE),
  account_module: MODULE,
  account_balance: isCount,
  account_transactions: listOf(TRANSACTION),
  events_by_handle: listOf(EVENT),
  events_by_creation_number: listOf(EVENT),
  block_by_height: BLOCK,
  block_by_version: BLOCK,
  transactions: listOf(TRANSACTION),
  transaction_by_hash: (value) => TRANSACTION(value) || PENDING(value),
  transaction_by_version: TRANSACTION,
  wait_by_hash: (value) => TRANSACTION(value) || PENDING(value),
  submit: isAny,
  submit_batch: isAny,
  simulate: listOf(isRecord),
  encode_submission: isHex,
  // Any value that a table may contain, except what looks like an error.
  table_item: (value) => !isErrorObject(value),
  raw_table_item: isHex,
  view: listOf(isAny),
  estimate_gas_price: record({ gas_estimate: isNumber }),
};

/** Why a body with status 200 does not have the endpoint's shape; null when it does. */
export function shapeError(endpoint: EndpointId, body: unknown): string | null {
  return SHAPES[endpoint](body) ? null : `not the form of ${endpoint}`;
}

function isErrorObject(value: unknown): boolean {
  return isRecord(value) && isText(value["message"]) && isText(value["error_code"]);
}
