import type { EndpointId, Mode } from "./request/endpoints.ts";
import type { Ledger } from "./tip/ledger-headers.ts";

/** One documented request to a node, validated and in canonical form. Plain data: it is sent to the shield. */
export interface NodeRequest {
  readonly endpoint: EndpointId;
  readonly mode: Mode;
  readonly method: "GET" | "POST";
  /** Path and query relative to the upstream's `/v1`; starts with a slash, or is empty for the root. */
  readonly path: string;
  readonly accept: "json" | "bcs";
  readonly contentType: string | null;
  readonly body: Uint8Array | null;
  /** Equal exactly when the node must answer two requests alike; also selects the shard. */
  readonly key: string;
  /** Path and query parameters in canonical form. */
  readonly params: Readonly<Record<string, string>>;
}

/** A node's response, validated; complete and buffered, except for large bodies. */
export interface NodeResponse {
  readonly status: number;
  readonly contentType: string;
  /** Only its first byte when the body is large. */
  readonly body: Uint8Array;
  readonly large?: LargeBody;
  /** Null when the node sent no ledger headers, as for requests rejected by its web framework. */
  readonly ledger: Ledger | null;
  /** Headers with the node's prefix that belong to the body (cursor, gas used), by lower-case suffix. */
  readonly extras: Readonly<Record<string, string>>;
}

/** A body too large to be buffered: it is read once, by one caller, and ends with an error when it is truncated. */
export interface LargeBody {
  /** In bytes, of all of it. */
  readonly length: number;
  readonly stream: ReadableStream<Uint8Array>;
}

/** How long a response is valid: forever, until the tip moves, for some seconds, or for one request only. */
export type Retention = "immutable" | "until-tip" | "ttl" | "no-store";

/** A response as it is cached. Contains nothing specific to a caller. */
export interface CachedResponse extends NodeResponse {
  readonly retention: Retention;
  /** Maximum age. */
  readonly seconds: number;
  readonly storedAtMs: number;
  /** Epoch of the chain; see {@link LedgerPoint}. A response of another epoch belongs to another chain. */
  readonly epoch: number;
  /** Strong, including its quotes. */
  readonly etag: string;
}
