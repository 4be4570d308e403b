import { isRecord, parseJson } from "../base/json.ts";
import { type LoadError, loadError } from "../swr/loader.ts";
import { hasPoolFormat, type PoolFilter, passesFilter, readPool } from "./defillama.ts";
import { MappedRows, type RatesMapping } from "./mapping.ts";
import { type Product, type RowTerms, readProduct } from "./product.ts";
import { type ListingParts, MAX_MEMBERS, type RowReader, RowSplitter } from "./row-splitter.ts";
import { Fields } from "./row-validation.ts";

export interface ListingTerms extends Omit<RowTerms, "listedAtMs"> {
  /** How the rows are read from an answer of another format; null: the rows are in our format or DefiLlama's. */
  readonly mapping: RatesMapping | null;
  readonly filter: PoolFilter;
  /** Ids of the products that are read from a chain, which no row may have. */
  readonly reservedIds: readonly string[];
}

const NO_OBJECT = "the row is not an object";
/**
 * Most products that are published. More than any page displays; an unfiltered public listing has forty times as many.
 */
export const MAX_PRODUCTS = 500;

/**
 * Parser of a listing whose bytes arrive in chunks: `{ "data": [row] }` or `[row]`, with rows in our own format or
 * DefiLlama's, or an answer of another format with its mapping.
 */
export class ListingReader {
  readonly #terms: ListingTerms;
  readonly #reader: RowReader;
  /** Number of invalid rows, by reason. */
  readonly dropped = new Map<string, number>();
  /** First invalid row for each reason: its id, or its place among the rows. */
  readonly firstDropped = new Map<string, string>();
  #products = new Map<string, Product>();
  #listedAtMs: number;
  #rows = 0;
  #excess = 0;

  constructor(terms: ListingTerms) {
    this.#terms = terms;
    this.#listedAtMs = terms.observedAtMs;
    const parts: ListingParts = {
      onDate: (date) => {
        this.#listedAtMs = listedAt(date, terms.observedAtMs);
      },
      onRow: (row) => this.#read(row),
      onUnread: (reason, text) => {
        this.#rows += 1;
        this.#dropRow(reason, idIn(text));
      },
    };
    this.#reader = terms.mapping === null ? new RowSplitter(parts) : new MappedRows(terms.mapping, parts);
  }

  /** Takes the next bytes; false when the bytes so far cannot be a listing. */
  push(chunk: Uint8Array): boolean {
    return this.#reader.push(chunk);
  }

  /** Returns the products after the last byte. Without a valid row, or without a listing, the upstream has failed. */
  end(): readonly Product[] | LoadError {
    const others = this.#reader.end();
    if (typeof others === "string") return loadError(others);
    if (others > 0) this.#drop(NO_OBJECT, others);
    this.#rows += others;
    if (this.#products.size === 0) return loadError(`none of ${this.#rows} rows is valid`);
    this.#dropSmallest();
    if (this.#excess > 0) this.dropped.set(`beyond the largest ${MAX_PRODUCTS}`, this.#excess);
    return [...this.#products.values()].sort(
      (a, b) => (a.order ?? Number.MAX_SAFE_INTEGER) - (b.order ?? Number.MAX_SAFE_INTEGER),
    );
  }

  #read(row: unknown): void {
    this.#rows += 1;
    const product = this.#productOf(row);
    if (product === undefined) return;
    const reason = typeof product === "string" ? product : this.#refusal(product.id);
    if (reason !== null) this.#dropRow(reason, isRecord(row) ? (row["id"] ?? row["pool"]) : undefined);
    else if (typeof product === "object") this.#products.set(product.id, product);
    if (this.#products.size >= 2 * MAX_PRODUCTS) this.#dropSmallest();
  }

  #refusal(id: string): string | null {
    if (this.#terms.reservedIds.includes(id)) return "id is that of the chain's own product";
    return this.#products.has(id) ? "id is listed twice" : null;
  }

  #dropRow(reason: string, id: unknown): void {
    if (!this.dropped.has(reason))
      this.firstDropped.set(reason, typeof id === "string" ? id.slice(0, MAX_NAME_CHARACTERS) : `row ${this.#rows}`);
    this.#drop(reason, 1);
  }

  #drop(reason: string, rows: number): void {
    this.dropped.set(reason, (this.dropped.get(reason) ?? 0) + rows);
  }

  /**
   * Reads a row. A string is the reason why the row is rejected; undefined: the filter excludes it, which is not an
   * error.
   */
  #productOf(row: unknown): Product | string | undefined {
    if (!isRecord(row)) return NO_OBJECT;
    if (Object.keys(row).length > MAX_MEMBERS) return `the row has more than ${MAX_MEMBERS} members`;
    const terms = { ...this.#terms, listedAtMs: this.#listedAtMs };
    if (!hasPoolFormat(row)) return readProduct(row, terms);
    return passesFilter(row, terms.filter) ? readPool(row, terms.filter, terms) : undefined;
  }

  /**
   * Keeps the largest products when there are too many, in the listing's own order. The result does not depend on how
   * often this runs.
   */
  #dropSmallest(): void {
    const excess = this.#products.size - MAX_PRODUCTS;
    if (excess <= 0) return;
    this.#excess += excess;
    const largest = new Set([...this.#products.values()].sort(bySize).slice(0, MAX_PRODUCTS));
    this.#products = new Map([...this.#products].filter(([, product]) => largest.has(product)));
  }
}

const MAX_NAME_CHARACTERS = 128;
const ID_MEMBER = /"(?:id|pool)"\s*:\s*("(?:[^"\\]|\\.)*")/;

/** Finds the id in the text of a row that is not JSON; undefined when there is none. */
function idIn(text: string): unknown {
  return parseJson(ID_MEMBER.exec(text)?.[1] ?? "");
}

function bySize(a: Product, b: Product): number {
  return (b.tvl_usd ?? -1) - (a.tvl_usd ?? -1);
}

/** Date of the listing, but never later than the reading. */
function listedAt(date: unknown, observedAtMs: number): number {
  const reported = new Fields({ as_of: date }).instant("as_of");
  return reported === null ? observedAtMs : Math.min(reported, observedAtMs);
}
