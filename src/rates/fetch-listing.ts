import { JSON_TYPE } from "../chain/media-types.ts";
import { readChunksWithin } from "../http/body.ts";
import { isTransient, meaningOfStatus } from "../http/status-meaning.ts";

/**
 * Fetches the listing, twice if the first status is transient. Returns the status, or undefined when no complete answer
 * arrives in time. The body of a 200 is passed to `take` as it arrives, until `take` returns false. Never rejects and
 * follows no redirects.
 */
export type FetchListing = (take: (chunk: Uint8Array) => boolean) => Promise<number | undefined>;

export interface ListingPorts {
  /** Fetches the listing; undefined where the deployment has no such listing. May reject. */
  readonly fetchSource: (url: string | null, init: RequestInit) => Promise<Response | undefined>;
  readonly later: (run: () => void, delayMs: number) => void;
  readonly userAgent: string;
  /** null: the listing of the embedded node. */
  readonly url: string | null;
}

/** Deadline for headers and body together. A page waits for this at most once, on a cold start. */
const DEADLINE_MS = 10_000;
/** Most calls of the listing while its status is transient. */
const MAX_TRIES = 2;
/** Largest listing that is read; the public one has about 15 MB. */
const MAX_BYTES = 32 * 1_048_576;

/**
 * Returns a function that passes the listing's chunks to `take`. It returns the HTTP status, or undefined when there was
 * none or the body could not be read.
 */
export function listingDownloader({ fetchSource, later, userAgent, url }: ListingPorts): FetchListing {
  return async (take) => {
    const abort = new AbortController();
    later(() => abort.abort(), DEADLINE_MS);
    const headers = { Accept: JSON_TYPE, "User-Agent": userAgent };
    try {
      for (let tries = 1; ; tries += 1) {
        const response = await fetchSource(url, { redirect: "manual", signal: abort.signal, headers });
        if (response?.status === 200)
          return (await readChunksWithin(response, MAX_BYTES, abort.signal, take)) ? response.status : undefined;
        await response?.body?.cancel();
        const isTransientStatus = response !== undefined && isTransient(meaningOfStatus(response.status, null));
        if (!isTransientStatus || tries === MAX_TRIES) return response?.status;
      }
    } catch {
      return undefined;
    }
  };
}
