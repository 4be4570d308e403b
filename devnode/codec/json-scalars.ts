import { type Address, parseAddress } from "../../src/chain/address.ts";
import { hexOf, parseHex } from "../../src/chain/hex.ts";
import { parseUnsigned, UNSIGNED_MAX } from "../../src/chain/integer.ts";
import { decodeUtf8 } from "../../src/chain/utf8.ts";
import { isRecord } from "../../src/json.ts";
import { preview } from "./preview.ts";

/** JSON that is not a value of its Move type. Thrown by nested writers; `moveValueFromJson` turns it into data. */
export class InvalidJson extends Error {
  override readonly name = "InvalidJson";
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** The string type does not guarantee UTF-8; other bytes are printed as the node prints them. */
export function textOf(value: Uint8Array): string {
  return decodeUtf8(value) ?? `Unparsable utf-8 ${hexOf(value)}`;
}

/** Half of a surrogate pair has no UTF-8: encoding it would change the text. */
export function utf8Of(json: unknown): Uint8Array {
  if (typeof json !== "string" || LONE_SURROGATE.test(json)) throw new InvalidJson("failed to parse string::String.");
  return new TextEncoder().encode(json);
}

export function booleanOf(json: unknown): boolean {
  if (typeof json !== "boolean") throw wrongType(json, "a boolean");
  return json;
}

export function numberOf(json: unknown, width: "u8" | "u16" | "u32"): number {
  if (typeof json !== "number") throw wrongType(json, width);
  if (!Number.isInteger(json) || json < 0 || BigInt(json) > UNSIGNED_MAX[width])
    throw new InvalidJson(`invalid value: ${preview(json)}, expected ${width}`);
  return json;
}

export function bigintOf(json: unknown, width: "u64" | "u128" | "u256"): bigint {
  const value = parseUnsigned(stringOf(json), width);
  if (value === undefined) throw new InvalidJson(`Parsing ${width} string ${preview(json)} failed`);
  return value;
}

export function bytesOf(json: unknown): Uint8Array {
  const value = parseHex(stringOf(json));
  if (value === undefined) throw new InvalidJson(`decode hex-encoded string(${preview(json)}) failed`);
  return value;
}

export function addressOf(json: unknown): Address {
  const value = parseAddress(stringOf(json));
  if (value === undefined) throw new InvalidJson(`Invalid account address ${preview(json)}`);
  return value;
}

function stringOf(json: unknown): string {
  if (typeof json !== "string") throw wrongType(json, "a string");
  return json;
}

export function recordOf(json: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(json)) throw new InvalidJson("Expecting a JSON Map for struct.");
  return json;
}

export function fieldOf(json: Readonly<Record<string, unknown>>, name: string): unknown {
  if (!Object.hasOwn(json, name)) throw new InvalidJson(`field ${name} not found.`);
  return json[name];
}

function wrongType(json: unknown, expected: string): InvalidJson {
  return new InvalidJson(`invalid type: ${preview(json)}, expected ${expected}`);
}
