import type { Failure } from "../http/failure.ts";

export type { LastGood } from "../swr/swr-value.ts";

/** How a read of the newest ledger was answered: by the chain, by the last good answer, or not at all. */
export type TipRead = "current" | "stale" | "unavailable";

/** Reads the newest ledger as a caller with this `request.cf` does; without one, from the home region. */
export type ReadTip = (cf: object | undefined) => Promise<TipRead>;

/** One upstream as `/api/health` shows it: a label, never its URL. Versions are decimal strings; null is unknown. */
export interface UpstreamReport {
  readonly label: string;
  readonly reachable: boolean;
  readonly ledgerVersion: string | null;
  /** Versions behind the published tip. */
  readonly lag: string | null;
  readonly breaker: "closed" | "open" | "half_open";
  /** Why what it says is not believed; null while it is. */
  readonly distrust: "wrong_chain" | "contradicts" | null;
}

/** Asks the region's shield, which asks every upstream at most once a second. Never rejects. */
export type UpstreamHealth = () => Promise<UpstreamsReport>;

export interface UpstreamsReport {
  readonly upstreams: readonly UpstreamReport[];
  /** When the chain behind the upstreams was last found to be another; null when it never was. */
  readonly chainReplacedAtMs: number | null;
}

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
