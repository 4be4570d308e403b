import { parseAddress } from "../../chain/address.ts";
import { parseHash } from "../../chain/hash-value.ts";
import { parseStructTag, printStructTag } from "../../chain/type-tag.ts";
import { isRecord, parseJson } from "../../json.ts";
import type { AnswerKind } from "../cache/policy.ts";
import type { Answer, Target } from "../node-types.ts";
import type { EndpointId } from "../request/endpoints.ts";

/** What an answer is, or why it cannot be the answer to what was asked. */
export type Finding =
  | {
      readonly kind: "sound";
      readonly answer: AnswerKind;
      /** The highest ledger version whose commit this answer gives away; null when it gives none away. */
      readonly shows: bigint | null;
    }
  | { readonly kind: "unsound"; readonly why: string };

type Json = Readonly<Record<string, unknown>>;

const unsound = (why: string): Finding => ({ kind: "unsound", why });
const JSON_MEDIA = /^application\/json\b/i;
const BCS_MEDIA = /^application\/x-bcs\b/i;
/** These have no BCS form; a node answers JSON whatever it was asked for. */
const JSON_ONLY: readonly EndpointId[] = ["healthy", "encode_submission"];

/** Identity check and classification. Nothing is kept, and nothing with status 200 is passed on, that fails it. */
export function examine(target: Target, answer: Answer): Finding {
  const isJson = JSON_MEDIA.test(answer.contentType);
  if (answer.status >= 400) return isJson ? examineError(target, answer) : unsound("an error that is not JSON");
  if (target.mode === "submit")
    return isJson || BCS_MEDIA.test(answer.contentType) ? sound("refused", null) : unsound("neither JSON nor BCS");
  if (BCS_MEDIA.test(answer.contentType) && target.accept === "bcs") return examineBcs(target, answer);
  const asked = isJson && (target.accept === "json" || JSON_ONLY.includes(target.endpoint));
  return asked ? examineJson(target, answer) : unsound("not of the media type that was asked for");
}

function examineJson(target: Target, answer: Answer): Finding {
  const body = parsed(answer.body);
  if (body === undefined || body === null) return unsound("empty, null or not JSON");
  const version = answer.ledger?.version ?? null;
  switch (target.endpoint) {
    case "transaction_by_version":
      return committedAt(answer, isRecord(body) && body["version"] === target.asked["txn_version"], body);
    case "transaction_by_hash":
    case "wait_by_hash":
      return byHash(target, answer, body);
    case "block_by_height":
      return block(answer, body, isRecord(body) && body["block_height"] === target.asked["block_height"]);
    case "block_by_version":
      return block(answer, body, contains(body, target.asked["version"]));
    case "transactions":
      return page(target, answer, body, true);
    case "account_transactions":
      return page(target, answer, body, false);
    case "events_by_handle":
    case "events_by_creation_number":
      return page(target, answer, body, false);
    case "account_resource":
      return isRecord(body) && sameTag(body["type"], target.asked["resource_type"])
        ? state(target, answer)
        : unsound("another resource");
    case "account_module":
      return isRecord(body) && sameModule(body["abi"], target) ? state(target, answer) : unsound("another module");
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
        ? sound("current", version)
        : unsound("no ledger information");
    case "estimate_gas_price":
      return isRecord(body) && typeof body["gas_estimate"] === "number"
        ? sound("current", null)
        : unsound("no gas estimate");
    case "simulate":
      return sound("current", version);
    case "healthy":
    case "encode_submission":
    case "submit":
    case "submit_batch":
      return sound("refused", null);
  }
}

/** Octets are not decoded here: only what the path itself pins is taken as pinned. */
function examineBcs(target: Target, answer: Answer): Finding {
  if (answer.body.length === 0) return unsound("empty");
  const version = answer.ledger?.version ?? null;
  switch (target.endpoint) {
    case "transaction_by_version":
      return pinnedAt(target.asked["txn_version"], answer);
    case "block_by_version":
    case "block_by_height":
      return version === null ? sound("current", null) : sound("committed", version);
    case "transaction_by_hash":
    case "wait_by_hash":
      return sound("pending", version);
    case "estimate_gas_price":
      return sound("current", null);
    default:
      return target.asked["ledger_version"] === undefined ? sound("current", version) : state(target, answer);
  }
}

