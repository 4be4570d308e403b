import { parseAddress } from "../../chain/address.ts";
import { parseHash } from "../../chain/hash-value.ts";
import { parseStructTag, printStructTag } from "../../chain/type-tag.ts";
import { isRecord, parseJson } from "../../json.ts";
import type { ResponseKind } from "../cache/policy.ts";
import type { NodeRequest, NodeResponse } from "../node-types.ts";
import type { EndpointId } from "../request/endpoints.ts";

/** What an answer is, or why it cannot be the answer to what was asked. */
export type Classification =
  | {
      readonly kind: "valid";
      readonly answer: ResponseKind;
      /** The highest ledger version whose commit this answer gives away; null when it gives none away. */
      readonly revealsVersion: bigint | null;
    }
  | { readonly kind: "invalid"; readonly why: string };

type Json = Readonly<Record<string, unknown>>;

const invalid = (why: string): Classification => ({ kind: "invalid", why });
const JSON_MEDIA = /^application\/json\b/i;
const BCS_MEDIA = /^application\/x-bcs\b/i;
/** These have no BCS form; a node answers JSON whatever it was asked for. */
const JSON_ONLY: readonly EndpointId[] = ["healthy", "encode_submission"];

/** Identity check and classification. Nothing is kept, and nothing with status 200 is passed on, that fails it. */
export function classifyResponse(target: NodeRequest, answer: NodeResponse): Classification {
  const isJson = JSON_MEDIA.test(answer.contentType);
  if (answer.status >= 400) return isJson ? examineError(target, answer) : invalid("an error that is not JSON");
  if (target.mode === "submit")
    return isJson || BCS_MEDIA.test(answer.contentType) ? valid("refused", null) : invalid("neither JSON nor BCS");
  if (BCS_MEDIA.test(answer.contentType) && target.accept === "bcs") return examineBcs(target, answer);
  const asked = isJson && (target.accept === "json" || JSON_ONLY.includes(target.endpoint));
  return asked ? examineJson(target, answer) : invalid("not of the media type that was asked for");
}

function examineJson(target: NodeRequest, answer: NodeResponse): Classification {
  const body = parsed(answer.body);
  if (body === undefined || body === null) return invalid("empty, null or not JSON");
  const version = answer.ledger?.version ?? null;
  switch (target.endpoint) {
    case "transaction_by_version":
      return committedAt(answer, isRecord(body) && body["version"] === target.params["txn_version"], body);
    case "transaction_by_hash":
    case "wait_by_hash":
      return byHash(target, answer, body);
    case "block_by_height":
      return block(answer, body, isRecord(body) && body["block_height"] === target.params["block_height"]);
    case "block_by_version":
      return block(answer, body, contains(body, target.params["version"]));
    case "transactions":
      return page(target, answer, body, true);
    case "account_transactions":
      return page(target, answer, body, false);
    case "events_by_handle":
    case "events_by_creation_number":
      return page(target, answer, body, false);
    case "account_resource":
      return isRecord(body) && sameTag(body["type"], target.params["resource_type"])
        ? state(target, answer)
        : invalid("another resource");
    case "account_module":
      return isRecord(body) && sameModule(body["abi"], target) ? state(target, answer) : invalid("another module");
    case "account":
    case "account_resources":
    case "account_modules":
    case "account_balance":
    case "table_item":
    case "raw_table_item":
    case "view":
      return state(target, answer);
    case "ledger_info":
      return isRecord(body) && body["ledger_version"] !== undefined
        ? valid("current", version)
        : invalid("no ledger information");
    case "estimate_gas_price":
      return isRecord(body) && typeof body["gas_estimate"] === "number"
        ? valid("current", null)
        : invalid("no gas estimate");
    case "simulate":
      return valid("current", version);
    case "healthy":
    case "encode_submission":
    case "submit":
    case "submit_batch":
      return valid("refused", null);
  }
}

/** Bytes are not decoded here: only what the path itself pins is taken as pinned. */
function examineBcs(target: NodeRequest, answer: NodeResponse): Classification {
  if (answer.body.length === 0) return invalid("empty");
  const version = answer.ledger?.version ?? null;
  switch (target.endpoint) {
    case "transaction_by_version":
      return pinnedAt(target.params["txn_version"], answer);
    case "block_by_version":
    case "block_by_height":
      return version === null ? valid("current", null) : valid("committed", version);
    case "transaction_by_hash":
    case "wait_by_hash":
      return valid("pending", version);
    case "estimate_gas_price":
      return valid("current", null);
    default:
      return target.params["ledger_version"] === undefined ? valid("current", version) : state(target, answer);
  }
}

