import { PATH_KINDS, type ParameterKind, type QueryParameter } from "../../chain/endpoints.ts";
import {
  address,
  assetType,
  badPathMessage,
  badQueryMessage,
  decodeSegment,
  flag,
  hash,
  identifier,
  type Parameter,
  structTag,
  uint16,
  uint32,
  uint64,
} from "../../chain/parameters.ts";
import { printStructTag } from "../../chain/type-tag.ts";
import type { NodeFailure } from "../../http/failure.ts";
import { badRequest, ZERO_LIMIT } from "./node-errors.ts";

/** Canonical values by parameter name. */
export type Params = Readonly<Record<string, string>>;

/** Parser of a parameter of the node interface into canonical form. */
const canonical = <T>({ type, parse }: Parameter<T>, print: (value: T) => string): Parameter<string> => ({
  type,
  parse: (given) => {
    const parsed = parse(given);
    return parsed.ok ? { ok: true, value: print(parsed.value) } : parsed;
  },
});

const PARAMETERS: Readonly<Record<ParameterKind, Parameter<string>>> = {
  address,
  hash,
  u64: canonical(uint64, String),
  u32: canonical(uint32, String),
  bool: canonical(flag, String),
  struct_tag: canonical(structTag, printStructTag),
  asset: canonical(assetType, ({ text }) => text),
  identifier,
  // A cursor is opaque by the specification, so only values that no node issues are rejected.
  cursor: {
    type: "string(StateKeyWrapper)",
    parse: (given) =>
      /^[\w.~=-]{1,4096}$/.test(given) ? { ok: true, value: given } : { ok: false, why: "invalid cursor" },
  },
};

export interface PathParams {
  /** Parameters in canonical form. */
  readonly params: Params;
  /** Types in an unknown form, as sent: newer nodes may know them, and refuse what is not a type. */
  readonly verbatim: Params;
}

/** Parses all path parameters, percent-decoded once. */
export function readPathParams(params: Readonly<Record<string, string>>): PathParams | NodeFailure {
  const canonicalParams: Record<string, string> = {};
  const verbatim: Record<string, string> = {};
  for (const [name, raw] of Object.entries(params)) {
    const kind = PATH_KINDS[name] ?? "identifier";
    const parameter = PARAMETERS[kind];
    const text = decodeSegment(raw);
    const parsed = parameter.parse(text);
    if (parsed.ok) canonicalParams[name] = parsed.value;
    else if (TYPE_KINDS.includes(kind) && TYPE_FORM.test(text)) verbatim[name] = raw;
    else return badRequest(badPathMessage(name, parameter.type, parsed.why));
  }
  return { params: canonicalParams, verbatim };
}

const TYPE_KINDS: readonly ParameterKind[] = ["struct_tag", "asset"];
/**
 * Form of a type that is passed on unparsed: a struct's name and any text that stays inside its path segment. The type
 * then cannot lead to another path.
 */
const TYPE_FORM = /^0x[\da-f]{1,64}::\w+::\w+[^/\\?#%\p{Cc}]*$/iu;

/**
 * Parses the documented query parameters of an endpoint. Unknown parameters are dropped; of repeated ones the first is
 * used.
 */
export function readQueryParams(
  query: string,
  documented: Readonly<Record<string, QueryParameter>>,
): Params | NodeFailure {
  const given = new URLSearchParams(query);
  const params: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(documented)) {
    const text = given.get(name);
    if (typeof parameter === "object") {
      const limit = readLimit(name, text, parameter);
      if (typeof limit !== "number") return limit;
      params[name] = String(limit);
      continue;
    }
    if (text === null) continue;
    const { type, parse } = PARAMETERS[parameter];
    const parsed = parse(text);
    if (!parsed.ok) return badRequest(badQueryMessage(name, type, parsed.why));
    // A false flag is the default, so with and without it the request is the same.
    if (parameter !== "bool" || parsed.value === "true") params[name] = parsed.value;
  }
  return params;
}

function readLimit(name: string, text: string | null, page: { pageOf: number; max: number }): number | NodeFailure {
  if (text === null) return page.pageOf;
  const parsed = uint16.parse(text);
  if (!parsed.ok) return badRequest(badQueryMessage(name, uint16.type, parsed.why));
  return parsed.value === 0 ? ZERO_LIMIT : Math.min(parsed.value, page.max);
}
