import { isRecord, parseJson } from "../json.ts";
import { isPool, isWanted, type PoolFilter, readPool } from "./defillama.ts";
import { type Product, type RejectedRow, readProduct, type Terms } from "./product.ts";
import { Fields } from "./row-validation.ts";

/** A listing that may be published. */
export interface Listing {
  readonly kind: "listing";
  readonly products: readonly Product[];
  /** Number of invalid rows, by reason. */
  readonly dropped: ReadonlyMap<string, number>;
}

/** A listing without a single valid row, or not a listing at all: the upstream failed. */
export interface InvalidListing {
  readonly kind: "no_listing";
  readonly reason: string;
  readonly dropped: ReadonlyMap<string, number>;
}

export interface ListingTerms {
  readonly observedAtMs: number;
  readonly currentSeconds: number;
  readonly samplesAllowed: boolean;
  readonly filter: PoolFilter;
}

/** More than any page displays; an unfiltered public listing has forty times as many. */
export const MAX_PRODUCTS = 500;

/** Parses upstream text: `{ "data": [row] }` or `[row]`, with rows in our own format or DefiLlama's. */
export function readListing(text: string, terms: ListingTerms): Listing | InvalidListing {
  const dropped = new Map<string, number>();
  const body = parseJson(text);
  const rows = Array.isArray(body) ? body : isRecord(body) ? body["data"] : undefined;
  if (!Array.isArray(rows)) return { kind: "no_listing", reason: "the answer is not a listing", dropped };
  const rowTerms: Terms = { ...terms, listedAtMs: listedAt(body, terms.observedAtMs) };
  const products = new Map<string, Product>();
  for (const row of rows) {
    const product = isRecord(row) ? readRow(row, terms.filter, rowTerms) : refusal("the row is not an object");
    if (product === undefined) continue;
    const verdict = !("reason" in product) && products.has(product.id) ? refusal("id is listed twice") : product;
    if ("reason" in verdict) dropped.set(verdict.reason, (dropped.get(verdict.reason) ?? 0) + 1);
    else products.set(verdict.id, verdict);
  }
  if (products.size === 0) return { kind: "no_listing", reason: `none of ${rows.length} rows is valid`, dropped };
  return { kind: "listing", products: arranged([...products.values()], dropped), dropped };
}

/** undefined: excluded by the filter, which is not an error. */
function readRow(row: Readonly<Record<string, unknown>>, filter: PoolFilter, terms: Terms) {
  if (!isPool(row)) return readProduct(row, terms);
  return isWanted(row, filter) ? readPool(row, filter, terms) : undefined;
}

/** In the listing's own order, rows without a rank last; when there are too many, the largest stay. */
function arranged(products: readonly Product[], dropped: Map<string, number>): Product[] {
  const excess = products.length - MAX_PRODUCTS;
  const accepted = excess <= 0 ? products : [...products].sort(bySize).slice(0, MAX_PRODUCTS);
  if (excess > 0) dropped.set(`beyond the largest ${MAX_PRODUCTS}`, excess);
  return [...accepted].sort((a, b) => (a.order ?? Number.MAX_SAFE_INTEGER) - (b.order ?? Number.MAX_SAFE_INTEGER));
}

function bySize(a: Product, b: Product): number {
  return (b.tvl_usd ?? -1) - (a.tvl_usd ?? -1);
}

/** The listing's own date, but never later than the reading. */
function listedAt(body: unknown, observedAtMs: number): number {
  const reported = isRecord(body) ? new Fields(body).instant("as_of") : null;
  return reported === null ? observedAtMs : Math.min(reported, observedAtMs);
}

function refusal(reason: string): RejectedRow {
  return { kind: "refused", reason };
}
