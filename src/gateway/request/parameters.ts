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

/** A parameter of the node interface in canonical form. */
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
  // Opaque by the specification; only values that no node issues are rejected.
  cursor: {
    type: "string(StateKeyWrapper)",
    parse: (given) =>
      /^[\w.~=-]{1,4096}$/.test(given) ? { ok: true, value: given } : { ok: false, why: "invalid cursor" },
  },
};

export interface PathParams {
  /** In canonical form. */
  readonly params: Params;
  /** Types in a form that is not known here, as sent: nodes learn new ones, and refuse what is none. */
  readonly verbatim: Params;
}

/** All path parameters, percent-decoded once. */
export function readPathParams(params: Readonly<Record<string, string>>): PathParams | NodeFailure {
  const read: Record<string, string> = {};
  const verbatim: Record<string, string> = {};
  for (const [name, raw] of Object.entries(params)) {
    const kind = PATH_KINDS[name] ?? "identifier";
    const parameter = PARAMETERS[kind];
    const text = decodeSegment(raw);
    const parsed = parameter.parse(text);
    if (parsed.ok) read[name] = parsed.value;
    else if (TYPE_KINDS.includes(kind) && TYPE_FORM.test(text)) verbatim[name] = raw;
    else return badRequest(badPathMessage(name, parameter.type, parsed.why));
  }
  return { params: read, verbatim };
}

const TYPE_KINDS: readonly ParameterKind[] = ["struct_tag", "asset"];
/** The name of a struct and anything after it that stays inside a path segment, so that it leads nowhere else. */
const TYPE_FORM = /^0x[\da-f]{1,64}::\w+::\w+[^/\\?#%\p{Cc}]*$/iu;

/** The documented query parameters of one endpoint. Unknown ones are dropped; the first of a repeated one counts. */
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
    const { type, parse } = PARAMETERS[parameter];
    const parsed = parse(text);
    if (!parsed.ok) return badRequest(badQueryMessage(name, type, parsed.why));
    // A false flag is the default: both forms are the same request.
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
