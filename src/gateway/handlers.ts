import { parseUnsigned } from "../chain/integer.ts";
import type { Failure, NodeFailure } from "../http/failure.ts";
import type { Handler, Outcome, RequestContext } from "../http/handler.ts";
import { BoundedMap } from "../memo.ts";
import { locationHintOf } from "../placement/location-hint.ts";
import type { Gateway } from "./gateway.ts";
import type { LargeBody, NodeRequest } from "./node-types.ts";
import { canonicalRequest } from "./request/canonical-request.ts";
import { ENDPOINTS, type Endpoint } from "./request/endpoints.ts";
import { invalidInput } from "./request/node-errors.ts";
import { maxBodyBytes, type ReadBody } from "./request/read-body.ts";
import { type GatewayResult, type ReplyOptions, replyOf } from "./response-headers.ts";

export interface GatewayRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly handler: Handler;
}

export interface NodeRouteOptions extends ReplyOptions {
  readonly readBody: ReadBody;
  /** A body with a declared length, so that the caller can detect a truncation. */
  readonly passOn: (body: LargeBody, waitUntil: RequestContext["waitUntil"]) => ReadableStream<Uint8Array>;
}

/** The documented endpoints as routes; like on the node, the root also matches with a trailing slash. */
export function nodeRoutes(gateway: Gateway, options: NodeRouteOptions): GatewayRoute[] {
  const rows = ENDPOINTS.map((endpoint): GatewayRoute => {
    const { method, path } = endpoint;
    return { method, path, handler: (context) => answerRequest(endpoint, gateway, options, context) };
  });
  return [...rows, ...rows.filter(({ path }) => path === "/v1").map((found) => ({ ...found, path: "/v1/" }))];
}

async function answerRequest(
  endpoint: Endpoint,
  gateway: Gateway,
  options: NodeRouteOptions,
  context: RequestContext,
): Promise<Outcome> {
  const { request, admission, requestId, waitUntil } = context;
  const refuse = async (refusal: Failure): Promise<Outcome> => {
    if (endpoint.body !== "none") await options.readBody(request, 0);
    return refusal;
  };
  const denied = admission.knownRefusal();
  if (denied !== null) return refuse(denied);
  const minVersion = readMinVersion(request.headers.get("X-Min-Ledger-Version"));
  if (typeof minVersion === "object" && minVersion !== null) return minVersion;
  // Up to 8 MiB, and never answered from a cache: kept only once the limiter has admitted the request.
  const isEarly = endpoint.body !== "none" && endpoint.mode !== "read";
  const early = isEarly ? await gateway.admitEarly({ mode: endpoint.mode, endpoint: endpoint.id }, admission) : null;
  if (early !== null && early.refusal !== null) return refuse(early.refusal);
  const answer = async (body: Uint8Array | null): Promise<Outcome> => {
    const target = await targetOf(endpoint, context, body);
    if ("kind" in target) return target;
    const region = locationHintOf(request.cf);
    const served = await gateway.answer(target, { region, admission, minVersion, requestId, waitUntil }, early);
    return served.kind === "served" ? outcomeOf(served, context, options) : served;
  };
  if (endpoint.body === "none") return answer(null);
  const body = await options.readBody(request, maxBodyBytes(endpoint));
  return "kind" in body ? body : answer(body.bytes).finally(body.release);
}

/** Canonical requests by request line. */
const knownLines = new BoundedMap<string, NodeRequest>(2_048);
const MAX_LINE_CHARACTERS = 512;

async function targetOf(
  endpoint: Endpoint,
  { request, path, params, query }: RequestContext,
  body: Uint8Array | null,
): Promise<NodeRequest | NodeFailure> {
  const [accept, contentType] = [request.headers.get("Accept"), request.headers.get("Content-Type")];
  const line = body === null ? `${path}?${query} ${accept}` : null;
  const known = line === null ? undefined : knownLines.get(line);
  if (known !== undefined) return known;
  const target = await canonicalRequest({ endpoint, params, query, accept, contentType, body });
  if (line !== null && line.length <= MAX_LINE_CHARACTERS && !("kind" in target)) knownLines.set(line, target);
  return target;
}

async function outcomeOf(
  served: GatewayResult,
  { method, waitUntil }: RequestContext,
  options: NodeRouteOptions,
): Promise<Outcome> {
  const reply = replyOf(served, options);
  const { large } = served.value;
  if (large === undefined) return reply;
  if (method !== "HEAD") return { ...reply, body: options.passOn(large, waitUntil) };
  await large.stream.cancel();
  return reply;
}

function readMinVersion(text: string | null): bigint | null | NodeFailure {
  if (text === null) return null;
  const version = parseUnsigned(text, "u64");
  return version ?? invalidInput("X-Min-Ledger-Version must be a ledger version: a decimal number up to 2^64 - 1");
}
