import type { Route } from "./admission.ts";
import { BoundedMap } from "./base/memo.ts";
import { type Config, PAGE_POLICY, type Policy } from "./config.ts";
import { FAUCET_PATHS } from "./gateway/faucet/faucet-handlers.ts";
import type { Surface } from "./http/failure.ts";
import { compilePath } from "./http/path-pattern.ts";

export type Match =
  | {
      readonly kind: "handler";
      readonly handler: Route["handler"];
      readonly params: Readonly<Record<string, string>>;
      /** The pattern that matched, e.g. `/v1/accounts/:address`. */
      readonly route: string;
    }
  | { readonly kind: "wrong_method"; readonly allow: readonly string[] }
  | { readonly kind: "unknown_path" };

export interface RouteTable {
  readonly match: (method: string, path: string) => Match;
  /** Methods of a path, as `Allow` lists them; empty for an unknown path. */
  readonly allow: (path: string) => readonly string[];
}

/** Shared by all paths without parameters, so that their request contexts need no copy. */
export const NO_PARAMS: Readonly<Record<string, string>> = {};

/** Paths with parameters that were read before: a popular one is not matched against every pattern again. */
const KNOWN_PATHS = 2_048;
const MAX_KNOWN_CHARACTERS = 512;

/** Fixed paths are looked up in a map; only paths with parameters are matched against patterns. */
export function routeTable(routes: readonly Route[]): RouteTable {
  const rows = routes.map((row) => ({ ...row, pattern: row.path.includes(":") ? compilePath(row.path) : null }));
  const fixed = Map.groupBy(
    rows.filter(({ pattern }) => pattern === null),
    ({ path }) => path,
  );
  const patterns = rows.filter(({ pattern }) => pattern !== null);
  const allow = (path: string): string[] => {
    const found = fixed.get(path) ?? patterns.filter(({ pattern }) => pattern?.test(path));
    return allowList(found.map(({ method }) => method));
  };
  const matchIn = (found: readonly (typeof rows)[number][], method: string, path: string): Match => {
    for (const row of found) {
      if (row.method !== method) continue;
      // A fixed path has no pattern.
      const parts = row.pattern?.exec(path);
      if (parts !== null)
        return { kind: "handler", handler: row.handler, params: parts?.groups ?? NO_PARAMS, route: row.path };
    }
    const allowed = allow(path);
    return allowed.length > 0 ? { kind: "wrong_method", allow: allowed } : { kind: "unknown_path" };
  };
  const known = new BoundedMap<string, Match>(KNOWN_PATHS);
  const match = (method: string, path: string): Match => {
    const wanted = method === "HEAD" ? "GET" : method;
    const only = fixed.get(path);
    if (only !== undefined) return matchIn(only, wanted, path);
    const before = wanted === "GET" ? known.look(path) : undefined;
    if (before !== undefined) return before;
    const found = matchIn(patterns, wanted, path);
    if (found.kind === "handler" && wanted === "GET" && path.length <= MAX_KNOWN_CHARACTERS) known.set(path, found);
    return found;
  };
  return { match, allow };
}

function allowList(methods: readonly string[]): string[] {
  if (methods.length === 0) return [];
  return ["GET", "HEAD", "POST", "OPTIONS"].filter(
    (method) => method === "OPTIONS" || methods.includes(method === "HEAD" ? "GET" : method),
  );
}

/** Paths under `/v1` use the node's error format; everything else uses the public API's. */
export function surfaceOf(path: string): Surface {
  return path === "/v1" || path.startsWith("/v1/") ? "node" : "api";
}

/** What the page and the embeds read: no reader costs a caller a request. */
const PAGE_PATHS: readonly string[] = ["/api/page", "/api/page/history"];

/** The rate limit of a path, of unknown ones too. */
export function policyOf(path: string, policies: Config["policies"]): Policy {
  if (PAGE_PATHS.includes(path)) return PAGE_POLICY;
  return policies[surfaceOf(path) === "node" ? "node" : "default"];
}

/** Browser SDKs send credentials to the node and to its faucet: both need the node's CORS headers. */
export function corsSurfaceOf(path: string): Surface {
  return FAUCET_PATHS.includes(path) ? "node" : surfaceOf(path);
}
