import { JSON_TYPE } from "../chain/media-types.ts";
import { readChunks } from "../http/body.ts";
import { isTransient, meaningOfStatus } from "../http/status-meaning.ts";

/**
 * The listing, asked for once more if its status may pass: its status, or undefined when it does not answer in time and whole. The body of a response
 * with status 200 is passed to `take` as it arrives, until that returns false. Never rejects, follows no redirects.
 */
export type FetchListing = (take: (chunk: Uint8Array) => boolean) => Promise<number | undefined>;

export interface ListingPorts {
  /** Undefined where there is no such listing. May reject. */
  readonly fetchSource: (url: string | null, init: RequestInit) => Promise<Response | undefined>;
  readonly later: (run: () => void, delayMs: number) => void;
  readonly userAgent: string;
  /** null: the embedded node's own. */
  readonly url: string | null;
}

/** For head and body: a page waits for this at most once, on a cold start. */
const DEADLINE_MS = 10_000;
/** How often it is asked for, as long as its status may pass. */
const TRIES = 2;
/** The public listing is some 15 MB. */
const MAX_BYTES = 32 * 1_048_576;

export function listingFetcher({ fetchSource, later, userAgent, url }: ListingPorts): FetchListing {
  return async (take) => {
    const abort = new AbortController();
    later(() => abort.abort(), DEADLINE_MS);
    const headers = { Accept: JSON_TYPE, "User-Agent": userAgent };
    try {
      for (let tries = 1; ; tries += 1) {
        const response = await fetchSource(url, { redirect: "manual", signal: abort.signal, headers });
        if (response?.status === 200)
          return (await readChunks(response, MAX_BYTES, abort.signal, take)) ? response.status : undefined;
        await response?.body?.cancel();
        const mayPass = response !== undefined && isTransient(meaningOfStatus(response.status, null));
        if (!mayPass || tries === TRIES) return response?.status;
      }
    } catch {
      return undefined;
    }
  };
}
