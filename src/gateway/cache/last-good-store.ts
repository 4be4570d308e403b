import { BoundedMap } from "../../memo.ts";
import type { CachedResponse } from "../node-types.ts";
import type { ChainIdentity } from "../upstream/chain-identity.ts";
import { deserializeChain, serializeChain } from "../upstream/chain-identity.ts";
import { deserializeResponse, serializeResponse } from "./serialize.ts";

/** The part of the platform's SQL interface used here. */
export type RunSql = (
  query: string,
  ...bindings: (string | number | ArrayBuffer | null)[]
) => readonly Readonly<Record<string, unknown>>[];

/** A key is rewritten at most this often, so a stored response may be this much older than the last one. */
const REWRITE_MS = 10_000;
const MAX_RESPONSES = 256;
const MAX_BODY_BYTES = 65_536;
const MAX_FIGURES = 64;
const MAX_FIGURE_CHARACTERS = 1_048_576;

/** The object's persistent data: last good responses and figures, and the chain's identity. Each is bounded. */
export class LastGoodStore {
  readonly #sql: RunSql;
  readonly #writtenAtMs = new BoundedMap<string, number>(MAX_RESPONSES);

  constructor(sql: RunSql) {
    this.#sql = sql;
    sql(
      "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, stored_at_ms INTEGER NOT NULL, head TEXT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID",
    );
    sql(
      "CREATE TABLE IF NOT EXISTS figures (name TEXT PRIMARY KEY, stored_at_ms INTEGER NOT NULL, value TEXT NOT NULL) WITHOUT ROWID",
    );
    sql("CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
  }

  load(key: string): CachedResponse | undefined {
    const row = this.#sql("SELECT head, body FROM answers WHERE key = ?", key)[0];
    const { head, body } = row ?? {};
    return typeof head === "string" && body instanceof ArrayBuffer
      ? deserializeResponse({ head, body: new Uint8Array(body) })
      : undefined;
  }

  /** Writes a value that is small and whose key was not written recently. */
  save(key: string, value: CachedResponse): void {
    const writtenAtMs = this.#writtenAtMs.get(key) ?? Number.NEGATIVE_INFINITY;
    if (value.body.byteLength > MAX_BODY_BYTES || value.storedAtMs - writtenAtMs < REWRITE_MS) return;
    this.#writtenAtMs.set(key, value.storedAtMs);
    const { head, body } = serializeResponse(value);
    this.#sql("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", key, value.storedAtMs, head, copyBytes(body));
    this.#sql(
      "DELETE FROM answers WHERE key NOT IN (SELECT key FROM answers ORDER BY stored_at_ms DESC LIMIT ?)",
      MAX_RESPONSES,
    );
  }

  figure(name: string): { readonly value: string; readonly storedAtMs: number } | null {
    const row = this.#sql("SELECT value, stored_at_ms FROM figures WHERE name = ?", name)[0];
    const { value, stored_at_ms: storedAtMs } = row ?? {};
    return typeof value === "string" && typeof storedAtMs === "number" ? { value, storedAtMs } : null;
  }

  putFigure(name: string, value: string, storedAtMs: number): void {
    if (value.length > MAX_FIGURE_CHARACTERS) return;
    this.#sql("INSERT OR REPLACE INTO figures VALUES (?, ?, ?)", name, storedAtMs, value);
    this.#sql(
      "DELETE FROM figures WHERE name NOT IN (SELECT name FROM figures ORDER BY stored_at_ms DESC LIMIT ?)",
      MAX_FIGURES,
    );
  }

  /** Deletes the chain and the responses of other upstreams, which may follow another chain. */
  bindToUpstreams(upstreams: string): void {
    if (this.#fact("upstreams") === upstreams) return;
    this.#sql("DELETE FROM answers");
    this.#sql("DELETE FROM facts WHERE name = 'chain'");
    this.#setFact("upstreams", upstreams);
  }

  /** The chain as last recognized behind the current upstreams. */
  get chain(): ChainIdentity | null {
    const text = this.#fact("chain");
    return text === undefined ? null : (deserializeChain(text) ?? null);
  }

  saveChain(chain: ChainIdentity): void {
    this.#setFact("chain", serializeChain(chain));
  }

  #fact(name: string): string | undefined {
    const value = this.#sql("SELECT value FROM facts WHERE name = ?", name)[0]?.["value"];
    return typeof value === "string" ? value : undefined;
  }

  #setFact(name: string, value: string): void {
    this.#sql("INSERT OR REPLACE INTO facts VALUES (?, ?)", name, value);
  }
}

/** A copy with its own buffer: the input may be a view of a larger one. */
function copyBytes(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
}
