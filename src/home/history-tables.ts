import { MAX_PRODUCTS } from "../rates/listing.ts";
import { NATIVE_STAKING } from "../rates/native-staking.ts";
import type { Days, FigureRow, RateRow } from "./history/rows.ts";
import type { Tables } from "./tables.ts";

/** A column has the name of the row's member. */
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

/** Ten years, including leap days. A count: a date by a clock that is wrong once would drop what is right. */
const MAX_DAYS = 3_653;

/** The daily rows in an object's database. `write` says whether the store takes it. */
export class HistoryTables {
  readonly #tables: Pick<Tables<Table>, "rows" | "run">;
  readonly #write: (write: () => void) => boolean;

  constructor(tables: Pick<Tables<Table>, "rows" | "run">, write: (write: () => void) => boolean) {
    this.#tables = tables;
    this.#write = write;
  }

  /**
   * At most one row per UTC day for each figure of an asset and for each yield product. The first of a day is kept; of
   * products at most as many as are listed, however a listing renames its rows, beside the chain's own. false: the store
   * refuses them.
   */
  record(day: string, figures: readonly FigureRow[], rates: readonly RateRow[]): boolean {
    // Read before anything is written: damage that a write meets ends the object.
    this.#tables.rows("figure_day", "SELECT day FROM figure_day WHERE day = ?", day);
    const stored = this.#tables.rows<RateRow>("rate_day", "SELECT * FROM rate_day WHERE day = ?", day);
    const known = new Set(stored.map(({ product }) => product));
    let room = MAX_PRODUCTS - known.size;
    const hasRoom = ({ product }: RateRow) => product === NATIVE_STAKING || (!known.has(product) && room-- > 0);
    return this.#write(() => {
      this.#insert("figure_day", figures);
      this.#insert("rate_day", rates.filter(hasRoom));
    });
  }

  figures({ from, to }: Days): FigureRow[] {
    const query = "SELECT * FROM figure_day WHERE day BETWEEN ? AND ? ORDER BY day, figure";
    return this.#tables.rows("figure_day", query, from, to);
  }

  /** The rows of these products, in the order of days. */
  ratesOf(products: readonly string[], { from, to }: Days): RateRow[] {
    return this.#tables.rows(
      "rate_day",
      "SELECT * FROM rate_day WHERE product IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ? ORDER BY day",
      JSON.stringify(products),
      from,
      to,
    );
  }

  /** Rows by column, which older and newer code name alike. Those that exist stay, and the newest days. */
  #insert(table: Table, rows: readonly (FigureRow | RateRow)[]): void {
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
