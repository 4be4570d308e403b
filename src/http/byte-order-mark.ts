import type { GetRoute, Handler } from "./handler.ts";

/** Values of `?bom=` that ask for the mark; any other one asks for nothing. */
const WANTED: readonly string[] = ["1", "true"];
const MARK = "\ufeff";

/** With `?bom=1` a CSV begins with a byte order mark, by which Excel recognises UTF-8 when a file is opened by a double click. */
export function withByteOrderMark(route: GetRoute): GetRoute {
  if (!route.path.endsWith(".csv")) return route;
  const handler: Handler = async (context) => {
    const outcome = await route.handler(context);
    const isWanted = WANTED.includes(new URLSearchParams(context.query).get("bom") ?? "");
    if (!isWanted || outcome.kind !== "reply" || typeof outcome.body !== "string") return outcome;
    const { ETag: tag, ...headers } = outcome.headers;
    const tagged = tag === undefined ? {} : { ETag: tag.replace(/"$/, '-bom"') };
    return { ...outcome, headers: { ...headers, ...tagged }, body: MARK + outcome.body };
  };
  return { ...route, handler };
}
