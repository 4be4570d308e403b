import type { Failure } from "../http/failure.ts";
import type { Log } from "../log.ts";
import { type Loader, loadError } from "../swr/loader.ts";
import type { PoolFilter } from "./defillama.ts";
import { ListingReader } from "./listing.ts";
import type { Product } from "./product.ts";

/**
 * One GET of the configured listing, with a deadline for head and body. The body of a response with status 200 is
 * passed to `take` as it arrives, until that returns false. Never rejects.
 */
export type FetchListing = (
  limits: { readonly deadlineMs: number; readonly maxBytes: number },
  take: (chunk: Uint8Array) => boolean,
) => Promise<{ readonly kind: "answer"; readonly status: number } | Failure>;

export interface SourceSettings {
  readonly fetchListing: FetchListing;
  readonly filter: PoolFilter;
  readonly samplesAllowed: boolean;
  readonly log: Log;
}

/** A page waits for this at most once, on a cold start; the public listing is some 15 MB. */
const LIMITS = { deadlineMs: 10_000, maxBytes: 32 * 1_048_576 };
/** Public listings are updated every hour; a rate that is not updated for two hours is marked stale. */
const CURRENT_SECONDS = 7_200;

/** Loads the listing. Invalid rows are logged by reason; a listing without a valid row is an error. */
export function listingSource({
  fetchListing,
  filter,
  samplesAllowed,
  log,
}: SourceSettings): Loader<readonly Product[]> {
  return async (nowMs) => {
    const terms = { observedAtMs: nowMs, currentSeconds: CURRENT_SECONDS, samplesAllowed, filter };
    const reader = new ListingReader(terms);
    const answer = await fetchListing(LIMITS, (chunk) => reader.push(chunk));
    if (answer.kind !== "answer") return loadError("the listing does not answer");
    if (answer.status !== 200) return loadError(`the listing answers ${answer.status}`);
    const products = reader.end();
    if (reader.dropped.size > 0) {
      const rows = [...reader.dropped.values()].reduce((total, count) => total + count, 0);
      log("rates_rows_dropped", { rows, reasons: Object.fromEntries([...reader.dropped].slice(0, 20)) });
    }
    if ("kind" in products) return loadError(`the listing is unusable: ${products.reason}`);
    return { kind: "observed", value: products, observedAtMs: nowMs };
  };
}
