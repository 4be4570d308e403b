import { JSON_TYPE } from "../chain/media-types.ts";
import { readChunks } from "../http/body.ts";
import type { Failure } from "../http/failure.ts";

/** A listing at a URL, or the embedded node's own (`path` on the service binding). */
export type ListingSource =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "embedded"; readonly path: string };

/**
 * One GET of a listing, with a deadline for head and body. The body of a response with status 200 is passed to `take`
 * as it arrives, until that returns false. Never rejects, follows no redirects.
 */
export type FetchListing = (
  limits: { readonly deadlineMs: number; readonly maxBytes: number },
  take: (chunk: Uint8Array) => boolean,
) => Promise<{ readonly kind: "answer"; readonly status: number } | Failure>;

export interface ListingPorts {
  /** Undefined where there is no such source. May reject. */
  readonly fetchSource: (source: ListingSource, init: RequestInit) => Promise<Response | undefined>;
  readonly later: (run: () => void, delayMs: number) => void;
  readonly userAgent: string;
}

const DOWN: Failure = { kind: "unavailable", message: "The listing does not answer.", retryAfterSeconds: 60 };

export function listingFetcher({ fetchSource, later, userAgent }: ListingPorts, source: ListingSource): FetchListing {
  return async ({ deadlineMs, maxBytes }, take) => {
    const abort = new AbortController();
    later(() => abort.abort(), deadlineMs);
    const headers = { Accept: JSON_TYPE, "User-Agent": userAgent };
    try {
      const response = await fetchSource(source, { redirect: "manual", signal: abort.signal, headers });
      if (response === undefined) return DOWN;
      const { status } = response;
      if (status !== 200) await response.body?.cancel();
      else if (!(await readChunks(response, maxBytes, abort.signal, take))) return DOWN;
      return { kind: "answer", status };
    } catch {
      return DOWN;
    }
  };
}
