import { parseAddress } from "../../chain/address.ts";
import { parseHash } from "../../chain/hash-value.ts";
import { parseUnsigned } from "../../chain/integer.ts";
import { parseStructTag, printStructTag } from "../../chain/type-tag.ts";
import { isRecord } from "../../json.ts";
import type { NodeRequest } from "../node-types.ts";

/** Why a well-formed body is not about what was requested; null when it is. */
export function identityError({ endpoint, params }: NodeRequest, body: unknown): string | null {
  const record = isRecord(body) ? body : {};
  const items = Array.isArray(body) ? body.filter(isRecord) : [];
  const when = (isSame: boolean, what: string): string | null => (isSame ? null : what);
  switch (endpoint) {
    case "transaction_by_version":
      return when(record["version"] === params["txn_version"], "another transaction");
    case "transaction_by_hash":
    case "wait_by_hash":
      return when(isHash(record["hash"], params["txn_hash"]), "another transaction");
    case "block_by_height":
      return when(record["block_height"] === params["block_height"], "another block");
    case "block_by_version":
      return when(containsVersion(record, params["version"]), "another block");
    case "transactions":
      return when(isConsecutive(items, "version", params["start"]), "another page");
    case "account_transactions":
      return when(
        isConsecutive(items, "sequence_number", params["start"]) &&
          items.every(({ sender }) => isAddress(sender, params["address"])),
        "another page",
      );
    case "events_by_handle":
    case "events_by_creation_number":
      return when(isConsecutive(items, "sequence_number", params["start"]), "another page");
    case "account_resource":
      return when(isTag(record["type"], params["resource_type"]), "another resource");
    case "account_module":
      return when(isModule(record["abi"], params), "another module");
    default:
      return null;
  }
}

/** The ledger version at which a transaction, a block or the last item of a page was committed. */
export function lastVersionOf(body: unknown): bigint | undefined {
  const last: unknown = Array.isArray(body) ? body.at(-1) : body;
  return isRecord(last) ? (u64(last["last_version"]) ?? u64(last["version"])) : undefined;
}

function isConsecutive(items: readonly Readonly<Record<string, unknown>>[], name: string, start?: string): boolean {
  return start === undefined || items.every((item, index) => u64(item[name]) === BigInt(start) + BigInt(index));
}

function containsVersion(block: Readonly<Record<string, unknown>>, version?: string): boolean {
  const [first, last] = [u64(block["first_version"]), u64(block["last_version"])];
  if (first === undefined || last === undefined || version === undefined) return false;
  return first <= BigInt(version) && BigInt(version) <= last;
}

function isTag(found: unknown, requested?: string): boolean {
  const tag = typeof found === "string" ? parseStructTag(found) : undefined;
  return tag !== undefined && printStructTag(tag) === requested;
}

/** Without an ABI the module cannot be identified: only its bytecode names it, which is not parsed here. */
function isModule(abi: unknown, params: NodeRequest["params"]): boolean {
  if (!isRecord(abi)) return true;
  return abi["name"] === params["module_name"] && isAddress(abi["address"], params["address"]);
}

function isHash(found: unknown, requested?: string): boolean {
  return typeof found === "string" && parseHash(found) === requested;
}

function isAddress(found: unknown, requested?: string): boolean {
  return typeof found === "string" && parseAddress(found) === requested;
}

function u64(value: unknown): bigint | undefined {
  return typeof value === "string" ? parseUnsigned(value, "u64") : undefined;
}
