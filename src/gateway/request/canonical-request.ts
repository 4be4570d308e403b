import { BCS_TYPE, JSON_TYPE } from "../../chain/media-types.ts";
import { hexByte, sha256 } from "../../hash/sha256.ts";
import { namedMediaType } from "../../http/content-negotiation.ts";
import type { NodeFailure } from "../../http/failure.ts";
import type { NodeRequest } from "../node-types.ts";
import { type CanonicalBody, canonicalBody } from "./canonical-body.ts";
import type { Endpoint, Mode } from "./endpoints.ts";
import { type Params, readPathParams, readQueryParams } from "./parameters.ts";

/** A request to a documented endpoint, as received. */
export interface NodeCall {
  readonly endpoint: Endpoint;
  /** Path parameters, not percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  readonly accept: string | null;
  readonly contentType: string | null;
  readonly body: Uint8Array | null;
}

const OFFERED = [JSON_TYPE, BCS_TYPE] as const;

/** Validates a request as the node would and converts it to its canonical form. */
export async function canonicalRequest(call: NodeCall): Promise<NodeRequest | NodeFailure> {
  const { endpoint } = call;
  const pathParams = readPathParams(call.params);
  if (isFailure(pathParams)) return pathParams;
  const queryParams = readQueryParams(call.query, endpoint.query);
  if (isFailure(queryParams)) return queryParams;
  const sent = canonicalBody(endpoint.body, call.contentType, call.body);
  if ("kind" in sent) return sent;
  const path = canonicalPath(endpoint.path, pathParams, queryParams);
  const accept = namedMediaType(call.accept, OFFERED) === BCS_TYPE ? "bcs" : "json";
  return {
    endpoint: endpoint.id,
    mode: endpoint.mode,
    method: endpoint.method,
    path,
    accept,
    contentType: sent.contentType,
    body: sent.body,
    key: `${endpoint.method} ${path} ${accept} ${await bodyKey(endpoint.mode, sent)}`,
    params: { ...pathParams, ...queryParams },
  };
}

/** Only reads are cached or coalesced; for other bodies the key only selects the shard. */
async function bodyKey(mode: Mode, { contentType, body }: CanonicalBody): Promise<string> {
  if (body === null) return "";
  return mode === "read" ? `${contentType} ${await sha256(body)}` : sampleOf(body);
}

const SAMPLE_BYTES = 32;

/** A fixed number of bytes spread over the body. */
function sampleOf(body: Uint8Array): string {
  const step = Math.max(1, Math.floor(body.byteLength / SAMPLE_BYTES));
  const sample = Array.from({ length: SAMPLE_BYTES }, (_none, index) => body[index * step] ?? 0);
  return `${body.byteLength} ${sample.map(hexByte).join("")}`;
}

/** Built from parsed values: no segment reaches an upstream as the caller wrote it. */
function canonicalPath(pattern: string, pathParams: Params, queryParams: Params): string {
  const path = pattern
    .slice("/v1".length)
    .replace(/:(\w+)/g, (_whole, name: string) => escaped(pathParams[name] ?? ""));
  const pairs = Object.keys(queryParams)
    .sort()
    .map((name) => `${name}=${encodeURIComponent(queryParams[name] ?? "")}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

/** Colons are not escaped, as in public clients. */
function escaped(segment: string): string {
  return encodeURIComponent(segment).replaceAll("%3A", ":");
}

function isFailure(value: Params | NodeFailure): value is NodeFailure {
  return value["kind"] === "node";
}
