import type { Failure } from "../http/failure.ts";

export type { FigureStore } from "../swr/swr-value.ts";

/** The source of a read of the newest ledger: the chain, the last good response, or none. */
export type TipRead = "current" | "stale" | "unavailable";

/** Reads the newest ledger like a caller with this `request.cf`; without one, from the home region. */
export type ReadTip = (cf: object | undefined) => Promise<TipRead>;

/** One upstream in `/api/health`: a label, never its URL. Versions are decimal strings; null means unknown. */
export interface UpstreamReport {
  readonly label: string;
  readonly reachable: boolean;
  readonly ledgerVersion: string | null;
  /** Versions behind the published tip. */
  readonly lag: string | null;
  readonly breaker: "closed" | "open" | "half_open";
  /** Why its reports are not trusted; null while they are. */
  readonly distrust: "wrong_chain" | "contradicts" | null;
  /** It responds, but its newest ledger is outdated. */
  readonly isOutdated: boolean;
}

/** Health of the upstreams, each checked at most once a second. Never rejects. */
export type UpstreamHealth = () => Promise<UpstreamsReport>;

export interface UpstreamsReport {
  readonly upstreams: readonly UpstreamReport[];
  /** When the chain behind the upstreams was last replaced; null if never. */
  readonly chainReplacedAtMs: number | null;
}

/** A listing at a URL, or the embedded node's own (`path` on the service binding). */
export type ListingSource =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "embedded"; readonly path: string };

export interface ListingAnswer {
  readonly kind: "answer";
  readonly status: number;
}

/**
 * One GET with a deadline for head and body and a size limit. The body of a response with status 200 is passed to
 * `take` as it arrives, until that returns false. Never rejects, follows no redirects.
 */
export type FetchListing = (
  source: ListingSource,
  limits: { readonly deadlineMs: number; readonly maxBytes: number },
  take: (chunk: Uint8Array) => boolean,
) => Promise<ListingAnswer | Failure>;
