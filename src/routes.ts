import type { AdmittedRoute } from "./admission.ts";
import { BoundedMap } from "./base/memo.ts";
import { type Config, PAGE_POLICY, type Policy } from "./config.ts";
import { FAUCET_PATHS } from "./gateway/faucet/faucet-handlers.ts";
import type { Surface } from "./http/failure.ts";
import { MANUAL_PATH } from "./http/manual-path.ts";
import { compilePath } from "./http/path-pattern.ts";

export type RouteMatch =
  | {
      readonly kind: "handler";
      readonly handler: AdmittedRoute["handler"];
      readonly params: Readonly<Record<string, string>>;
      /** Pattern that matched, such as `/v1/accounts/:address`. */
      readonly route: string;
    }
  | { readonly kind: "wrong_method"; readonly allow: readonly string[] }
  | { readonly kind: "unknown_path" };

export interface RouteTable {
  readonly match: (method: string, path: string) => RouteMatch;
  /** Methods of a path, as `Allow` lists them; empty for an unknown path. */
  readonly allow: (path: string) => readonly string[];
}

/** Empty parameters that all paths without parameters share, so that their request contexts need no new object. */
export const NO_PARAMS: Readonly<Record<string, string>> = {};

/** Number of cached matches of paths with parameters; a popular path is not compared with every pattern again. */
const MAX_CACHED_PATHS = 2_048;
const MAX_CACHED_CHARACTERS = 512;

/**
 * Builds the route table. Fixed paths are looked up in a map; only paths with parameters are compared with patterns.
 */
export function routeTable(routes: readonly AdmittedRoute[]): RouteTable {
  const rows = routes.map((row) => ({ ...row, pattern: row.path.includes(":") ? compilePath(row.path) : null }));
  const fixed = Map.groupBy(
    rows.filter(({ pattern }) => pattern === null),
    ({ path }) => path,
  );
  const patterns = rows.filter(({ pattern }) => pattern !== null);
  const allow = (path: string): string[] => {
    const matching = fixed.get(path) ?? patterns.filter(({ pattern }) => pattern?.test(path));
    return allowList(matching.map(({ method }) => method));
  };
  const matchIn = (candidates: readonly (typeof rows)[number][], method: string, path: string): RouteMatch => {
    for (const row of candidates) {
      if (row.method !== method) continue;
      // A fixed path has no pattern: `parts` is then undefined, which counts as a match.
      const parts = row.pattern?.exec(path);
      if (parts !== null)
        return { kind: "handler", handler: row.handler, params: parts?.groups ?? NO_PARAMS, route: row.path };
    }
    const allowed = allow(path);
    return allowed.length > 0 ? { kind: "wrong_method", allow: allowed } : { kind: "unknown_path" };
  };
  const cachedMatches = new BoundedMap<string, RouteMatch>(MAX_CACHED_PATHS);
  const match = (method: string, path: string): RouteMatch => {
    const routeMethod = method === "HEAD" ? "GET" : method;
    const rowsOfPath = fixed.get(path);
    if (rowsOfPath !== undefined) return matchIn(rowsOfPath, routeMethod, path);
    const cached = routeMethod === "GET" ? cachedMatches.peek(path) : undefined;
    if (cached !== undefined) return cached;
    const result = matchIn(patterns, routeMethod, path);
    if (result.kind === "handler" && routeMethod === "GET" && path.length <= MAX_CACHED_CHARACTERS)
      cachedMatches.set(path, result);
    return result;
  };
  return { match, allow };
}

function allowList(methods: readonly string[]): string[] {
  if (methods.length === 0) return [];
  return ["GET", "HEAD", "POST", "OPTIONS"].filter(
    (method) => method === "OPTIONS" || methods.includes(method === "HEAD" ? "GET" : method),
  );
}

/** Surface of a path: paths under `/v1` have the node's error format, all others the public API's. */
export function surfaceOf(path: string): Surface {
  return path === "/v1" || path.startsWith("/v1/") ? "node" : "api";
}

/**
 * Paths that the page, the embeds and readers of the manual need. They have a quota of their own, so that opening a page
 * spends nothing of the quota of `/api`.
 */
const PAGE_PATHS = new RegExp(`^(/api/page(/history)?|${MANUAL_PATH}(/.*)?)$`);

/** Rate limit of a path, also of an unknown one. */
export function policyOf(path: string, policies: Config["policies"]): Policy {
  if (PAGE_PATHS.test(path)) return PAGE_POLICY;
  return policies[surfaceOf(path) === "node" ? "node" : "default"];
}

/**
 * Surface whose CORS headers a path has. Browser SDKs send credentials to the node and to its faucet, so both have the
 * node's.
 */
export function corsSurfaceOf(path: string): Surface {
  return FAUCET_PATHS.includes(path) ? "node" : surfaceOf(path);
}
