import { sha256 } from "../../base/hash/sha256.ts";
import type { Endpoint } from "../../chain/endpoints.ts";
import {
  BCS_TYPE,
  essenceOf,
  JSON_TYPE,
  SIGNED_TRANSACTION_TYPES,
  VIEW_FUNCTION_TYPES,
} from "../../chain/media-types.ts";
import { accepts, namedMediaType } from "../../http/content-negotiation.ts";
import type { NodeFailure } from "../../http/failure.ts";
import type { NodeRequest } from "../model/node-types.ts";
import { wrongMediaType } from "./node-errors.ts";
import { type Params, type PathParams, readPathParams, readQueryParams } from "./parameters.ts";

/** A request to a documented endpoint, as received. */
interface NodeCall {
  readonly endpoint: Endpoint;
  /** Path parameters, not percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  readonly accept: string | null;
  readonly contentType: string | null;
  readonly body: NodeRequest["body"];
}

const READ_TYPES = [JSON_TYPE, BCS_TYPE] as const;
/** Media types of a body besides JSON; the first is the one that nodes document. */
const BCS_TYPES: Readonly<Record<Endpoint["body"], readonly string[]>> = {
  none: [],
  json: [],
  transaction: SIGNED_TRANSACTION_TYPES,
  view: VIEW_FUNCTION_TYPES,
};

/** Validates a request as the node would and converts it to its canonical form. The body is passed on byte for byte. */
export async function canonicalRequest(call: NodeCall): Promise<NodeRequest | NodeFailure> {
  const { endpoint, body } = call;
  const pathParams = readPathParams(call.params);
  if ("kind" in pathParams) return pathParams;
  const { params, verbatim } = pathParams;
  const queryParams = readQueryParams(call.query, endpoint.query);
  if (isFailure(queryParams)) return queryParams;
  const contentType = endpoint.body === "none" ? null : bodyType(endpoint, call.contentType);
  if (typeof contentType === "object" && contentType !== null) return contentType;
  const path = canonicalPath(endpoint.path, pathParams, queryParams);
  const isKeyless = Object.keys(verbatim).length > 0;
  const hasOneForm = endpoint.id === "raw_table_item";
  const isBcs = hasOneForm ? accepts(BCS_TYPE, call.accept) : namedMediaType(call.accept, READ_TYPES) === BCS_TYPE;
  const accept = isBcs ? "bcs" : "json";
  // Only reads have a body in their key, because nothing else is cached or collapsed.
  const bodyKey = body instanceof Uint8Array && endpoint.mode === "read" ? `${contentType} ${await sha256(body)}` : "";
  return {
    endpoint: endpoint.id,
    mode: isKeyless ? "compute" : endpoint.mode,
    method: endpoint.method,
    path,
    accept,
    contentType,
    body,
    key: `${endpoint.method} ${path} ${accept} ${bodyKey}`,
    params: { ...params, ...queryParams },
  };
}

function bodyType({ body }: Endpoint, contentType: string | null): string | NodeFailure {
  const media = contentType === null ? "" : essenceOf(contentType);
  const [documented = JSON_TYPE] = BCS_TYPES[body];
  if (BCS_TYPES[body].includes(media)) return documented;
  return media === JSON_TYPE ? JSON_TYPE : wrongMediaType(contentType);
}

/** Builds the path from parsed values. Only a type in an unknown form reaches an upstream as the caller wrote it. */
function canonicalPath(pattern: string, { params, verbatim }: PathParams, queryParams: Params): string {
  const path = pattern
    .slice("/v1".length)
    .replace(/:(\w+)/g, (_whole, name: string) => verbatim[name] ?? escapeSegment(params[name] ?? ""));
  // The parameters are in the order of the endpoint's table.
  const pairs = Object.entries(queryParams).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

/** Escapes a path segment, except colons, as public clients do. */
function escapeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll("%3A", ":");
}

function isFailure(value: Params | NodeFailure): value is NodeFailure {
  return value["kind"] === "node";
}
