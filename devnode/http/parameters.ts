import { type NodeError, refuseRequest } from "./node-error.ts";

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** How one path or query parameter is read. `type` is its name in error texts. */
export interface Parameter<T> {
  readonly type: string;
  readonly parse: (text: string) => Parsed<T>;
}

/** The type that a parameter yields. */
export type ValueOf<P> = P extends Parameter<infer T> ? T : never;

const MAX_U64 = 2n ** 64n - 1n;

export const uint64: Parameter<bigint> = { type: "integer(uint64)", parse: (text) => unsigned(text, MAX_U64) };
export const uint32: Parameter<number> = { type: "integer(uint32)", parse: (text) => small(text, 2n ** 32n - 1n) };
export const uint16: Parameter<number> = { type: "integer(uint16)", parse: (text) => small(text, 65_535n) };

/** A ledger version, height or sequence number whose JSON form is a string. */
export const u64Text: Parameter<bigint> = {
  type: "string(U64)",
  parse: (text) => {
    const parsed = unsigned(text, MAX_U64);
    return parsed.ok
      ? parsed
      : { ok: false, why: `parsing u64 string ${JSON.stringify(text)} failed, caused by error: ${parsed.why}` };
  },
};

export const flag: Parameter<boolean> = {
  type: "boolean",
  parse: (text) =>
    text === "true" || text === "false"
      ? { ok: true, value: text === "true" }
      : { ok: false, why: "provided string was not `true` or `false`" },
};

function unsigned(text: string, most: bigint): Parsed<bigint> {
  if (text === "") return { ok: false, why: "cannot parse integer from empty string" };
  if (!/^\+?[0-9]+$/.test(text)) return { ok: false, why: "invalid digit found in string" };
  const value = BigInt(text.replace("+", ""));
  return value <= most ? { ok: true, value } : { ok: false, why: "number too large to fit in target type" };
}

function small(text: string, most: bigint): Parsed<number> {
  const parsed = unsigned(text, most);
  return parsed.ok ? { ok: true, value: Number(parsed.value) } : parsed;
}

/** A path segment, percent-decoded and parsed, or the refusal that names it. */
export function readSegment<T>(name: string, text: string, parameter: Parameter<T>): T | NodeError {
  const parsed = parameter.parse(decoded(text));
  return parsed.ok
    ? parsed.value
    : refuseRequest(400, `failed to parse path \`${name}\`: failed to parse "${parameter.type}": ${parsed.why}`);
}

/** A query parameter: undefined when absent; the first one counts when it is given twice. */
export function readQuery<T>(name: string, query: URLSearchParams, parameter: Parameter<T>): T | undefined | NodeError {
  const text = query.get(name);
  if (text === null) return undefined;
  const parsed = parameter.parse(text);
  return parsed.ok
    ? parsed.value
    : refuseRequest(
        400,
        `failed to parse parameter \`${name}\`: failed to parse "${parameter.type}": ${parsed.why} (occurred while parsing "optional<${parameter.type}>")`,
      );
}

/** Malformed escapes stay as they were sent, for the parser behind to refuse by name. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
