import { isRecord } from "../../src/base/json.ts";
import { type Address, parseAddress } from "../../src/chain/address.ts";
import { hexOf, parseHex } from "../../src/chain/hex.ts";
import { parseUnsigned, UNSIGNED_MAX } from "../../src/chain/integer.ts";
import { decodeUtf8 } from "../../src/chain/utf8.ts";
import { RequestError } from "./json-request.ts";
import { preview } from "./preview.ts";

/** JSON that is not a value of its Move type. */
export function invalidJson(message: string): RequestError {
  return new RequestError("invalid", message);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** The string type does not guarantee UTF-8; other bytes are printed as the node prints them. */
export function textOf(value: Uint8Array): string {
  return decodeUtf8(value) ?? `Unparsable utf-8 ${hexOf(value)}`;
}

/** Half of a surrogate pair has no UTF-8: encoding it would change the text. */
export function utf8Of(json: unknown): Uint8Array {
  if (typeof json !== "string" || LONE_SURROGATE.test(json)) throw invalidJson("failed to parse string::String.");
  return new TextEncoder().encode(json);
}

export function booleanOf(json: unknown): boolean {
  if (typeof json !== "boolean") throw wrongType(json, "a boolean");
  return json;
}

export function numberOf(json: unknown, width: "u8" | "u16" | "u32"): number {
  if (typeof json !== "number") throw wrongType(json, width);
  if (!Number.isInteger(json) || json < 0 || BigInt(json) > UNSIGNED_MAX[width])
    throw invalidJson(`invalid value: ${preview(json)}, expected ${width}`);
  return json;
}

export function bigintOf(json: unknown, width: "u64" | "u128" | "u256"): bigint {
  const value = parseUnsigned(stringOf(json), width);
  if (value === undefined) throw invalidJson(`Parsing ${width} string ${preview(json)} failed`);
  return value;
}

export function bytesOf(json: unknown): Uint8Array {
  const value = parseHex(stringOf(json));
  if (value === undefined) throw invalidJson(`decode hex-encoded string(${preview(json)}) failed`);
  return value;
}

export function addressOf(json: unknown): Address {
  const value = parseAddress(stringOf(json));
  if (value === undefined) throw invalidJson(`Invalid account address ${preview(json)}`);
  return value;
}

function stringOf(json: unknown): string {
  if (typeof json !== "string") throw wrongType(json, "a string");
  return json;
}

export function recordOf(json: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(json)) throw invalidJson("Expecting a JSON Map for struct.");
  return json;
}

export function fieldOf(json: Readonly<Record<string, unknown>>, name: string): unknown {
  if (!Object.hasOwn(json, name)) throw invalidJson(`field ${name} not found.`);
  return json[name];
}

function wrongType(json: unknown, expected: string): RequestError {
  return invalidJson(`invalid type: ${preview(json)}, expected ${expected}`);
}
