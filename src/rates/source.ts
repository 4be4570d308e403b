import type { Log } from "../log.ts";
import { type Loader, loadError } from "../swr/loader.ts";
import type { FetchListing } from "./fetch-listing.ts";
import { gated } from "./gate.ts";
import { ListingReader, type ListingTerms } from "./listing.ts";
import type { Product } from "./product.ts";

export interface SourceSettings extends Omit<ListingTerms, "observedAtMs"> {
  readonly fetchListing: FetchListing;
  /** An APY that grows or shrinks by more than this factor is doubtful for `confirmSeconds`. */
  readonly stepFactor: number;
  readonly confirmSeconds: number;
  readonly log: Log;
}

/** Reasons in one line of the log. */
const MAX_LOGGED = 20;

/** Loads the listing. Invalid rows are logged by reason; a listing without a valid row is an error. */
export function listingSource(settings: SourceSettings): Loader<readonly Product[]> {
  const { fetchListing, stepFactor, confirmSeconds, log } = settings;
  return async (nowMs, recall) => {
    const reader = new ListingReader({ ...settings, observedAtMs: nowMs });
    const status = await fetchListing((chunk) => reader.push(chunk));
    if (status === undefined) return loadError("the listing does not answer");
    if (status !== 200) return loadError(`the listing answers ${status}`);
    const products = reader.end();
    if (reader.dropped.size > 0) {
      const rows = [...reader.dropped.values()].reduce((total, count) => total + count, 0);
      const [reasons, first] = [reader.dropped, reader.firstDropped].map((each) =>
        Object.fromEntries([...each].slice(0, MAX_LOGGED)),
      );
      log("rates_rows_dropped", { rows, reasons, first });
    }
    if ("kind" in products) return loadError(`the listing is unusable: ${products.reason}`);
    const judged = async (from?: "stored") =>
      gated(products, await recall(from), nowMs, stepFactor, confirmSeconds * 1000);
    let found = await judged();
    // Before a doubt is raised the store is read: another isolate may know better.
    if (found.doubts.size > 0) found = await judged("stored");
    if (found.value.length === 0)
      return { kind: "failure", reason: "every rate of the listing awaits confirmation", doubts: found.doubts };
    return { kind: "observed", observedAtMs: nowMs, ...found };
  };
}
