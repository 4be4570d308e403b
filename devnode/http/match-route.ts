import { memoByObject } from "../../src/base/memo.ts";
import { compilePath } from "../../src/http/path-pattern.ts";
import type { FoundPath, Run } from "./endpoint.ts";
import { type NodeError, refuseMethod, refuseRequest } from "./node-error.ts";

/** One path and method; `:name` matches one segment. A GET route also serves HEAD. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly run: Run;
}

export interface Match extends Omit<FoundPath, "query"> {
  readonly run: Run;
}

/** The route of a request; 404 for an unknown path, 405 for a path that exists for other methods only. */
export function matchRoute(routes: readonly Route[], method: string, path: string): Match | NodeError {
  const wanted = method === "HEAD" ? "GET" : method;
  const allow: string[] = [];
  for (const route of routes) {
    const found = patternOf(route).exec(path);
    if (found === null) continue;
    if (route.method === wanted) return { run: route.run, segments: found.groups ?? {} };
    allow.push(...(route.method === "GET" ? ["GET", "HEAD"] : [route.method]));
  }
  return allow.length > 0 ? refuseMethod(allow) : refuseRequest(404, "not found");
}

/** Each route's pattern, compiled once. Fixed segments win because they are listed first. */
const patternOf = memoByObject(({ path }: { readonly path: string }) => compilePath(path));