function examineError(target: Target, answer: Answer): Finding {
  const body = parsed(answer.body);
  const code = isRecord(body) ? body["error_code"] : undefined;
  if (typeof code !== "string") return unsound("an error without an error code");
  const version = answer.ledger?.version ?? null;
  if (answer.status === 410) return sound("pruned", null);
  if (answer.status !== 404) return sound("refused", target.mode === "submit" ? null : version);
  if (code === "transaction_not_found" && target.asked["txn_hash"] !== undefined) return sound("unknown_hash", version);
  if (code === "transaction_not_found" || code === "version_not_found" || code === "block_not_found")
    return sound("not_yet", version);
  if (code === "web_framework_error") return sound("refused", version);
  const asked = target.asked["ledger_version"];
  if (asked === undefined) return sound("absent", version);
  return version !== null && BigInt(asked) <= version
    ? sound("absent_at_version", BigInt(asked))
    : sound("absent", version);
}

function byHash(target: Target, answer: Answer, body: unknown): Finding {
  if (!isRecord(body) || sameHash(body["hash"], target.asked["txn_hash"]) === false)
    return unsound("another transaction");
  if (body["type"] === "pending_transaction") return sound("pending", answer.ledger?.version ?? null);
  return committedAt(answer, true, body);
}

/** A committed record: pinned when its own version is at or below the tip that the node reported with it. */
function committedAt(answer: Answer, same: boolean, body: unknown): Finding {
  const version = isRecord(body) ? versionOf(body) : undefined;
  if (!same || version === undefined) return unsound("another transaction");
  return pinnedUpTo(version, answer);
}

function block(answer: Answer, body: unknown, same: boolean): Finding {
  const last = isRecord(body) ? u64(body["last_version"]) : undefined;
  return same && last !== undefined ? pinnedUpTo(last, answer) : unsound("another block");
}

function page(target: Target, answer: Answer, body: unknown, consecutive: boolean): Finding {
  if (!Array.isArray(body)) return unsound("not a list");
  const items: readonly unknown[] = body;
  const version = answer.ledger?.version ?? null;
  const { start, limit } = target.asked;
  const versions = items.map((item) => (isRecord(item) ? versionOf(item) : undefined));
  if (versions.includes(undefined)) return unsound("a list of something else");
  if (consecutive && start !== undefined && !versions.every((found, index) => found === BigInt(start) + BigInt(index)))
    return unsound("another page");
  const last = versions.at(-1);
  if (start === undefined || last === undefined || String(items.length) !== limit) return sound("current", version);
  return version !== null && last <= version ? sound("full_page", last) : sound("current", version);
}

function state(target: Target, answer: Answer): Finding {
  const asked = target.asked["ledger_version"];
  return asked === undefined ? sound("current", answer.ledger?.version ?? null) : pinnedAt(asked, answer);
}

function pinnedAt(asked: string | undefined, answer: Answer): Finding {
  return asked === undefined ? unsound("no version") : pinnedUpTo(BigInt(asked), answer);
}

function pinnedUpTo(version: bigint, answer: Answer): Finding {
  const tip = answer.ledger?.version ?? null;
  return tip !== null && version <= tip ? sound("committed", version) : sound("current", tip);
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
function sameModule(abi: unknown, target: Target): boolean {
  if (!isRecord(abi)) return true;
  const address = typeof abi["address"] === "string" ? parseAddress(abi["address"]) : undefined;
  return abi["name"] === target.asked["module_name"] && address === target.asked["address"];
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

function sound(answer: AnswerKind, shows: bigint | null): Finding {
  return { kind: "sound", answer, shows };
}
