import { ENDPOINTS } from "../../../src/chain/endpoints.ts";
import type { NodeRequest } from "../../../src/gateway/model/node-types.ts";
import { canonicalRequest } from "../../../src/gateway/request/canonical-request.ts";
import type { NodeFailure } from "../../../src/http/failure.ts";

/** The documented endpoint of a request line, as the router finds it. */
function matchEndpoint(method: string, pathname: string) {
  for (const endpoint of ENDPOINTS) {
    const pattern = new RegExp(`^${endpoint.path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
    const found = endpoint.method === method ? pattern.exec(pathname) : null;
    if (found !== null) return { endpoint, params: { ...found.groups } };
  }
  throw new Error(`no endpoint for ${method} ${pathname}`);
}

/** The canonical form of a request line with a JSON body, or the error with which it is refused. */
export async function canonicalOf(
  method: "GET" | "POST",
  path: string,
  body: string | null = null,
  accept: string | null = "application/json",
): Promise<NodeRequest | NodeFailure> {
  const [pathname = "", query = ""] = path.split("?", 2);
  const bytes = body === null ? null : new TextEncoder().encode(body);
  const contentType = body === null ? null : "application/json";
  return canonicalRequest({ ...matchEndpoint(method, pathname), query, accept, contentType, body: bytes });
}

export async function requestFor(...line: Parameters<typeof canonicalOf>): Promise<NodeRequest> {
  const request = await canonicalOf(...line);
  if ("kind" in request) throw new Error(request.message);
  return request;
}
