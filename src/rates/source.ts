import type { Log } from "../base/log.ts";
import { type LoadError, loadError } from "../swr/loader.ts";
import type { FetchListing } from "./fetch-listing.ts";
import { gateListing, type ListingMemory } from "./gate.ts";
import { ListingReader, type ListingTerms } from "./listing.ts";

export interface SourceSettings extends Omit<ListingTerms, "observedAtMs"> {
  readonly fetchListing: FetchListing;
  /** Factor by which an APY may change at once. A larger change awaits confirmation for `confirmSeconds`. */
  readonly stepFactor: number;
  readonly confirmSeconds: number;
  readonly log: Log;
}

/** Most reasons in one log line. */
const MAX_LOGGED = 20;

/**
 * Reads the listing and returns the new memory, and an error if this reading has no products. Invalid rows are logged
 * by reason; a listing without a valid row is an error.
 */
export async function readListing(
  settings: SourceSettings,
  before: ListingMemory,
  nowMs: number,
): Promise<{ readonly memory: ListingMemory; readonly error: LoadError | null }> {
  const { fetchListing, stepFactor, confirmSeconds } = settings;
  const failure = (reason: string) => ({ memory: before, error: loadError(reason) });
  const reader = new ListingReader({ ...settings, observedAtMs: nowMs });
  const status = await fetchListing((chunk) => reader.push(chunk));
  if (status === undefined) return failure("the listing does not answer");
  if (status !== 200) return failure(`the listing answers ${status}`);
  const products = reader.end();
  logDropped(reader, settings.log);
  if ("kind" in products) return failure(`the listing is unusable: ${products.reason}`);
  const { value, ...remembered } = gateListing(products, before, nowMs, stepFactor, confirmSeconds * 1_000);
  if (value.length > 0)
    return { memory: { good: { kind: "observed", value, observedAtMs: nowMs }, ...remembered }, error: null };
  return { memory: { ...before, ...remembered }, error: loadError("every rate of the listing awaits confirmation") };
}

function logDropped({ dropped, firstDropped }: ListingReader, log: Log): void {
  if (dropped.size === 0) return;
  const rows = [...dropped.values()].reduce((total, count) => total + count, 0);
  const [reasons, first] = [dropped, firstDropped].map((each) => Object.fromEntries([...each].slice(0, MAX_LOGGED)));
  log("rates_rows_dropped", { rows, reasons, first });
}
