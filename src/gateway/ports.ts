import type { TipRead, UpstreamsReport } from "../chain/upstream-report.ts";
import type { Failure } from "../http/failure.ts";

/** Reads the newest ledger like a caller with this `request.cf`; without one, from the home region. */
export type ReadTip = (cf: object | undefined) => Promise<TipRead>;

/** Never rejects. */
export type UpstreamHealth = () => Promise<UpstreamsReport>;

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
