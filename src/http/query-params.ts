import { parseDay } from "../base/utc.ts";
import { type Failure, invalidParameter, isFailure } from "./failure.ts";
import type { Handler, RequestContext } from "./handler.ts";

export type QueryParams = Readonly<Record<string, string>>;

/**
 * Parses the named parameters of a query string and ignores all others. A repeated parameter is an error, because it is
 * not clear which value is meant.
 */
export function parseQuery(query: string, names: readonly string[]): QueryParams | Failure {
  const values: Record<string, string> = {};
  if (query === "") return values;
  for (const [name, value] of new URLSearchParams(query)) {
    if (!names.includes(name)) continue;
    if (name in values) return invalidParameter(`Parameter ${name} is given more than once.`);
    values[name] = value;
  }
  return values;
}

/** Wraps a handler, which then gets its query parameters parsed; see {@link parseQuery}. */
export function withQuery(
  names: readonly string[],
  handler: (params: QueryParams, context: RequestContext) => ReturnType<Handler>,
): Handler {
  return (context) => {
    const params = parseQuery(context.query, names);
    return isFailure(params) ? params : handler(params, context);
  };
}

/** A range of days as `YYYY-MM-DD`, both included; undefined: no bound. */
export interface RequestedDays {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Parses the days of `?from=&to=`. */
export function requestedDays({ from, to }: QueryParams): RequestedDays | Failure {
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && parseDay(day) === undefined)
      return invalidParameter(`Parameter ${name} must be a day that exists as YYYY-MM-DD, for example 2026-03-31.`);
  if (from !== undefined && to !== undefined && from > to)
    return invalidParameter("Parameter from must not be later than to.");
  return { from, to };
}
