import { MAX_PRODUCTS } from "../rates/listing.ts";
import { NATIVE_STAKING } from "../rates/native-staking.ts";
import type { Days, RateRow, RecordedFigureRow } from "./history/rows.ts";
import type { Tables } from "./tables.ts";

/** Tables of the daily rows. Each column has the name of a row's member. */
export const HISTORY_TABLES = {
  figure_day: {
    columns: `
      figure TEXT NOT NULL, asset TEXT NOT NULL, day TEXT NOT NULL, baseUnits TEXT NOT NULL, decimals INTEGER NOT NULL,
      ledgerVersion TEXT, observedAtMs INTEGER NOT NULL, source TEXT NOT NULL, witnesses INTEGER, versions TEXT,
      PRIMARY KEY (day, figure, asset)`,
  },
  rate_day: {
    columns: `
      product TEXT NOT NULL, day TEXT NOT NULL, apy REAL, apy_base REAL, apy_reward REAL, tvl TEXT, tvl_usd REAL,
      observedAtMs INTEGER NOT NULL, source TEXT NOT NULL,
      PRIMARY KEY (product, day)`,
    index: "day",
  },
} as const;

type Table = keyof typeof HISTORY_TABLES;

/** Ten years with leap days. Days are counted, not dated: a clock that is wrong once would otherwise delete good rows. */
const MAX_DAYS = 3_653;

/** Daily rows in the database of the object. `write` returns false when the store refuses a write. */
export class HistoryTables {
  readonly #tables: Pick<Tables<Table>, "rowsOrNone" | "run">;
  readonly #write: (write: () => void) => boolean;

  constructor(tables: Pick<Tables<Table>, "rowsOrNone" | "run">, write: (write: () => void) => boolean) {
    this.#tables = tables;
    this.#write = write;
  }

  /**
   * Adds rows of a UTC day; the first row of a figure or product stays. Products are limited to {@link MAX_PRODUCTS} a
   * day, because a listing may rename its rows; native staking is not counted. false: the store refuses the rows.
   */
  record(day: string, figures: readonly RecordedFigureRow[], rates: readonly RateRow[]): boolean {
    // Both tables are read first: a read survives a damaged table, a write ends the object.
    this.#tables.rowsOrNone("figure_day", "SELECT day FROM figure_day WHERE day = ?", day);
    const stored = this.#tables.rowsOrNone<RateRow>("rate_day", "SELECT * FROM rate_day WHERE day = ?", day);
    const storedProducts = new Set(stored.map(({ product }) => product));
    let room = MAX_PRODUCTS - storedProducts.size;
    const hasRoom = ({ product }: RateRow) =>
      product === NATIVE_STAKING || (!storedProducts.has(product) && room-- > 0);
    return this.#write(() => {
      this.#insert("figure_day", figures);
      this.#insert("rate_day", rates.filter(hasRoom));
    });
  }

  figures({ from, to }: Days): RecordedFigureRow[] {
    const query = "SELECT * FROM figure_day WHERE day BETWEEN ? AND ? ORDER BY day, figure";
    return this.#tables.rowsOrNone("figure_day", query, from, to);
  }

  /** Reads the rows of products, in the order of days. */
  ratesOf(products: readonly string[], { from, to }: Days): RateRow[] {
    return this.#tables.rowsOrNone(
      "rate_day",
      "SELECT * FROM rate_day WHERE product IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ? ORDER BY day",
      JSON.stringify(products),
      from,
      to,
    );
  }

  /** Inserts rows by the names of their columns. Existing rows stay, and days beyond the limit are deleted. */
  #insert(table: Table, rows: readonly (RecordedFigureRow | RateRow)[]): void {
    let added = 0;
    for (const row of rows) {
      const columns = Object.keys(row);
      const insert = `INSERT OR IGNORE INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`;
      added += this.#tables.run(table, insert, ...Object.values(row));
    }
    if (added === 0) return;
    this.#tables.run(
      table,
      `DELETE FROM ${table} WHERE day <= (SELECT DISTINCT day FROM ${table} ORDER BY day DESC LIMIT 1 OFFSET ?)`,
      MAX_DAYS,
    );
  }
}
