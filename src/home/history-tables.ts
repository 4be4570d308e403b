import { NATIVE_STAKING } from "../chain/staking.ts";
import { MAX_PRODUCTS } from "../rates/listing.ts";
import type { RecordedPrice } from "../rates/price-growth.ts";
import { addSums, NO_SUMS, type RecordedSums, sumsOf, UNITS_PER_PERCENT } from "./history/rate-sums.ts";
import { type Days, daysBefore, type RateRow, type RecordedFigureRow } from "./history/rows.ts";
import type { Tables } from "./tables.ts";

/** Tables of the daily rows. Each column has the name of a row's member. */
export const HISTORY_TABLES = {
  figure_day: {
    columns: `
      figure TEXT NOT NULL, series TEXT NOT NULL, day TEXT NOT NULL, baseUnits TEXT NOT NULL, decimals INTEGER NOT NULL,
      ledgerVersion TEXT, observedAtMs INTEGER NOT NULL, source TEXT NOT NULL, witnesses INTEGER, versions TEXT,
      PRIMARY KEY (day, figure, series)`,
  },
  rate_day: {
    columns: `
      product TEXT NOT NULL, day TEXT NOT NULL, apy REAL, apy_base REAL, apy_reward REAL, tvl TEXT, tvl_usd REAL,
      observedAtMs INTEGER NOT NULL, source TEXT NOT NULL,
      PRIMARY KEY (product, day)`,
    index: "day",
  },
  price_day: {
    columns: `
      series TEXT NOT NULL, day TEXT NOT NULL, value TEXT NOT NULL, ledgerVersion TEXT NOT NULL, atMs INTEGER NOT NULL,
      observedAtMs INTEGER NOT NULL, source TEXT NOT NULL, witnesses INTEGER NOT NULL,
      PRIMARY KEY (series, day)`,
    index: "day",
  },
  // Running sums of the rates, so that a mean over a year reads two rows of a product instead of 365.
  rate_sum: {
    columns: `
      product TEXT NOT NULL, day TEXT NOT NULL, apy_units INTEGER NOT NULL, apy_days INTEGER NOT NULL,
      apy_base_units INTEGER NOT NULL, apy_base_days INTEGER NOT NULL, apy_reward_units INTEGER NOT NULL,
      apy_reward_days INTEGER NOT NULL,
      PRIMARY KEY (product, day)`,
    index: "day",
  },
} as const;

type Table = keyof typeof HISTORY_TABLES;

/** Ten years with leap days. Days are counted, not dated: a clock that is wrong once would otherwise delete good rows. */
const MAX_DAYS = 3_653;

/** Days whose sums are computed anew: the longest window of a mean. */
const SUMMED_DAYS = 365;

/** Daily rows in the database of the object. `write` returns false when the store refuses a write. */
export class HistoryTables {
  readonly #tables: Pick<Tables<Table>, "rowsOrNone" | "run">;
  readonly #write: (write: () => void) => boolean;
  /** Stored id of native staking, whose rates are of one chain: those of another network are never shown. */
  readonly #staking: string;

  /** `chainId`: id of the token's first chain; null: it is learned from the nodes. */
  constructor(
    tables: Pick<Tables<Table>, "rowsOrNone" | "run">,
    write: (write: () => void) => boolean,
    chainId: number | null,
  ) {
    this.#tables = tables;
    this.#write = write;
    this.#staking = `${NATIVE_STAKING} ${chainId}`;
  }

