import { DurableObject } from "cloudflare:workers";
import { dayText } from "../utc.ts";
import { type Days, daysBefore, type FigureRow, type HealthChange, type RateRow } from "./rows.ts";

/** Ten years, including leap days. */
const RETENTION_DAYS = 3_653;
const MAX_HEALTH_CHANGES = 100;
/** How far the calling Worker's clock may be ahead of this object's. */
const MAX_CLOCK_AHEAD_MS = 10_000;

/**
 * At most one row per UTC day for each figure of an asset and for each yield product, stored for ten years, and the
 * newest changes of health. The first write of a day is kept, so concurrent writes are safe. Only today by this
 * object's clock is accepted (tomorrow in its last seconds), so a wrong clock cannot create rows.
 */
export class History extends DurableObject {
  readonly #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS figure_day (
        figure TEXT NOT NULL, asset TEXT NOT NULL, day TEXT NOT NULL, base_units TEXT NOT NULL,
        decimals INTEGER NOT NULL, ledger_version TEXT, observed_at_ms INTEGER NOT NULL,
        PRIMARY KEY (figure, asset, day)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS rate_day (
        product TEXT NOT NULL, day TEXT NOT NULL, apy REAL, apy_base REAL, apy_reward REAL, tvl TEXT, tvl_usd REAL,
        observed_at_ms INTEGER NOT NULL, source TEXT NOT NULL,
        PRIMARY KEY (product, day)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS health_change (at_ms INTEGER PRIMARY KEY, status TEXT NOT NULL, reason TEXT NOT NULL);
    `);
  }

  /** Inserts the rows that do not exist yet; returns how many were inserted: 0 also when the day is not accepted. */
  record(day: string, figures: readonly FigureRow[], rates: readonly RateRow[]): number {
    const nowMs = Date.now();
    if (day !== dayText(nowMs) && day !== dayText(nowMs + MAX_CLOCK_AHEAD_MS)) return 0;
    const isOfDay = <Row extends { readonly day: string; readonly observedAtMs: number }>(row: Row): boolean =>
      row.day === day && dayText(row.observedAtMs) === day;
    const figureRows = figures
      .filter(isOfDay)
      .map((row) => [row.figure, row.asset, day, row.baseUnits, row.decimals, row.ledgerVersion, row.observedAtMs]);
    const rateRows = rates.filter(isOfDay).map((row) => {
      const { product, apy, apy_base, apy_reward, tvl, tvl_usd, observedAtMs, source } = row;
      return [product, day, apy, apy_base, apy_reward, tvl, tvl_usd, observedAtMs, source];
    });
    const added = this.#insert("figure_day", figureRows) + this.#insert("rate_day", rateRows);
    if (added > 0) this.#deleteBefore(daysBefore(day, RETENTION_DAYS));
    return added;
  }

  figures({ from, to }: Days): FigureRow[] {
    return this.#rows<FigureRow>(
      `SELECT figure, asset, day, base_units AS baseUnits, decimals, ledger_version AS ledgerVersion,
         observed_at_ms AS observedAtMs, 'observed' AS source
       FROM figure_day WHERE day BETWEEN ? AND ? ORDER BY day, figure`,
      from,
      to,
    );
  }

  rates(product: string, { from, to }: Days): RateRow[] {
    return this.#rows<RateRow>(
      `SELECT product, day, apy, apy_base, apy_reward, tvl, tvl_usd, observed_at_ms AS observedAtMs, source
       FROM rate_day WHERE product = ? AND day BETWEEN ? AND ? ORDER BY day`,
      product,
      from,
      to,
    );
  }

  recordHealth({ atMs, status, reason }: HealthChange): void {
    this.#sql.exec("INSERT OR IGNORE INTO health_change VALUES (?, ?, ?)", atMs, status, reason);
    this.#sql.exec(
      "DELETE FROM health_change WHERE at_ms NOT IN (SELECT at_ms FROM health_change ORDER BY at_ms DESC LIMIT ?)",
      MAX_HEALTH_CHANGES,
    );
  }

  /** Newest first. */
  healthChanges(count: number): HealthChange[] {
    return this.#rows<HealthChange>(
      "SELECT at_ms AS atMs, status, reason FROM health_change ORDER BY at_ms DESC LIMIT ?",
      count,
    );
  }

  /** Rows in the order of the columns; the number of those that did not exist. */
  #insert(table: "figure_day" | "rate_day", rows: readonly (readonly SqlStorageValue[])[]): number {
    let added = 0;
    for (const row of rows) {
      const places = row.map(() => "?").join();
      added += this.#sql.exec(`INSERT OR IGNORE INTO ${table} VALUES (${places})`, ...row).rowsWritten;
    }
    return added;
  }

  #rows<Row extends object>(query: string, ...bindings: SqlStorageValue[]): Row[] {
    return this.#sql.exec<Row & Record<string, SqlStorageValue>>(query, ...bindings).toArray();
  }

  #deleteBefore(before: string): void {
    this.#sql.exec("DELETE FROM figure_day WHERE day < ?", before);
    this.#sql.exec("DELETE FROM rate_day WHERE day < ?", before);
  }
}
