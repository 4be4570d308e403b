import type { Failure } from "./failure.ts";

export type QueryParams = Readonly<Record<string, string>>;

/**
 * Parses the named parameters of a query string and ignores others. A repeated parameter is an error, because either
 * value could be the wrong one.
 */
export function parseQuery(query: string, names: readonly string[]): QueryParams | Failure {
  const values: Record<string, string> = {};
  if (query === "") return values;
  for (const [name, value] of new URLSearchParams(query)) {
    if (!names.includes(name)) continue;
    if (name in values) return { kind: "invalid_input", message: `Parameter ${name} is given more than once.` };
    values[name] = value;
  }
  return values;
}
