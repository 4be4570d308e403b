import { ADDRESS_BYTES, type Address, parseAddress } from "./address.ts";
import { type MoveAsset, parseMoveAsset } from "./asset.ts";
import { type HashValue, parseHash } from "./hash-value.ts";
import { isIdentifier } from "./identifier.ts";
import { parseUnsigned } from "./integer.ts";
import { parseStructTag, type StructTag } from "./type-tag.ts";

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** A path or query parameter of the node interface. `type` is its name in the node's error messages. */
export interface Parameter<T> {
  readonly type: string;
  readonly parse: (text: string) => Parsed<T>;
}

/** Type of a parsed parameter. */
export type ParameterValue<P> = P extends Parameter<infer T> ? T : never;

export const uint64: Parameter<bigint> = { type: "integer(uint64)", parse: (text) => parseInteger(text, "u64") };
export const uint32: Parameter<number> = { type: "integer(uint32)", parse: (text) => parseNumber(text, "u32") };
export const uint16: Parameter<number> = { type: "integer(uint16)", parse: (text) => parseNumber(text, "u16") };

/** A ledger version, height or sequence number whose JSON form is a string. */
export const u64Text: Parameter<bigint> = {
  type: "string(U64)",
  parse: (text) => {
    const parsed = parseInteger(text, "u64");
    return parsed.ok
      ? parsed
      : bad(`parsing u64 string ${JSON.stringify(excerpt(text))} failed, caused by error: ${parsed.why}`);
  },
};

export const flag: Parameter<boolean> = {
  type: "boolean",
  parse: (text) =>
    text === "true" || text === "false" ? good(text === "true") : bad("provided string was not `true` or `false`"),
};

export const address: Parameter<Address> = {
  type: "string(Address)",
  parse: (text) => orBad(parseAddress(text), () => `Invalid account address: ${addressProblem(text)}`),
};

export const hash: Parameter<HashValue> = {
  type: "string(HashValue)",
  parse: (text) => orBad(parseHash(text), () => "unable to parse HashValue"),
};

export const structTag: Parameter<StructTag> = {
  type: "string(MoveStructTag)",
  parse: (text) => orBad(parseStructTag(text), () => `invalid struct tag: ${excerpt(text)}`),
};

export const identifier: Parameter<string> = {
  type: "string(IdentifierWrapper)",
  parse: (text) => (isIdentifier(text) ? good(text) : bad(`Invalid identifier '${excerpt(text)}'`)),
};

export const assetType: Parameter<MoveAsset> = {
  type: "string(AssetType)",
  parse: (text) => orBad(parseMoveAsset(text), () => `invalid asset type: ${excerpt(text)}`),
};

/** Any text, such as an opaque cursor. */
export const text: Parameter<string> = { type: "string", parse: good };

/**
 * Decodes a percent-encoded path segment. A malformed escape stays unchanged, so that the parameter's parser rejects
 * it.
 */
export function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Writes the node's message for a path parameter that does not parse. */
export function badPathMessage(name: string, type: string, why: string): string {
  return `failed to parse path \`${name}\`: failed to parse "${type}": ${why}`;
}

/** Writes the node's message for a query parameter that does not parse. */
export function badQueryMessage(name: string, type: string, why: string): string {
  return `failed to parse parameter \`${name}\`: failed to parse "${type}": ${why} (occurred while parsing "optional<${type}>")`;
}

function good<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

function bad(why: string): Parsed<never> {
  return { ok: false, why };
}

function orBad<T>(value: T | undefined, why: () => string): Parsed<T> {
  return value === undefined ? bad(why()) : good(value);
}

/** Parses decimal digits with an optional plus sign, as the node does. */
function parseInteger(digits: string, width: "u16" | "u32" | "u64"): Parsed<bigint> {
  if (digits === "") return bad("cannot parse integer from empty string");
  if (!/^\+?[0-9]+$/.test(digits)) return bad("invalid digit found in string");
  const value = parseUnsigned(digits.replace("+", ""), width);
  return orBad(value, () => "number too large to fit in target type");
}

function parseNumber(digits: string, width: "u16" | "u32"): Parsed<number> {
  const parsed = parseInteger(digits, width);
  return parsed.ok ? good(Number(parsed.value)) : parsed;
}

function addressProblem(given: string): string {
  const digits = given.replace(/^0x/, "");
  if (digits === "") return "Hex characters are too short: the address is empty";
  const position = digits.search(/[^0-9a-fA-F]/);
  if (position !== -1)
    return `Hex characters are invalid: Invalid character '${digits[position]}' at position ${position}`;
  return `Hex characters are too long: at most ${2 * ADDRESS_BYTES} digits are allowed`;
}

/** Truncates untrusted text for an error message. */
function excerpt(given: string): string {
  return given.slice(0, 200);
}
