import type { EndpointId, Mode } from "../../chain/endpoints.ts";
import type { LedgerPoint } from "../../chain/ledger-point.ts";
import type { LargeBody } from "../../http/body.ts";
import type { NodeFailure } from "../../http/failure.ts";
import type { Ledger } from "./ledger.ts";
import type { AttemptError } from "./outcomes.ts";

/** One documented request to a node, validated and in canonical form. Plain data: it is sent to the shield. */
export interface NodeRequest {
  readonly endpoint: EndpointId;
  readonly mode: Mode;
  readonly method: "GET" | "POST";
  /** Path and query relative to the upstream's `/v1`; starts with a slash, or is empty for the root. */
  readonly path: string;
  readonly accept: "json" | "bcs";
  readonly contentType: string | null;
  /** Headers of its own client that the node reads; never of a read, whose response is shared. */
  readonly clientHeaders?: Readonly<Record<string, string>>;
  /** A stream is a large body that its sender still sends: it is read once, so the request is sent once. */
  readonly body: Uint8Array | LargeBody | null;
  /** Of a read: equal exactly when the node must answer two requests alike. Selects the shield object. */
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
  /** Headers with the node's prefix that belong to the body (cursor, gas used), by suffix. */
  readonly extras: Readonly<Record<string, string>>;
}

/** How long a response is valid: forever, until the tip moves, for some seconds, or for one request only. */
export type Retention = "immutable" | "until-tip" | "ttl" | "no-store";

/** A response as it is cached. Contains nothing specific to a caller. */
export interface CachedResponse extends NodeResponse {
  readonly retention: Retention;
  /** Maximum age. */
  readonly seconds: number;
  readonly storedAtMs: number;
  /** A response of another era belongs to another chain; see {@link LedgerPoint}. */
  readonly era: number;
  /** Where it was read; null when the node reported no ledger. */
  readonly point: LedgerPoint | null;
  /** What its body reveals of the chain, at or below where it was read; null when the node reported no ledger. */
  readonly revealed: LedgerPoint | null;
  /**
   * True at any point of the chain: immutable, a gas estimate, an accepted submit. No floor applies, and its headers
   * name the newest ledger that its caller may see instead of the one that it was read at.
   */
  readonly timeless: boolean;
  /** Strong, including its quotes. */
  readonly etag: string;
}

/** The source of a response, as reported in `Cache-Status` (RFC 9211). */
export type ResponseSource = "memory" | "cache" | "shield" | "upstream" | "collapsed" | "stale";

/** A response on its way to a caller. */
export interface LocatedResponse {
  readonly kind: "found";
  readonly value: CachedResponse;
  readonly source: ResponseSource;
  readonly ageMs: number;
  /** The point, recorded as seen by the caller, that covers all that the response reveals; null when none was. */
  readonly recorded: LedgerPoint | null;
  readonly attempts: readonly Attempt[];
}

/** No upstream returned a usable response. */
export interface UpstreamsDown {
  readonly kind: "down";
  /** The outcome that the caller is told of. */
  readonly why: AttemptError;
  readonly failure: NodeFailure;
  readonly attempts: readonly Attempt[];
}

/** One attempt at one upstream, for logs and metrics. */
export interface Attempt {
  readonly upstream: string;
  readonly result: "ok" | AttemptError;
  readonly milliseconds: number;
  readonly detail?: string;
}
