import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { poolFilter } from "../../src/rates/defillama.ts";
import { parseMapping } from "../../src/rates/file/parse-mapping.ts";
import { ListingReader } from "../../src/rates/listing.ts";
import type { RatesMapping, RatesMappingFile } from "../../src/rates/mapping.ts";
import { Refusal } from "../lib/command-line.ts";
import { displayPath } from "../lib/display-path.ts";

/** Mapping of a listing with what it makes of the recorded answer. */
export interface CheckedMapping extends RatesMappingFile {
  /** Ids of the products in the recorded answer. */
  readonly products: readonly string[];
  /** Dropped rows of the recorded answer, in words. */
  readonly dropped: readonly string[];
}

/** Path of the mapping of the listing, which lies beside the schedule. */
export function mappingPath(folder: string): string {
  return join(folder, "rates.json");
}

/**
 * Reads the mapping of a schedule's folder and tries it on the recorded answer; null when there is no mapping. Throws a
 * {@link Refusal}, also where the recorded answer has no valid row.
 */
export function readRatesMapping(folder: string): CheckedMapping | null {
  const [path, recordedPath] = [mappingPath(folder), join(folder, "rates-recorded.json")];
  if (!existsSync(path)) return null;
  const text = readFileSync(path);
  const result = parseMapping(text.toString());
  if (result.kind === "errors")
    throw new Refusal(
      result.errors.map((error) => [displayPath(path), error.path, error.message].filter(Boolean).join(": ")),
    );
  if (!existsSync(recordedPath))
    throw new Refusal([
      `${displayPath(recordedPath)}: is missing. Record an answer of RATES_URL, on which the mapping is tried: curl RATES_URL > ${displayPath(recordedPath)}`,
    ]);
  const { products, dropped, problem } = productsBy(result.mapping, readFileSync(recordedPath));
  if (problem !== null) throw new Refusal([problem, ...dropped].map((line) => `${displayPath(recordedPath)}: ${line}`));
  return { mapping: result.mapping, sha256: createHash("sha256").update(text).digest("hex"), products, dropped };
}

/**
 * Reads an answer by a mapping: the products' ids, the dropped rows in words, and why there are no products.
 * `reservedIds` are the ids of the products that a deployment reads from a chain.
 */
export function productsBy(mapping: RatesMapping, answer: Uint8Array, reservedIds: readonly string[] = []) {
  const observedAtMs = Date.now();
  const terms = { observedAtMs, samplesAllowed: true, reservedIds, filter: poolFilter(null, []), mapping };
  const reader = new ListingReader(terms);
  reader.push(answer);
  const read = reader.end();
  const dropped = [...reader.dropped].map(
    ([reason, rows]) => `${rows} dropped, ${reader.firstDropped.get(reason) ?? "a row"} for example: ${reason}`,
  );
  return "kind" in read
    ? { products: [], dropped, problem: read.reason }
    : { products: read.map(({ id }) => id), dropped, problem: null };
}
