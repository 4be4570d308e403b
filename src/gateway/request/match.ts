import { ENDPOINTS, type Endpoint } from "./endpoints.ts";

/** The endpoint of a path of our own making, with its parameters; undefined when there is none. */
export function matchEndpoint(
  method: string,
  path: string,
): { readonly endpoint: Endpoint; readonly params: Readonly<Record<string, string>> } | undefined {
  const segments = path.split("/");
  for (const endpoint of ENDPOINTS) {
    const params = endpoint.method === method ? paramsOf(endpoint.path.split("/"), segments) : undefined;
    if (params !== undefined) return { endpoint, params };
  }
  return undefined;
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (part.startsWith(":") && segment !== "") params[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}
