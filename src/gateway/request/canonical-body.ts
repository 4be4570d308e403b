import { parseHex } from "../../chain/hex.ts";
import { essenceOf, JSON_TYPE, SIGNED_TRANSACTION_TYPES, VIEW_FUNCTION_TYPES } from "../../chain/media-types.ts";
import { parseTypeTag, printTypeTag } from "../../chain/type-tag.ts";
import type { NodeFailure } from "../../http/failure.ts";
import { isRecord, parseJson } from "../../json.ts";
import type { Endpoint } from "./endpoints.ts";
import { badPayload, invalidInput, wrongMediaType } from "./node-errors.ts";

/** A body as it goes to the node. Reads are re-spelled so that equal questions have one key; submits are untouched. */
export interface CanonicalBody {
  readonly contentType: string | null;
  readonly body: Uint8Array | null;
}

const BCS_TYPES: { readonly [kind in "transaction" | "view"]: readonly [string, ...string[]] } = {
  transaction: SIGNED_TRANSACTION_TYPES,
  view: VIEW_FUNCTION_TYPES,
};
/** The node's own reader stops here. */
const MAX_NESTING = 128;
/** More digits than this and a JSON number may lose some of them when it is read. */
const SAFE_DIGITS = 15;

/** Checks the media type and, for reads by body, the body itself. */
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
  if (kind === "transaction" || kind === "json") return { contentType: JSON_TYPE, body: bytes };
  const text = textOf(bytes);
  const value = text === undefined ? undefined : parseJson(text);
  if (text === undefined || value === undefined) return badPayload("the body is not valid JSON");
  if (isDeeper(value, MAX_NESTING)) return badPayload("recursion limit exceeded");
  const question = kind === "view" ? { value } : tableQuestion(kind, value);
  if ("kind" in question) return question;
  // Numbers that JSON.parse would round stay as they were written: the key is then the body's own bytes.
  const exact = hasOnlySafeNumbers(text);
  return { contentType: JSON_TYPE, body: exact ? new TextEncoder().encode(canonicalJson(question.value)) : bytes };
}

function tableQuestion(kind: "table" | "raw_key", value: unknown): { readonly value: unknown } | NodeFailure {
  if (!isRecord(value)) return badPayload("the body is not an object");
  const { key } = value;
  if (key === undefined) return badPayload("missing field `key`");
  if (kind === "raw_key") {
    const bytes = typeof key === "string" ? parseHex(key) : undefined;
    if (typeof key !== "string" || bytes === undefined) return badPayload("`key` is not hex-encoded bytes");
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

/** JSON with its object keys in order and without blanks. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(",")}}`;
}

function hasOnlySafeNumbers(text: string): boolean {
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.eE+-]*/g) ?? [];
  return numbers.every((number) => /^-?\d+$/.test(number) && number.replace("-", "").length <= SAFE_DIGITS);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
