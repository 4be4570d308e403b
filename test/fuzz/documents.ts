import nodeDocument from "../../openapi/node.json" with { type: "json" };
import publicDocument from "../../openapi/public.json" with { type: "json" };
import { undocumented } from "../support/documented.ts";
import type { Surface } from "./check-response.ts";
import { type RawRequest, sent } from "./raw-request.ts";
import type { Answer } from "./wire.ts";

/** Checks documented operations against their document; all others must be refused. */
export function documentFaults(request: RawRequest, path: string, surface: Surface, answer: Answer): string[] {
  const { status, fields, body } = answer;
  const document = surface === "node" ? nodeDocument : publicDocument;
  const operation = surface === "faucet" ? undefined : operationOf(document.paths, path);
  if (operation === undefined) {
    const known = surface === "faucet" || path === "/.well-known/api-catalog";
    return known || status === 404 || status === 429 || status === 400 ? [] : [`status ${status} where nothing is`];
  }
  const [template, methods] = operation;
  const method = request.method === "HEAD" ? "get" : request.method.toLowerCase();
  if (request.method === "OPTIONS") return [204, 400].includes(status) ? [] : [`status ${status} to a preflight`];
  if (!methods.includes(method))
    return [400, 405, 429].includes(status) ? [] : [`status ${status} to ${request.method}`];
  // The node's document lacks the 304 that the edge answers to conditional requests (RFC 9110 section 13).
  if (status === 304 && surface === "node" && isConditional(request)) return [];
  const field = (name: string): string | null => fields.get(name.toLowerCase())?.join(", ") ?? null;
  return undocumented(document, request.method, template, { status, field, text: body.toString("utf8") });
}

function isConditional(raw: RawRequest): boolean {
  const calls = sent(raw, "if-none-match") ?? sent(raw, "if-modified-since");
  return calls !== null && (raw.method === "GET" || raw.method === "HEAD");
}

function operationOf(paths: Record<string, object>, path: string): [string, string[]] | undefined {
  // The node's root answers with and without a slash, because SDKs use both.
  const asked = path === "/v1/" ? "/v1" : path;
  const fits = (template: string): boolean =>
    new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`, "s").test(asked);
  // A fixed path before one with parameters: by_hash is not a hash.
  const found = Object.keys(paths)
    .sort((a, b) => a.split("{").length - b.split("{").length)
    .find(fits);
  return found === undefined ? undefined : [found, Object.keys(paths[found] ?? {})];
}
