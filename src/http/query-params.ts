import type { Failure } from "./failure.ts";

export type QueryParams = Readonly<Record<string, string>>;

/**
 * Reads the named parameters of a query string; unknown ones are ignored. A known one given twice is refused by
 * name, because either reading could be the wrong one.
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
