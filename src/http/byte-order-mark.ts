import type { GetRoute, Handler } from "./handler.ts";

/** Values of `?bom=` that ask for the mark; all others do not. */
const ASKS_FOR_MARK: readonly string[] = ["1", "true"];
const MARK = "\ufeff";

/** Adds `?bom=1` to a CSV route: the text then begins with a byte order mark, by which Excel recognises UTF-8. */
export function withByteOrderMark(route: GetRoute): GetRoute {
  if (!route.path.endsWith(".csv")) return route;
  const handler: Handler = async (context) => {
    const outcome = await route.handler(context);
    const isWanted = ASKS_FOR_MARK.includes(new URLSearchParams(context.query).get("bom") ?? "");
    if (!isWanted || outcome.kind !== "reply" || typeof outcome.body !== "string") return outcome;
    const { ETag: tag, ...headers } = outcome.headers;
    const tagged = tag === undefined ? {} : { ETag: tag.replace(/"$/, '-bom"') };
    return { ...outcome, headers: { ...headers, ...tagged }, body: MARK + outcome.body };
  };
  return { ...route, handler };
}
