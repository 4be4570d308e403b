import { HAS_LEGS } from "../base/built-for.ts";
import { MAX_PRODUCTS } from "../rates/listing.ts";
import { NATIVE_STAKING } from "../rates/native-staking.ts";
import type { Days, FigureRow, RateRow } from "./history/rows.ts";

/** A column has the name of the row's member. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS figure_day (
    figure TEXT NOT NULL, asset TEXT NOT NULL, day TEXT NOT NULL, baseUnits TEXT NOT NULL, decimals INTEGER NOT NULL,
    ledgerVersion TEXT, observedAtMs INTEGER NOT NULL, source TEXT NOT NULL, witnesses INTEGER,
    PRIMARY KEY (day, figure, asset)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS rate_day (
    product TEXT NOT NULL, day TEXT NOT NULL, apy REAL, apy_base REAL, apy_reward REAL, tvl TEXT, tvl_usd REAL,
    observedAtMs INTEGER NOT NULL, source TEXT NOT NULL,
    PRIMARY KEY (product, day)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS rate_of_day ON rate_day (day);
`;

/** Ten years, including leap days. A count: a date by a clock that is wrong once would drop what is right. */
const MAX_DAYS = 3_653;

/** The daily rows in an object's database. `write` says whether the store takes it. */
export class HistoryTables {
  readonly #sql: SqlStorage;
  readonly #write: (write: () => void) => boolean;

  /** `hasLegs`: rows name a version of each chain of the token. */
  constructor(sql: SqlStorage, write: (write: () => void) => boolean, hasLegs = false) {
    this.#sql = sql;
    this.#write = write;
    sql.exec(TABLES);
    if (HAS_LEGS && hasLegs && !sql.exec("SELECT * FROM figure_day LIMIT 0").columnNames.includes("versions"))
      sql.exec("ALTER TABLE figure_day ADD COLUMN versions TEXT");
  }

  /**
   * At most one row per UTC day for each figure of an asset and for each yield product. The first of a day is kept; of
   * products at most as many as are listed, however a listing renames its rows, beside the chain's own. false: the store
   * refuses them.
   */
  record(day: string, figures: readonly FigureRow[], rates: readonly RateRow[]): boolean {
    const known = new Set(
      this.#rows<RateRow>("SELECT * FROM rate_day WHERE day = ?", day).map(({ product }) => product),
    );
    let room = MAX_PRODUCTS - known.size;
    const hasRoom = ({ product }: RateRow) => product === NATIVE_STAKING || (!known.has(product) && room-- > 0);
    return this.#write(() => {
      this.#insert("figure_day", figures);
      this.#insert("rate_day", rates.filter(hasRoom));
    });
  }

  figures({ from, to }: Days): FigureRow[] {
    return this.#rows("SELECT * FROM figure_day WHERE day BETWEEN ? AND ? ORDER BY day, figure", from, to);
  }

  /** The rows of these products, in the order of days. */
  ratesOf(products: readonly string[], { from, to }: Days): RateRow[] {
    return this.#rows(
      "SELECT * FROM rate_day WHERE product IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ? ORDER BY day",
      JSON.stringify(products),
      from,
      to,
    );
  }

  /** Rows by column, which older and newer code name alike. Those that exist stay, and the newest days. */
  #insert(table: "figure_day" | "rate_day", rows: readonly (FigureRow | RateRow)[]): void {
    let added = 0;
    for (const row of rows) {
      const columns = Object.keys(row);
      const insert = `INSERT OR IGNORE INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`;
      added += this.#sql.exec(insert, ...Object.values(row)).rowsWritten;
    }
    if (added === 0) return;
    this.#sql.exec(
      `DELETE FROM ${table} WHERE day <= (SELECT DISTINCT day FROM ${table} ORDER BY day DESC LIMIT 1 OFFSET ?)`,
      MAX_DAYS,
    );
  }

  #rows<Row extends object>(query: string, ...bindings: SqlStorageValue[]): Row[] {
    return this.#sql.exec<Row & Record<string, SqlStorageValue>>(query, ...bindings).toArray();
  }
}
