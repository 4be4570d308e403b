import type { Address } from "../../src/chain/address.ts";
import { hexOf, parseHex } from "../../src/chain/hex.ts";
import { address, uint64 } from "../../src/chain/parameters.ts";
import { parseTypeTag, printTypeTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { type JsonObject, RequestError, readField, readObject, readText, tryRead } from "../codec/json-request.ts";
import { moveValueFromJson, moveValueToJson } from "../codec/move-value.ts";
import { preview } from "../codec/preview.ts";
import { structLayout } from "../framework/abi.ts";
import { tableItemKey } from "../vm/state-keys.ts";
import { bcs, json, takes } from "./endpoint.ts";
import { isError, type NodeError, refuse, refuseEarly } from "./node-error.ts";
import { jsonOf, readOr } from "./request-body.ts";
import { stateAt } from "./state-lookup.ts";

/** Maximum characters of a key in the not-found message. */
const MAX_KEY_PREVIEW = 1_000;

/** `POST /v1/tables/{table_handle}/item`: the key in JSON; returns the item's value alone. */
export const tableItem = takes([], {
  path: { table_handle: address },
  query: { ledger_version: uint64 },
  answer: ({ path, query, body, format }, node) => {
    const item = readOr(tryRead(() => readItemRequest(jsonOf(body))));
    if (isError(item)) return item;
    const at = stateAt(node, query.ledger_version);
    if (isError(at)) return at;
    const key = readOr(tryRead(() => moveValueFromJson(item.keyType, item.key, structLayout)));
    if (isError(key)) return key;
    const value = at.state.get(tableItemKey(path.table_handle, key));
    if (value === undefined) return noItem(path.table_handle, preview(item.key, MAX_KEY_PREVIEW), at.version);
    if (format === "bcs") return bcs(value);
    const decoded = moveValueToJson(item.valueType, value, structLayout);
    return decoded.kind === "decoded"
      ? json(decoded.value)
      : refuse("invalid_input", `The item is not a ${printTypeTag(item.valueType)}: ${decoded.message}`);
  },
});

/** `POST /v1/tables/{table_handle}/raw_item`: key and item in BCS; there is no JSON form. */
export const rawTableItem = takes([], {
  only: "bcs",
  path: { table_handle: address },
  query: { ledger_version: uint64 },
  answer: ({ path, query, body, format }, node) => {
    const text = readOr(
      tryRead(() => readText(readField(readObject(jsonOf(body), "RawTableItemRequest"), "key"), "key")),
    );
    if (isError(text)) return text;
    if (format === "json") {
      return refuseEarly("api_disabled", "Get raw table item is not allowed. Only BCS is supported as an AcceptType.");
    }
    const key = parseHex(text);
    if (key === undefined) return refuseEarly("invalid_input", `key is not hex: ${text.slice(0, 100)}`);
    const at = stateAt(node, query.ledger_version);
    if (isError(at)) return at;
    const value = at.state.get(tableItemKey(path.table_handle, key));
    if (value === undefined) return noItem(path.table_handle, preview(hexOf(key), MAX_KEY_PREVIEW), at.version);
    return bcs(value);
  },
});

function readItemRequest(value: unknown) {
  const object = readObject(value, "TableItemRequest");
  return { keyType: readType(object, "key_type"), valueType: readType(object, "value_type"), key: object["key"] };
}

function readType(object: JsonObject, name: string): TypeTag {
  const text = readText(readField(object, name), name);
  const type = parseTypeTag(text);
  if (type !== undefined) return type;
  throw new RequestError("invalid", `'${name}' invalid: invalid Move type: ${text.slice(0, 200)}`);
}

function noItem(handle: Address, key: string, version: bigint): NodeError {
  return refuse(
    "table_item_not_found",
    `Table Item not found by Table handle(${handle}), Table key(${key}) and Ledger version(${version})`,
  );
}
