import type { Failure } from "../http/failure.ts";

export type { LastGood } from "../swr/swr-value.ts";

/** What a read of the chain brought back. Status and body are the node's own: a 404 is an answer, not a failure. */
export interface NodeAnswer {
  readonly kind: "answer";
  readonly status: number;
  /** Lower-case names; the node's ledger fields carry the configured prefix. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** True when every upstream is down and this is the last good answer, inside its bound. */
  readonly stale: boolean;
  /** Whole seconds since the answer was last known to be current. */
  readonly ageSeconds: number;
}

export interface NodeReadInit {
  readonly method?: "GET" | "POST";
  /** JSON text of a POST read (`/v1/view`, table items). */
  readonly body?: string;
}

/**
 * A read through the gateway with its cache, coalescing and failover, e.g. `/v1/view` or
 * `/v1/accounts/0x1/resource/0x1::coin::CoinInfo%3C...%3E`. Never rejects: no answer is a Failure.
 */
export type NodeRead = (path: string, init?: NodeReadInit) => Promise<NodeAnswer | Failure>;

/** One upstream as `/api/health` shows it: a label, never its URL. Versions are decimal strings; null is unknown. */
export interface UpstreamReport {
  readonly label: string;
  readonly reachable: boolean;
  readonly ledgerVersion: string | null;
  /** Versions behind the published tip. */
  readonly lag: string | null;
  readonly breaker: "closed" | "open" | "half_open";
}

/** Asks the region's shield, which asks every upstream at most once a second. Never rejects. */
export type UpstreamHealth = () => Promise<readonly UpstreamReport[]>;

/** A listing somewhere else, or the embedded node's own (`path` on the service binding). */
export type ListingSource =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "embedded"; readonly path: string };

export interface ListingAnswer {
  readonly kind: "answer";
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** One GET with a deadline over headers and body and a bound on the body's size. Never rejects, follows no redirect. */
export type FetchListing = (
  source: ListingSource,
  limits: { readonly deadlineMs: number; readonly maxBytes: number },
) => Promise<ListingAnswer | Failure>;
