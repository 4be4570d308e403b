import type { Log } from "../log.ts";
import { type Loader, loadError, type Sample, type Seen } from "../swr/loader.ts";
import type { PoolFilter } from "./defillama.ts";
import type { FetchListing } from "./fetch-listing.ts";
import { isWithinFactor, judgeAll, type Question } from "./gate.ts";
import { ListingReader } from "./listing.ts";
import { unitsOf } from "./percent.ts";
import { CURRENT_SECONDS, type Product } from "./product.ts";

export interface SourceSettings {
  readonly fetchListing: FetchListing;
  readonly filter: PoolFilter;
  readonly samplesAllowed: boolean;
  /** An APY that grows or shrinks by more than this factor is doubtful for `confirmSeconds`. */
  readonly stepFactor: number;
  readonly confirmSeconds: number;
  readonly log: Log;
}

/** A page waits for this at most once, on a cold start; the public listing is some 15 MB. */
const LIMITS = { deadlineMs: 10_000, maxBytes: 32 * 1_048_576 };

/** Loads the listing. Invalid rows are logged by reason; a listing without a valid row is an error. */
export function listingSource(settings: SourceSettings): Loader<readonly Product[]> {
  const { fetchListing, filter, samplesAllowed, stepFactor, confirmSeconds, log } = settings;
  return async (nowMs, recall) => {
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
    const { best, verdicts, doubts } = await judgeAll(
      recall,
      (known) => apyQuestions(products, nowMs, known.best, stepFactor),
      confirmSeconds * 1000,
    );
    const lastGood = new Map(best?.value.map((product) => [product.id, product]));
    // A doubtful product without a last good rate is left out.
    const value = products.flatMap((product) =>
      verdicts.get(product.id)?.kind === "doubtful" ? (lastGood.get(product.id) ?? []) : product,
    );
    if (value.length === 0) return loadError("every rate of the listing awaits confirmation", doubts);
    return { kind: "observed", value, observedAtMs: nowMs, doubts };
  };
}

/** One question for each APY: one without a last good one may be as far above the others as any may rise. */
function apyQuestions(
  products: readonly Product[],
  nowMs: number,
  best: Sample<readonly Product[]> | undefined,
  factor: number,
): ReadonlyMap<string, Question> {
  if (best === undefined) return new Map();
  const last = new Map(best.value.flatMap(({ id, apy }) => (apy === null ? [] : [[id, unitsOf(apy)] as const])));
  const highest = [...last.values()].reduce((max, value) => (value > max ? value : max), 0n);
  return new Map(
    products.flatMap(({ id, apy }): [string, Question][] => {
      if (apy === null) return [];
      const seen: Seen = { value: unitsOf(apy), atMs: nowMs };
      const lastValue = last.get(id);
      const isNear: Question["isNear"] = (reference) =>
        reference === undefined
          ? seen.value <= highest * BigInt(factor)
          : isWithinFactor(seen.value, reference.value, factor);
      const known = lastValue === undefined ? undefined : { value: lastValue, atMs: best.observedAtMs };
      return [[id, { seen, last: known, isNear }]];
    }),
  );
}
