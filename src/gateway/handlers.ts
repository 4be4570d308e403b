import { parseUnsigned } from "../chain/integer.ts";
import { JSON_TYPE } from "../chain/media-types.ts";
import type { TipRead } from "../chain/upstream-report.ts";
import type { ReadView, ViewCall } from "../chain/view.ts";
import type { NodeFailure } from "../http/failure.ts";
import type { Handler, Outcome, RequestContext } from "../http/handler.ts";
import { parseJson } from "../json.ts";
import { BoundedMap } from "../memo.ts";
import { locationHintOf, type Region } from "../placement/location-hint.ts";
import type { EarlyAdmission, Gateway } from "./gateway.ts";
import { NO_CALLER } from "./no-caller.ts";
import type { LargeBody, NodeRequest } from "./node-types.ts";
import { canonicalRequest } from "./request/canonical-request.ts";
import { ENDPOINTS, type Endpoint, VIEW } from "./request/endpoints.ts";
import { invalidInput } from "./request/node-errors.ts";
import { maxBodyBytes, type ReadBody } from "./request/read-body.ts";
import { type ReplyOptions, replyOf } from "./response-headers.ts";
import { LEDGER_INFO } from "./upstream/pool.ts";

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
  const rows = ENDPOINTS.map((endpoint) => row(endpoint, gateway, options));
  return [...rows, ...rows.filter(({ path }) => path === "/v1").map((found) => ({ ...found, path: "/v1/" }))];
}

function row(endpoint: Endpoint, gateway: Gateway, options: NodeRouteOptions): GatewayRoute {
  return {
    method: endpoint.method,
    path: endpoint.path,
    handler: (context) => answerRequest(endpoint, gateway, options, context),
  };
}

async function answerRequest(
  endpoint: Endpoint,
  gateway: Gateway,
  options: NodeRouteOptions,
  context: RequestContext,
): Promise<Outcome> {
  const { request, admission } = context;
  const denied = admission.knownRefusal();
  if (denied !== null) {
    if (endpoint.body !== "none") await options.readBody(request, 0);
    return denied;
  }
  const minVersion = readMinVersion(request.headers.get("X-Min-Ledger-Version"));
  if (typeof minVersion === "object" && minVersion !== null) return minVersion;
  // Up to 8 MiB, and never answered from a cache: kept only once the limiter has admitted the request.
  const isEarly = endpoint.body !== "none" && endpoint.mode !== "read";
  const early = isEarly ? await gateway.admitEarly({ mode: endpoint.mode, endpoint: endpoint.id }, admission) : null;
  if (early !== null && early.refusal !== null) {
    await options.readBody(request, 0);
    return early.refusal;
  }
  const prepared = { endpoint, context, minVersion, early };
  if (endpoint.body === "none") return answerWith(null, prepared, gateway, options);
  const body = await options.readBody(request, maxBodyBytes(endpoint));
  return "kind" in body ? body : answerWith(body.bytes, prepared, gateway, options).finally(body.release);
}

/** A request whose body may be used. */
interface Prepared {
  readonly endpoint: Endpoint;
  readonly context: RequestContext;
  readonly minVersion: bigint | null;
  readonly early: EarlyAdmission | null;
}

async function answerWith(
  body: Uint8Array | null,
  { endpoint, context, minVersion, early }: Prepared,
  gateway: Gateway,
  options: NodeRouteOptions,
): Promise<Outcome> {
  const { request, params, query, requestId, waitUntil, admission } = context;
  const [accept, contentType] = [request.headers.get("Accept"), request.headers.get("Content-Type")];
  const line = body === null ? `${context.path}?${query} ${accept}` : null;
  const known = line === null ? undefined : knownLines.get(line);
  const target = known ?? (await canonicalRequest({ endpoint, params, query, accept, contentType, body }));
  if ("kind" in target) return target;
  if (line !== null && known === undefined) rememberLine(line, target);
  const region = locationHintOf(request.cf);
  const served = await gateway.answer(target, { region, admission, minVersion, requestId, waitUntil }, early);
  if (served.kind !== "served") return served;
  const reply = replyOf(served, options);
  const { large } = served.value;
  if (large === undefined) return reply;
  if (context.method !== "HEAD") return { ...reply, body: options.passOn(large, waitUntil) };
  await large.stream.cancel();
  return reply;
}

/** Canonical requests by request line. */
const knownLines = new BoundedMap<string, NodeRequest>(2_048);
const MAX_LINE_CHARACTERS = 512;

function rememberLine(line: string, target: NodeRequest): void {
  if (line.length <= MAX_LINE_CHARACTERS) knownLines.set(line, target);
}

function readMinVersion(text: string | null): bigint | null | NodeFailure {
  if (text === null) return null;
  const version = parseUnsigned(text, "u64");
  return version ?? invalidInput("X-Min-Ledger-Version must be a ledger version: a decimal number up to 2^64 - 1");
}

/** Views without a caller, for figures read from the chain. */
export function readViewOver(gateway: Gateway, region: () => Region): ReadView {
  return async (call) => {
    const request = await canonicalRequest(viewRequest(call));
    if ("kind" in request) return { kind: "refused", status: request.status };
    const context = {
      region: region(),
      admission: NO_CALLER,
      minVersion: null,
      requestId: "internal",
      waitUntil: ignore,
    };
    const result = await gateway.answer(request, context);
    if (result.kind !== "served") return { kind: "unavailable" };
    const { value, ageMs } = result;
    await value.large?.stream.cancel();
    const values = value.status === 200 ? parseJson(new TextDecoder().decode(value.body)) : undefined;
    if (!Array.isArray(values)) return { kind: "refused", status: value.status };
    const ledgerVersion = value.ledger?.version ?? null;
    return { kind: "returned", values, ledgerVersion, ageSeconds: Math.floor(ageMs / 1_000) };
  };
}

function viewRequest(call: ViewCall): Parameters<typeof canonicalRequest>[0] {
  const body = { function: call.function, type_arguments: call.typeArguments, arguments: call.arguments };
  return {
    endpoint: VIEW,
    params: {},
    query: call.ledgerVersion === null ? "" : `ledger_version=${call.ledgerVersion}`,
    accept: JSON_TYPE,
    contentType: JSON_TYPE,
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}

function ignore(): void {}

/** Reads the ledger like a caller in that region. */
export function readTipOver(gateway: Gateway, region: Region): () => Promise<TipRead> {
  return async () => {
    const context = { region, admission: NO_CALLER, minVersion: null, requestId: "internal", waitUntil: ignore };
    const result = await gateway.answer(LEDGER_INFO, context);
    if (result.kind !== "served" || result.value.status !== 200) return "unavailable";
    return result.source === "stale" ? "stale" : "current";
  };
}
