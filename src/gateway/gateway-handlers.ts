import type { AdmittedContext, AdmittedRoute } from "../admission.ts";
import { BoundedMap } from "../base/memo.ts";
import { ENDPOINTS, type Endpoint } from "../chain/endpoints.ts";
import { clientHeadersOf } from "../chain/ledger-headers.ts";
import type { LargeBody } from "../http/body.ts";
import type { Failure, NodeFailure } from "../http/failure.ts";
import type { Outcome, RequestContext } from "../http/handler.ts";
import { locationHintOf, type Region } from "../placement/location-hint.ts";
import type { Gateway, GatewayResult, TipOffer } from "./gateway.ts";
import type { NodeRequest } from "./model/node-types.ts";
import { maxBodyBytes, type ReadBody } from "./request/body.ts";
import { canonicalRequest } from "./request/canonical-request.ts";
import { type ReplyOptions, replyOf } from "./response-headers.ts";

interface NodeRouteOptions extends ReplyOptions {
  readonly readBody: ReadBody;
  /** Streams a body with a declared length, so that the caller can detect a truncation. */
  readonly withLength: (body: LargeBody) => ReadableStream<Uint8Array>;
}

/** Makes routes of the documented endpoints. As on the node, the root also matches with a trailing slash. */
export function nodeRoutes(gateway: Gateway, options: NodeRouteOptions): AdmittedRoute[] {
  const rows = ENDPOINTS.map((endpoint): AdmittedRoute => {
    const { method, path } = endpoint;
    return { method, path, handler: (context) => answerRequest(endpoint, gateway, options, context) };
  });
  return [...rows, ...rows.filter(({ path }) => path === "/v1").map((row) => ({ ...row, path: "/v1/" }))];
}

async function answerRequest(
  endpoint: Endpoint,
  gateway: Gateway,
  options: NodeRouteOptions,
  context: AdmittedContext,
): Promise<Outcome> {
  const { request, admission, requestId, waitUntil } = context;
  const { id, mode, body: kind } = endpoint;
  const denied = admission.cachedRefusal();
  if (denied !== null) {
    if (kind !== "none") await options.readBody(request, 0, { key: admission.key });
    return denied;
  }
  const offer = kind === "none" ? undefined : gateway.countAndOfferTip({ mode, endpoint: id, params: {} }, admission);
  const body = offer === undefined ? null : await countedBody(endpoint, options, context, offer);
  if (body !== null && "kind" in body) return body;
  const target = await targetOf(endpoint, context, body);
  if ("kind" in target) return target;
  const region = (): Region => locationHintOf(request.cf);
  const located = await gateway.answer(target, { region, admission, requestId, waitUntil }, offer);
  return located.kind === "found" ? outcomeOf(located, context.method, options) : located;
}

/**
 * Reads the body of a request that is counted first. A read's body is small: it is read while the limiter decides, and
 * dropped if the request is refused.
 */
async function countedBody(
  endpoint: Endpoint,
  { readBody }: NodeRouteOptions,
  { request, admission: { key } }: AdmittedContext,
  offer: TipOffer,
): Promise<Uint8Array | LargeBody | Failure> {
  const stop = new AbortController();
  const refusalWhenKnown = offer.decision.then(({ refusal }) => {
    if (refusal !== null) stop.abort();
    return refusal;
  });
  const refusal = endpoint.mode === "read" ? null : await refusalWhenKnown;
  if (refusal === null) return readBody(request, maxBodyBytes(endpoint), { key, refused: stop.signal });
  await readBody(request, 0, { key });
  return refusal;
}

/** Canonical requests by request line. */
const requestsByLine = new BoundedMap<string, NodeRequest>(2_048);
const MAX_LINE_CHARACTERS = 512;

async function targetOf(
  endpoint: Endpoint,
  { request, path, params, query }: RequestContext,
  body: NodeRequest["body"],
): Promise<NodeRequest | NodeFailure> {
  const accept = request.headers.get("Accept");
  const line = endpoint.mode === "read" && body === null ? `${path}?${query} ${accept}` : null;
  const cached = line === null ? undefined : requestsByLine.peek(line);
  if (cached !== undefined) return cached;
  const contentType = request.headers.get("Content-Type");
  const canonical = await canonicalRequest({ endpoint, params, query, accept, contentType, body });
  const isShared = endpoint.mode === "read" || "kind" in canonical;
  const target = isShared ? canonical : { ...canonical, clientHeaders: clientHeadersOf(request.headers) };
  if (line !== null && line.length <= MAX_LINE_CHARACTERS && !("kind" in target)) requestsByLine.set(line, target);
  return target;
}

async function outcomeOf(served: GatewayResult, method: string, options: NodeRouteOptions): Promise<Outcome> {
  const reply = replyOf(served, options);
  const { large } = served.value;
  if (large === undefined) return reply;
  if (method !== "HEAD") return { ...reply, body: options.withLength(large) };
  await large.stream.cancel();
  return reply;
}