function examineError(target: NodeRequest, answer: NodeResponse): Classification {
  const body = parsed(answer.body);
  const code = isRecord(body) ? body["error_code"] : undefined;
  if (typeof code !== "string") return invalid("an error without an error code");
  const version = answer.ledger?.version ?? null;
  if (answer.status === 410) return valid("pruned", null);
  if (answer.status !== 404) return valid("refused", target.mode === "submit" ? null : version);
  if (code === "transaction_not_found" && target.params["txn_hash"] !== undefined)
    return valid("unknown_hash", version);
  if (code === "transaction_not_found" || code === "version_not_found" || code === "block_not_found")
    return valid("not_yet", version);
  if (code === "web_framework_error") return valid("refused", version);
  const asked = target.params["ledger_version"];
  if (asked === undefined) return valid("absent", version);
  return version !== null && BigInt(asked) <= version
    ? valid("absent_at_version", BigInt(asked))
    : valid("absent", version);
}

function byHash(target: NodeRequest, answer: NodeResponse, body: unknown): Classification {
  if (!isRecord(body) || sameHash(body["hash"], target.params["txn_hash"]) === false)
    return invalid("another transaction");
  if (body["type"] === "pending_transaction") return valid("pending", answer.ledger?.version ?? null);
  return committedAt(answer, true, body);
}

/** A committed record: pinned when its own version is at or below the tip that the node reported with it. */
function committedAt(answer: NodeResponse, same: boolean, body: unknown): Classification {
  const version = isRecord(body) ? versionOf(body) : undefined;
  if (!same || version === undefined) return invalid("another transaction");
  return pinnedUpTo(version, answer);
}

function block(answer: NodeResponse, body: unknown, same: boolean): Classification {
  const last = isRecord(body) ? u64(body["last_version"]) : undefined;
  return same && last !== undefined ? pinnedUpTo(last, answer) : invalid("another block");
}

function page(target: NodeRequest, answer: NodeResponse, body: unknown, consecutive: boolean): Classification {
  if (!Array.isArray(body)) return invalid("not a list");
  const items: readonly unknown[] = body;
  const version = answer.ledger?.version ?? null;
  const { start, limit } = target.params;
  const versions = items.map((item) => (isRecord(item) ? versionOf(item) : undefined));
  if (versions.includes(undefined)) return invalid("a list of something else");
  if (consecutive && start !== undefined && !versions.every((found, index) => found === BigInt(start) + BigInt(index)))
    return invalid("another page");
  const last = versions.at(-1);
  if (start === undefined || last === undefined || String(items.length) !== limit) return valid("current", version);
  return version !== null && last <= version ? valid("full_page", last) : valid("current", version);
}

function state(target: NodeRequest, answer: NodeResponse): Classification {
  const asked = target.params["ledger_version"];
  return asked === undefined ? valid("current", answer.ledger?.version ?? null) : pinnedAt(asked, answer);
}

function pinnedAt(asked: string | undefined, answer: NodeResponse): Classification {
  return asked === undefined ? invalid("no version") : pinnedUpTo(BigInt(asked), answer);
}

function pinnedUpTo(version: bigint, answer: NodeResponse): Classification {
  const tip = answer.ledger?.version ?? null;
  return tip !== null && version <= tip ? valid("committed", version) : valid("current", tip);
}

function contains(body: unknown, asked: string | undefined): boolean {
  if (!isRecord(body) || asked === undefined) return false;
  const [first, last] = [u64(body["first_version"]), u64(body["last_version"])];
  return first !== undefined && last !== undefined && first <= BigInt(asked) && BigInt(asked) <= last;
}

function sameTag(found: unknown, asked: string | undefined): boolean {
  const tag = typeof found === "string" ? parseStructTag(found) : undefined;
  return tag !== undefined && printStructTag(tag) === asked;
}

/** A module without an ABI cannot be compared; its bytecode names it, but that is the node's to read. */
function sameModule(abi: unknown, target: NodeRequest): boolean {
  if (!isRecord(abi)) return true;
  const address = typeof abi["address"] === "string" ? parseAddress(abi["address"]) : undefined;
  return abi["name"] === target.params["module_name"] && address === target.params["address"];
}

function sameHash(found: unknown, asked: string | undefined): boolean {
  return typeof found === "string" && parseHash(found) === asked;
}

function versionOf(item: Json): bigint | undefined {
  return u64(item["version"]);
}

function u64(value: unknown): bigint | undefined {
  return typeof value === "string" && /^\d{1,20}$/.test(value) ? BigInt(value) : undefined;
}

function parsed(body: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return undefined;
  }
}

function valid(answer: ResponseKind, shows: bigint | null): Classification {
  return { kind: "valid", answer, revealsVersion: shows };
}
