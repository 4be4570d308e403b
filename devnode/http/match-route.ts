import type { FoundPath, Run } from "./endpoint.ts";
import { type NodeError, refuseMethod, refuseRequest } from "./node-error.ts";

/** One path and method; `:name` stands for one segment. A GET row also serves HEAD. */
export interface Route<Context> {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly run: Run<Context>;
}

export interface Match<Context> extends Omit<FoundPath, "query"> {
  readonly run: Run<Context>;
}

/** The row that serves a request; 404 for a path that no row has, 405 for one that other methods have. */
export function matchRoute<Context>(
  routes: readonly Route<Context>[],
  method: string,
  path: string,
): Match<Context> | NodeError {
  const wanted = method === "HEAD" ? "GET" : method;
  const allow: string[] = [];
  for (const route of routes) {
    const segments = matchPath(route.path, path);
    if (segments === undefined) continue;
    if (route.method === wanted) return { run: route.run, segments };
    allow.push(...(route.method === "GET" ? ["GET", "HEAD"] : [route.method]));
  }
  return allow.length > 0 ? refuseMethod(allow) : refuseRequest(404, "not found");
}

/** The parameters of a path, as sent; a parameter is never empty. Fixed segments win because they are listed first. */
function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const segments: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? "";
    if (!part.startsWith(":")) {
      if (part !== text) return undefined;
    } else if (text === "") return undefined;
    else segments[part.slice(1)] = text;
  }
  return segments;
}
