import { parseAddress } from "../../chain/address.ts";
import { parseHash } from "../../chain/hash-value.ts";
import { isIdentifier } from "../../chain/identifier.ts";
import { parseUnsigned } from "../../chain/integer.ts";
import { parseStructTag, printStructTag } from "../../chain/type-tag.ts";
import type { NodeFailure } from "../../http/failure.ts";
import { PATH_KINDS, type ParameterKind, type QueryParameter } from "./endpoints.ts";
import { badParameter, badPath, zeroLimit } from "./node-errors.ts";

/** Canonical spellings by parameter name. */
export type Params = Readonly<Record<string, string>>;

interface ParameterReader {
  /** The node's name for the type, as its messages spell it. */
  readonly type: string;
  readonly why: string;
  readonly read: (text: string) => string | undefined;
}

const number = (width: "u16" | "u32" | "u64"): ParameterReader => ({
  type: `integer(uint${width.slice(1)})`,
  why: "invalid digit found in string",
  read: (text) => parseUnsigned(text, width)?.toString(),
});

const structTag = (text: string): string | undefined => {
  const tag = parseStructTag(text);
  return tag && printStructTag(tag);
};

const READERS: Readonly<Record<ParameterKind, ParameterReader>> = {
  address: { type: "string(Address)", why: "Invalid account address", read: parseAddress },
  hash: { type: "string(HashValue)", why: "unable to parse HashValue", read: parseHash },
  u64: number("u64"),
  u32: number("u32"),
  bool: {
    type: "boolean",
    why: "provided string was not `true` or `false`",
    read: (text) => (text === "true" || text === "false" ? text : undefined),
  },
  struct_tag: { type: "string(MoveStructTag)", why: "invalid struct tag", read: structTag },
  asset: {
    type: "string(AssetType)",
    why: "invalid asset type",
    read: (text) => parseAddress(text) ?? structTag(text),
  },
  identifier: {
    type: "string(IdentifierWrapper)",
    why: "invalid identifier",
    read: (text) => (isIdentifier(text) ? text : undefined),
  },
  // Opaque by the specification; only what cannot be a cursor of any node is refused.
  cursor: {
    type: "string(StateKeyWrapper)",
    why: "invalid cursor",
    read: (text) => (/^[\w.~=-]{1,4096}$/.test(text) ? text : undefined),
  },
};
const LIMIT = number("u16");

/** Every path parameter, percent-decoded once and in canonical spelling. */
export function readPathParams(params: Readonly<Record<string, string>>): Params | NodeFailure {
  const canonical: Record<string, string> = {};
  for (const [name, raw] of Object.entries(params)) {
    const reading = READERS[PATH_KINDS[name] ?? "identifier"];
    const text = decoded(raw);
    const value = text === undefined ? undefined : reading.read(text);
    if (value === undefined) return badPath(name, reading.type, reading.why);
    canonical[name] = value;
  }
  return canonical;
}

/** The documented parameters of one endpoint: unknown ones are dropped, of a repeated one the first counts. */
export function readQueryParams(query: string, known: Readonly<Record<string, QueryParameter>>): Params | NodeFailure {
  const given = new URLSearchParams(query);
  const params: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(known)) {
    const text = given.get(name);
    if (typeof parameter === "object") {
      const limit = readLimit(name, text, parameter);
      if (typeof limit !== "number") return limit;
      params[name] = String(limit);
      continue;
    }
    if (text === null) continue;
    const reading = READERS[parameter];
    const value = reading.read(text);
    if (value === undefined) return badParameter(name, reading.type, reading.why);
    // A false flag is the default: both spellings are one request.
    if (parameter !== "bool" || value === "true") params[name] = value;
  }
  return params;
}

function readLimit(name: string, text: string | null, page: { pageOf: number; max: number }): number | NodeFailure {
  if (text === null) return page.pageOf;
  const value = LIMIT.read(text);
  if (value === undefined) return badParameter(name, LIMIT.type, LIMIT.why);
  return value === "0" ? zeroLimit() : Math.min(Number(value), page.max);
}

function decoded(raw: string): string | undefined {
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}
