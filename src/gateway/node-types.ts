import type { EndpointId, Mode } from "./request/endpoints.ts";
import type { Ledger } from "./tip/ledger-headers.ts";

/** One documented request to a node, checked and in its one canonical form. Plain data: it crosses to the shield. */
export interface NodeRequest {
  readonly endpoint: EndpointId;
  readonly mode: Mode;
  readonly method: "GET" | "POST";
  /** Path and query below the upstream's `/v1`; starts with a slash, or is empty for the root. */
  readonly path: string;
  readonly accept: "json" | "bcs";
  readonly contentType: string | null;
  readonly body: Uint8Array | null;
  /** Equal for two requests exactly when the node must answer them alike; also names the shard. */
  readonly key: string;
  /** Path and query parameters in canonical spelling. */
  readonly params: Readonly<Record<string, string>>;
}

/** A whole answer of a node, buffered and checked for form. */
export interface NodeResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Null when the node sent no ledger fields, as on requests that it refuses unread. */
  readonly ledger: Ledger | null;
  /** Fields with the node's prefix that belong to the body (cursor, gas used), by lower-case suffix. */
  readonly extras: Readonly<Record<string, string>>;
}

/** How long an answer stays true: for good, until the tip moves, for some seconds, or only for who asked. */
export type Retention = "immutable" | "until-tip" | "ttl" | "no-store";

/** An answer as it is kept. Carries nothing that belongs to a caller. */
export interface CachedResponse extends NodeResponse {
  readonly retention: Retention;
  /** Freshness of `immutable` and `ttl`. */
  readonly seconds: number;
  readonly storedAtMs: number;
  /** Of the chain; see {@link LedgerPoint}. A response of another epoch is of another chain. */
  readonly epoch: number;
  /** Strong, with its quotes. */
  readonly etag: string;
}
