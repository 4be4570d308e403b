import { applyConditional } from "../http/conditional.ts";
import type { NodeFailure } from "../http/failure.ts";
import type { Handler, Outcome, RequestContext } from "../http/handler.ts";
import { locationHintOf, type Region } from "../placement/location-hint.ts";
import type { Gateway } from "./gateway.ts";
import type { NodeRequest } from "./node-types.ts";
import type { NodeRead } from "./ports.ts";
import { canonicalRequest } from "./request/canonical-request.ts";
import { ENDPOINTS, type Endpoint } from "./request/endpoints.ts";
import { matchEndpoint } from "./request/match.ts";
import { invalidInput } from "./request/node-errors.ts";
import { readRequestBody } from "./request/read-body.ts";
import { type GatewayResult, replyOf } from "./response-headers.ts";

export interface GatewayRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly handler: Handler;
}

/** The documented endpoints as routes; the root answers with a slash too, as on the node. */
export function nodeRoutes(gateway: Gateway, prefix: string): GatewayRoute[] {
  const rows = ENDPOINTS.map((endpoint) => row(endpoint, gateway, prefix));
  return [...rows, ...rows.filter(({ path }) => path === "/v1").map((found) => ({ ...found, path: "/v1/" }))];
}

function row(endpoint: Endpoint, gateway: Gateway, prefix: string): GatewayRoute {
  return { method: endpoint.method, path: endpoint.path, handler: (ask) => answerAsk(endpoint, gateway, prefix, ask) };
}

async function answerAsk(endpoint: Endpoint, gateway: Gateway, prefix: string, ask: RequestContext): Promise<Outcome> {
  const { request, params, query, requestId, waitUntil } = ask;
  const atLeast = minVersion(request.headers.get("X-Min-Ledger-Version"));
  if (typeof atLeast === "object" && atLeast !== null) return atLeast;
  const body = endpoint.body === "none" ? null : await readRequestBody(request);
  if (body !== null && "kind" in body) return body;
  const [accept, contentType] = [request.headers.get("Accept"), request.headers.get("Content-Type")];
  const line = body === null ? `${ask.path}?${query} ${accept}` : null;
  const known = line === null ? undefined : knownLines.get(line);
  const target = known ?? (await canonicalRequest({ endpoint, params, query, accept, contentType, body }));
  if ("kind" in target) return target;
  if (line !== null && known === undefined) rememberLine(line, target);
  const served = await gateway.answer(target, { region: locationHintOf(request.cf), atLeast, requestId, waitUntil });
  return served.kind === "served" ? applyConditional(replyOf(served, prefix), request) : served;
}

/** Request lines that were read before: what they mean follows from themselves alone. */
const knownLines = new Map<string, NodeRequest>();
const MAX_LINES = 2_048;
const MAX_LINE_CHARACTERS = 512;

function rememberLine(line: string, target: NodeRequest): void {
  if (line.length > MAX_LINE_CHARACTERS) return;
  if (knownLines.size >= MAX_LINES) knownLines.clear();
  knownLines.set(line, target);
}

function minVersion(text: string | null): bigint | null | NodeFailure {
  if (text === null) return null;
  return /^\d{1,20}$/.test(text) ? BigInt(text) : invalidInput("X-Min-Ledger-Version must be a ledger version");
}

/** Reads without a caller. */
export function nodeReadOver(gateway: Gateway, prefix: string, region: Region): NodeRead {
  return async (path, init = {}) => {
    const method = init.method ?? "GET";
    const [pathname = "", query = ""] = path.split("?", 2);
    const found = matchEndpoint(method, pathname);
    if (found === undefined) return { kind: "unknown_path" };
    const body = init.body === undefined ? null : new TextEncoder().encode(init.body);
    const contentType = body === null ? null : "application/json";
    const target = await canonicalRequest({ ...found, query, accept: "application/json", contentType, body });
    if ("kind" in target) return target;
    const circumstances = { region, atLeast: null, requestId: "internal", waitUntil: ignore };
    const served = await gateway.answer(target, circumstances);
    return served.kind === "served" ? asAnswer(served, prefix) : served;
  };
}

function asAnswer(served: GatewayResult, prefix: string): Awaited<ReturnType<NodeRead>> {
  const reply = replyOf(served, prefix);
  const headers = Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const { value, source, ageMs } = served;
  return {
    kind: "answer",
    status: value.status,
    headers,
    body: value.body,
    stale: source === "stale",
    ageSeconds: Math.floor(ageMs / 1_000),
  };
}

function ignore(): void {}
