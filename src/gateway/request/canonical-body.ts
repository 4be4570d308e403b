import { parseHex } from "../../chain/hex.ts";
import { essenceOf, JSON_TYPE, SIGNED_TRANSACTION_TYPES, VIEW_FUNCTION_TYPES } from "../../chain/media-types.ts";
import { parseTypeTag, printTypeTag } from "../../chain/type-tag.ts";
import { decodeUtf8 } from "../../chain/utf8.ts";
import type { NodeFailure } from "../../http/failure.ts";
import { isRecord, parseJson } from "../../json.ts";
import type { Endpoint } from "./endpoints.ts";
import { badPayload, invalidInput, wrongMediaType } from "./node-errors.ts";

/** A body as sent to the node. Small reads are normalized so that equal ones share a key; submits are unchanged. */
export interface CanonicalBody {
  readonly contentType: string | null;
  readonly body: Uint8Array | null;
}

const BCS_TYPES: { readonly [kind in "transaction" | "view"]: readonly [string, ...string[]] } = {
  transaction: SIGNED_TRANSACTION_TYPES,
  view: VIEW_FUNCTION_TYPES,
};
/** The recursion limit of the node's own parser. */
const MAX_NESTING = 128;
/** Larger bodies are forwarded unparsed: parsing may take a hundred times their size in memory. */
const MAX_PARSED_BYTES = 32_768;

/** Checks the media type and, for small reads by body, the body itself. */
export function canonicalBody(
  kind: Endpoint["body"],
  contentType: string | null,
  body: Uint8Array | null,
): CanonicalBody | NodeFailure {
  if (kind === "none") return { contentType: null, body: null };
  const media = contentType === null ? null : essenceOf(contentType);
  const bytes = body ?? new Uint8Array();
  if (kind === "transaction" || kind === "view") {
    const types = BCS_TYPES[kind];
    if (media !== null && types.includes(media)) return { contentType: types[0], body: bytes };
  }
  if (media !== JSON_TYPE) return wrongMediaType(contentType);
  const unchanged = { contentType: JSON_TYPE, body: bytes };
  if (kind === "transaction" || kind === "json" || bytes.byteLength > MAX_PARSED_BYTES) return unchanged;
  const text = decodeUtf8(bytes);
  const value = text === undefined ? undefined : parseJson(text);
  if (text === undefined || value === undefined) return badPayload("the body is not valid JSON");
  if (isDeeper(value, MAX_NESTING)) return badPayload("recursion limit exceeded");
  const normalized = kind === "view" ? { value } : normalizeTableRequest(kind, value);
  if ("kind" in normalized) return normalized;
  if (!survivesParsing(text, value)) return unchanged;
  return { contentType: JSON_TYPE, body: new TextEncoder().encode(canonicalJson(normalized.value)) };
}

function normalizeTableRequest(kind: "table" | "raw_key", value: unknown): { readonly value: unknown } | NodeFailure {
  if (!isRecord(value)) return badPayload("the body is not an object");
  const { key } = value;
  if (key === undefined) return badPayload("missing field `key`");
  if (kind === "raw_key") {
    if (typeof key !== "string" || parseHex(key) === undefined) return badPayload("`key` is not hex-encoded bytes");
    return { value: { key: `0x${key.replace(/^0x/, "").toLowerCase()}` } };
  }
  const types: Record<string, string> = {};
  for (const name of ["key_type", "value_type"]) {
    const text = value[name];
    if (typeof text !== "string") return badPayload(`missing field \`${name}\``);
    const tag = parseTypeTag(text);
    if (tag === undefined) return invalidInput(`'${name}' invalid`);
    types[name] = printTypeTag(tag);
  }
  return { value: { ...types, key } };
}

/** JSON with sorted object keys and without whitespace. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(",")}}`;
}

/**
 * Whether parsing loses nothing. JSON.parse rounds numbers, keeps only the last of two equal keys and drops the sign of
 * -0; such a body goes to the node byte for byte.
 */
function survivesParsing(text: string, value: unknown): boolean {
  const compact = text.replace(/("(?:[^"\\]|\\.)*")|[ \t\n\r]+/g, "$1");
  return compact === JSON.stringify(value);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
