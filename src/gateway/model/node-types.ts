import type { EndpointId, Mode } from "../../chain/endpoints.ts";
import type { LedgerPoint } from "../../chain/ledger-point.ts";
import type { LargeBody } from "../../http/body.ts";
import type { NodeFailure } from "../../http/failure.ts";
import type { Ledger } from "./ledger.ts";
import type { AttemptError } from "./outcomes.ts";

/** A documented request to a node, validated and in canonical form. Plain data, because it is sent to the shield. */
export interface NodeRequest {
  readonly endpoint: EndpointId;
  readonly mode: Mode;
  readonly method: "GET" | "POST";
  /** Path and query relative to the upstream's `/v1`; starts with a slash, or is empty for the root. */
  readonly path: string;
  readonly accept: "json" | "bcs";
  readonly contentType: string | null;
  /** Headers of the client that the node reads. A read has none, because its response is shared. */
  readonly clientHeaders?: Readonly<Record<string, string>>;
  /**
   * Body to send. A stream is a large body that is still arriving: it can be read once, so the request is sent once.
   */
  readonly body: Uint8Array | LargeBody | null;
  /** Key of a read: equal exactly when the node must answer two requests alike. Selects the shield object. */
  readonly key: string;
  /** Path and query parameters in canonical form. */
  readonly params: Readonly<Record<string, string>>;
}

/** A node's response, validated; complete and buffered, except for large bodies. */
export interface NodeResponse {
  readonly status: number;
  readonly contentType: string;
  /** Body of the response; only its first byte when the body is large. */
  readonly body: Uint8Array;
  readonly large?: LargeBody;
  /** Ledger in the response's headers. null: the node sent none, as for requests rejected by its web framework. */
  readonly ledger: Ledger | null;
  /** Headers with the node's prefix that belong to the body (cursor, gas used), by suffix. */
  readonly extras: Readonly<Record<string, string>>;
}

/** Time for which a response is valid: forever, until the tip moves, for some seconds, or for one request only. */
export type Retention = "immutable" | "until-tip" | "ttl" | "no-store";

/** A response as it is cached. Contains nothing specific to a caller. */
export interface CachedResponse extends NodeResponse {
  readonly retention: Retention;
  /** Maximum age. */
  readonly seconds: number;
  readonly storedAtMs: number;
  /** Era of the response. A response of another era belongs to another chain; see {@link LedgerPoint}. */
  readonly era: number;
  /** Point at which the response was read; null when the node reported no ledger. */
  readonly point: LedgerPoint | null;
  /** The newest point that the body reveals, at or below `point`; null when the node sent no ledger headers. */
  readonly revealed: LedgerPoint | null;
  /**
   * Whether the response is true at any point of the chain: immutable, a gas estimate, an accepted submit. No floor
   * applies to it. Its headers name the newest ledger that the caller may see instead of the one at which it was read.
   */
  readonly timeless: boolean;
  /** Strong entity tag, including its quotes. */
  readonly etag: string;
}

/** Source of a response, as `Cache-Status` (RFC 9211) reports it. */
export type ResponseSource = "memory" | "cache" | "shield" | "upstream" | "collapsed" | "stale";

/** A response with its source and age, on its way to a caller. */
export interface LocatedResponse {
  readonly kind: "found";
  readonly value: CachedResponse;
  readonly source: ResponseSource;
  readonly ageMs: number;
  /** Point recorded as seen by the caller that covers all that the response reveals; null: nothing was recorded. */
  readonly recorded: LedgerPoint | null;
  readonly attempts: readonly Attempt[];
}

/** Result when no upstream returned a usable response. */
export interface UpstreamsDown {
  readonly kind: "down";
  /** Outcome that the caller's message reports. */
  readonly why: AttemptError;
  readonly failure: NodeFailure;
  readonly attempts: readonly Attempt[];
}

/** An attempt at one upstream, for logs and metrics. */
export interface Attempt {
  readonly upstream: string;
  readonly result: "ok" | AttemptError;
  readonly milliseconds: number;
  readonly detail?: string;
}
