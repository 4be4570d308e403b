import { parseStored, storedText } from "../json.ts";
import type { Chain } from "./upstream/chain.ts";

/** The part of the platform's SQL interface used here. */
type RunSql = (query: string, ...bindings: (string | number | null)[]) => readonly Readonly<Record<string, unknown>>[];

const MAX_FIGURES = 64;
const MAX_FIGURE_CHARACTERS = 1_048_576;
/** Raised when the stored chain changes its meaning. */
const CHAIN = "chain-1";

/** The home object's persistent data: last good figures and listings, and the chain they were read from. */
export class HomeStore {
  readonly #sql: RunSql;

  constructor(sql: RunSql) {
    this.#sql = sql;
    sql(
      "CREATE TABLE IF NOT EXISTS figures (name TEXT PRIMARY KEY, stored_at_ms INTEGER NOT NULL, value TEXT NOT NULL) WITHOUT ROWID",
    );
    sql("CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
  }

  figure(name: string): { readonly value: string; readonly storedAtMs: number } | null {
    const row = this.#sql("SELECT value, stored_at_ms FROM figures WHERE name = ?", name)[0];
    const { value, stored_at_ms: storedAtMs } = row ?? {};
    return typeof value === "string" && typeof storedAtMs === "number" ? { value, storedAtMs } : null;
  }

  putFigure(name: string, value: string, storedAtMs: number): void {
    if (value.length > MAX_FIGURE_CHARACTERS) return;
    this.#sql("INSERT OR REPLACE INTO figures (name, stored_at_ms, value) VALUES (?, ?, ?)", name, storedAtMs, value);
    this.#sql(
      "DELETE FROM figures WHERE name NOT IN (SELECT name FROM figures ORDER BY stored_at_ms DESC LIMIT ?)",
      MAX_FIGURES,
    );
  }

  get chain(): Chain | null {
    const value = this.#sql("SELECT value FROM facts WHERE name = ?", CHAIN)[0]?.["value"];
    return typeof value === "string" ? (parseStored<Chain>(value) ?? null) : null;
  }

  putChain(chain: Chain): void {
    this.#sql("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", CHAIN, storedText(chain));
  }
}
