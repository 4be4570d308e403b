import type { Value } from "../node-types.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import { open, openLedger, seal, spelled } from "./serialize.ts";

/** The one call of the platform's SQL that is needed here. */
export type RunSql = (
  query: string,
  ...bindings: (string | number | ArrayBuffer | null)[]
) => readonly Readonly<Record<string, unknown>>[];

/** A key is written again only after this long: what is kept may be this much older than the last answer. */
const REWRITE_MS = 10_000;
const MOST_ANSWERS = 256;
const MOST_BODY_BYTES = 65_536;
const MOST_FIGURES = 64;
const MOST_FIGURE_CHARACTERS = 1_048_576;

/** What outlives the object's memory: last good answers and figures, the tip, the chain. Each within a bound. */
export class Shelf {
  readonly #sql: RunSql;
  readonly #writtenAtMs = new Map<string, number>();

  constructor(sql: RunSql) {
    this.#sql = sql;
    sql(
      "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, stored_at_ms INTEGER NOT NULL, head TEXT NOT NULL, body BLOB NOT NULL)",
    );
    sql(
      "CREATE TABLE IF NOT EXISTS figures (name TEXT PRIMARY KEY, stored_at_ms INTEGER NOT NULL, value TEXT NOT NULL)",
    );
    sql("CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)");
  }

  recall(key: string): Value | undefined {
    const row = this.#sql("SELECT head, body FROM answers WHERE key = ?", key)[0];
    const { head, body } = row ?? {};
    return typeof head === "string" && body instanceof ArrayBuffer
      ? open({ head, body: new Uint8Array(body) })
      : undefined;
  }

  /** Whether this value is to be written now: small, and its key not written lately. */
  wants(key: string, value: Value): boolean {
    const writtenAtMs = this.#writtenAtMs.get(key) ?? Number.NEGATIVE_INFINITY;
    return value.body.byteLength <= MOST_BODY_BYTES && value.storedAtMs - writtenAtMs >= REWRITE_MS;
  }

  keep(key: string, value: Value): void {
    if (!this.wants(key, value)) return;
    if (this.#writtenAtMs.size >= MOST_ANSWERS) this.#writtenAtMs.clear();
    this.#writtenAtMs.set(key, value.storedAtMs);
    const { head, body } = seal(value);
    this.#sql("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", key, value.storedAtMs, head, octets(body));
    this.#sql(
      "DELETE FROM answers WHERE key NOT IN (SELECT key FROM answers ORDER BY stored_at_ms DESC LIMIT ?)",
      MOST_ANSWERS,
    );
  }

  figure(name: string): { readonly value: string; readonly storedAtMs: number } | null {
    const row = this.#sql("SELECT value, stored_at_ms FROM figures WHERE name = ?", name)[0];
    const { value, stored_at_ms: storedAtMs } = row ?? {};
    return typeof value === "string" && typeof storedAtMs === "number" ? { value, storedAtMs } : null;
  }

  putFigure(name: string, value: string, storedAtMs: number): void {
    if (value.length > MOST_FIGURE_CHARACTERS) return;
    this.#sql("INSERT OR REPLACE INTO figures VALUES (?, ?, ?)", name, storedAtMs, value);
    this.#sql(
      "DELETE FROM figures WHERE name NOT IN (SELECT name FROM figures ORDER BY stored_at_ms DESC LIMIT ?)",
      MOST_FIGURES,
    );
  }

  /** Forgets the tip and the answers of other upstreams: what they said may be about another chain. */
  belongTo(upstreams: string): void {
    if (this.#fact("upstreams") === upstreams) return;
    this.#sql("DELETE FROM answers");
    this.#sql("DELETE FROM facts WHERE name = 'tip'");
    this.#setFact("upstreams", upstreams);
  }

  get tip(): Ledger | null {
    const text = this.#fact("tip");
    return text === undefined ? null : (openLedger(JSON.parse(text)) ?? null);
  }

  rememberTip(ledger: Ledger): void {
    this.#setFact("tip", JSON.stringify(spelled(ledger)));
  }

  /** The chain that was learned for this list of upstreams; another list learns anew. */
  chain(upstreams: string): number | null {
    const text = this.#fact(`chain ${upstreams}`);
    return text === undefined ? null : Number(text);
  }

  learnChain(upstreams: string, chainId: number): void {
    this.#setFact(`chain ${upstreams}`, String(chainId));
  }

  #fact(name: string): string | undefined {
    const value = this.#sql("SELECT value FROM facts WHERE name = ?", name)[0]?.["value"];
    return typeof value === "string" ? value : undefined;
  }

  #setFact(name: string, value: string): void {
    this.#sql("INSERT OR REPLACE INTO facts VALUES (?, ?)", name, value);
  }
}

/** A copy with a buffer of its own: a view may be a window on a larger one. */
function octets(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
}