  /**
   * Adds rows of a UTC day; the first row of a figure or product stays. Products are limited to {@link MAX_PRODUCTS} a
   * day, because a listing may rename its rows; native staking is not counted. false: the store refuses the rows.
   */
  record(
    day: string,
    figures: readonly RecordedFigureRow[],
    rates: readonly RateRow[],
    prices: readonly RecordedPrice[] = [],
  ): boolean {
    const keyed = rates.map((row) => ({ ...row, product: this.#keyOf(row.product) }));
    // The tables are read first: a read survives a damaged table, a write ends the object.
    this.#tables.rowsOrNone("figure_day", "SELECT day FROM figure_day WHERE day = ?", day);
    // A day is looked up in the index alone, so a column that the index lacks is read too.
    this.#tables.rowsOrNone("price_day", "SELECT day FROM price_day WHERE day = ?", day);
    this.#tables.rowsOrNone("price_day", "SELECT value FROM price_day LIMIT 1");
    const stored = this.#tables.rowsOrNone<RateRow>("rate_day", "SELECT * FROM rate_day WHERE day = ?", day);
    const storedProducts = new Set(stored.map(({ product }) => product));
    this.#rebuildSums(day);
    const products = keyed.map(({ product }) => product);
    const earlier = new Map(
      this.#sumsOf(products, [daysBefore(day, 1)]).map(({ product, day: _day, ...sums }) => [product, sums]),
    );
    let room = MAX_PRODUCTS - stored.filter(({ product }) => product !== this.#staking).length;
    const isAdded = ({ product }: RateRow) => !storedProducts.has(product) && (product === this.#staking || room-- > 0);
    return this.#write(() => {
      this.#insert("figure_day", figures);
      this.#insert("price_day", prices);
      const added = keyed.filter(isAdded);
      this.#insert("rate_day", added);
      const sums = added.map((row) => addSums(earlier.get(row.product) ?? NO_SUMS, sumsOf(row)));
      this.#insert(
        "rate_sum",
        added.map(({ product }, index) => ({ product, day, ...(sums[index] ?? NO_SUMS) })),
      );
      for (const row of added) this.#addToLaterSums(row);
    });
  }

  figures({ from, to }: Days): RecordedFigureRow[] {
    const query = "SELECT * FROM figure_day WHERE day BETWEEN ? AND ? ORDER BY day, figure";
    return this.#tables.rowsOrNone("figure_day", query, from, to);
  }

  /** Reads the rows of products, in the order of days. */
  ratesOf(products: readonly string[], { from, to }: Days): RateRow[] {
    const rows = this.#tables.rowsOrNone<RateRow>(
      "rate_day",
      "SELECT * FROM rate_day WHERE product IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ? ORDER BY day",
      JSON.stringify(products.map((product) => this.#keyOf(product))),
      from,
      to,
    );
    return rows.map((row) => this.#withProduct(row));
  }

  /** Reads the prices of series, in the order of days. */
  pricesOf(series: readonly string[], { from, to }: Days): RecordedPrice[] {
    return this.#tables.rowsOrNone(
      "price_day",
      "SELECT * FROM price_day WHERE series IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ? ORDER BY day",
      JSON.stringify(series),
      from,
      to,
    );
  }

  /** Reads the sums of products up to each of some days; a product that has none up to a day has no row for that day. */
  sumsOf(products: readonly string[], days: readonly string[]): RecordedSums[] {
    const keys = products.map((product) => this.#keyOf(product));
    return this.#sumsOf(keys, days).map((row) => this.#withProduct(row));
  }

  #keyOf(product: string): string {
    return product === NATIVE_STAKING ? this.#staking : product;
  }

  #withProduct<Row extends { readonly product: string }>(row: Row): Row {
    return row.product === this.#staking ? { ...row, product: NATIVE_STAKING } : row;
  }

  #sumsOf(keys: readonly string[], days: readonly string[]): RecordedSums[] {
    return this.#tables.rowsOrNone(
      "rate_sum",
      `SELECT rate_sum.*, days.value AS day FROM json_each(?) AS products CROSS JOIN json_each(?) AS days
       CROSS JOIN rate_sum ON rate_sum.product = products.value AND rate_sum.day =
       (SELECT max(day) FROM rate_sum WHERE product = products.value AND day <= days.value)`,
      JSON.stringify(keys),
      JSON.stringify(days),
    );
  }

  /** Adds a row to the sums of later days, which a clock that was ahead has recorded. */
  #addToLaterSums(row: RateRow): void {
    const sums = sumsOf(row);
    const changes = Object.keys(sums).map((name) => `${name} = ${name} + ?`);
    const update = `UPDATE rate_sum SET ${changes.join()} WHERE product = ? AND day > ?`;
    this.#tables.run("rate_sum", update, ...Object.values(sums), row.product, row.day);
  }

  /**
   * Computes the sums anew if the table is empty: it is new, or the damaged one was set aside. They begin a year before
   * the day, and end with the last recorded day.
   */
  #rebuildSums(day: string): void {
    const hasSums = this.#tables.rowsOrNone("rate_sum", "SELECT 1 AS one FROM rate_sum LIMIT 1").length > 0;
    const from = daysBefore(day, SUMMED_DAYS);
    const hasRows = this.#tables.rowsOrNone("rate_day", "SELECT 1 AS one FROM rate_day WHERE day >= ? LIMIT 1", from);
    if (hasSums || hasRows.length === 0) return;
    const sums = ["apy", "apy_base", "apy_reward"].flatMap((rate) => [
      `sum(CAST(round(coalesce(${rate}, 0) * ${UNITS_PER_PERCENT}) AS INTEGER)) OVER earlier`,
      `count(${rate}) OVER earlier`,
    ]);
    this.#write(() =>
      this.#tables.run(
        "rate_sum",
        `INSERT INTO rate_sum SELECT product, day, ${sums.join()} FROM rate_day WHERE day >= ?
         WINDOW earlier AS (PARTITION BY product ORDER BY day)`,
        from,
      ),
    );
  }

  /** Inserts rows by the names of their columns. Existing rows stay, and days beyond the limit are deleted. */
  #insert(table: Table, rows: readonly (RecordedFigureRow | RateRow | RecordedSums | RecordedPrice)[]): void {
    let added = 0;
    for (const row of rows) {
      const columns = Object.keys(row);
      const insert = `INSERT OR IGNORE INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`;
      added += this.#tables.run(table, insert, ...Object.values(row));
    }
    if (added === 0) return;
    // Each step of `newest` looks up one day in an index. DISTINCT would read every row: 1.8 million after ten years of
    // 500 products, of the five million that the free plan allows a day.
    this.#tables.run(
      table,
      `DELETE FROM ${table} WHERE day <= (
         WITH RECURSIVE newest(day, rank) AS (
           SELECT max(day), 0 FROM ${table}
           UNION ALL
           SELECT (SELECT max(day) FROM ${table} WHERE day < newest.day), rank + 1 FROM newest
           WHERE newest.day IS NOT NULL AND rank < ?1
         )
         SELECT day FROM newest WHERE rank = ?1
       )`,
      MAX_DAYS,
    );
  }
}
