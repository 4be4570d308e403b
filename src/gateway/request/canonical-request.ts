import { BCS_TYPE, JSON_TYPE } from "../../chain/media-types.ts";
import { preferredMediaType } from "../../http/content-negotiation.ts";
import type { NodeFailure } from "../../http/failure.ts";
import type { NodeRequest } from "../node-types.ts";
import { canonicalBody } from "./canonical-body.ts";
import type { Endpoint } from "./endpoints.ts";
import { type Params, readPathParams, readQueryParams } from "./parameters.ts";

/** One request for a documented endpoint, as it arrived. */
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

/** Checks a request as the node would and brings it to its one canonical form. */
export async function canonicalRequest(call: NodeCall): Promise<NodeRequest | NodeFailure> {
  const { endpoint } = call;
  const inPath = readPathParams(call.params);
  if (isFailure(inPath)) return inPath;
  const inQuery = readQueryParams(call.query, endpoint.query);
  if (isFailure(inQuery)) return inQuery;
  const sent = canonicalBody(endpoint.body, call.contentType, call.body);
  if ("kind" in sent) return sent;
  const path = canonicalPath(endpoint.path, inPath, inQuery);
  const accept = preferredMediaType(call.accept, OFFERED) === OFFERED[1] ? "bcs" : "json";
  const digest = sent.body === null ? "" : `${sent.contentType} ${await sha256(sent.body)}`;
  return {
    endpoint: endpoint.id,
    mode: endpoint.mode,
    method: endpoint.method,
    path,
    accept,
    contentType: sent.contentType,
    body: sent.body,
    key: `${endpoint.method} ${path} ${accept} ${digest}`,
    params: { ...inPath, ...inQuery },
  };
}

/** Only what was parsed goes on: no segment of a caller reaches an upstream as it was typed. */
function canonicalPath(pattern: string, inPath: Params, inQuery: Params): string {
  const path = pattern.slice("/v1".length).replace(/:(\w+)/g, (_whole, name: string) => escaped(inPath[name] ?? ""));
  const pairs = Object.keys(inQuery)
    .sort()
    .map((name) => `${name}=${encodeURIComponent(inQuery[name] ?? "")}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

/** Colons stay readable, as public clients write them. */
function escaped(segment: string): string {
  return encodeURIComponent(segment).replaceAll("%3A", ":");
}

export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isFailure(value: Params | NodeFailure): value is NodeFailure {
  return value["kind"] === "node";
}
