import { isRecord } from "../../src/base/json.ts";
import { ENDPOINTS } from "../../src/chain/endpoints.ts";
import { nodeAccess } from "../../src/chain/node-key.ts";
import type { ChainSettings } from "../../src/families/chain-settings.ts";
import { FIRST_LABEL } from "../../src/families/token-chain.ts";
import type { Finding } from "../lib/finding.ts";

const DEADLINE_MS = 10_000;
/**
 * Routes that the gateway leaves out: the node's own document, because ours stands at that path, and experimental
 * routes, which change.
 */
const NOT_PASSED_ON = /^\/(spec(\.\w+)?$|experimental\/|set_failpoint$)/;

/** Writes a route without the names of its parameters, so that two documents write it alike. */
const routeOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/^\/v1(?=\/|$)/, "").replace(/:\w+|\{\w+\}/g, "{}") || "/"}`;

/**
 * Lists routes of a node's document that the gateway does not pass on, as `GET /path`; undefined when it is no such
 * document.
 */
export function missingRoutes(document: unknown): string[] | undefined {
  const paths = isRecord(document) ? document["paths"] : undefined;
  if (!isRecord(paths)) return undefined;
  const known = new Set(ENDPOINTS.map(({ method, path }) => routeOf(method, path)));
  return Object.entries(paths).flatMap(([path, operations]) =>
    ["get", "post"].flatMap((method) => {
      const isMissing = isRecord(operations) && method in operations && !known.has(routeOf(method, path));
      return isMissing && !NOT_PASSED_ON.test(path.replace(/^\/v1/, "")) ? [`${method.toUpperCase()} ${path}`] : [];
    }),
  );
}

/** Warns of each route in a node's own document (`/spec.json`) that `/v1` does not pass on. */
export async function unforwardedRoutesFinding(
  { nodeUrls, nodeKeys }: Pick<ChainSettings, "nodeUrls" | "nodeKeys">,
  fetch: typeof globalThis.fetch,
): Promise<Finding> {
  const warnings = await Promise.all(
    nodeUrls.map(async (address, index) => {
      const { url, headers } = nodeAccess(address, nodeKeys[index] ?? "");
      const name = `${FIRST_LABEL}-${index + 1}`;
      const read = async () =>
        (await fetch(`${url}/spec.json`, { headers, signal: AbortSignal.timeout(DEADLINE_MS) })).json();
      const missing = missingRoutes(await read().catch(() => undefined));
      if (missing === undefined) return [`${name} does not serve a document of its routes (/spec.json)`];
      return missing.map((route) => `${name} serves ${route}, which /v1 does not pass on`);
    }),
  );
  return { is: "/v1 passes every route of the nodes on", problems: [], warnings: warnings.flat() };
}
