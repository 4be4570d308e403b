import { BoundedMap } from "../../src/base/memo.ts";
import type { StateChange } from "../vm/effects.ts";
import { parseStateKey, type StateKey, type StateReader, stateKey, stateKeyBytes } from "../vm/state-keys.ts";
import { bytesIn, integerIn, nullableBytesIn, type Storage, textIn } from "./storage.ts";

/** Size of the caches of keys and of newest values: a small part of an object's memory. */
const KEY_MEMORY_BYTES = 4 * 1024 * 1024;
const VALUE_MEMORY_BYTES = 16 * 1024 * 1024;
/** Hex digits of the longest possible key: a transaction has at most 64 KiB. The database fails far above that. */
const MAX_KEY_DIGITS = 2 * 128 * 1024;

/** The `kind` column; a listing walks through modules or resources. */
const KINDS = { module: 0, resource: 1, table_item: 2 } as const;

export interface Listed {
  readonly key: StateKey;
  readonly value: Uint8Array;
}

/** Every state value by key and version. */
export class StateStore {
  readonly #storage: Storage;
  #ids = idCache();
  /** Newest value of a key; null when it has none. */
  #newest = valueCache();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The newest state, uncommitted writes of the running block included. */
  readonly newest: StateReader = { get: (key) => this.#newestOf(key) ?? undefined };

  /** State as of `version`, which must not be pruned. */
  at(version: number): StateReader {
    return { get: (key) => this.#read(key, version) ?? undefined };
  }

  /** Records what the transaction at `version` changed; returns the ids of the keys, for {@link changesAt}. */
  write(version: number, changes: readonly StateChange[]): readonly number[] {
    return changes.map((change) => {
      const id = this.#idOf(change.key) ?? this.#introduce(change);
      const value = change.kind === "write" ? change.value : null;
      this.#storage.run(`INSERT INTO state_value VALUES (?, ?, ?)`, id, version, value);
      this.#newest.set(change.key, value);
      return id;
    });
  }

  /** The changes that {@link write} recorded. */
  changesAt(version: number, ids: readonly number[]): readonly StateChange[] {
    return ids.map((id) => {
      const [row] = this.#storage.run(
        `SELECT k.key AS key, k.item_key AS item_key, k.item_value AS item_value, v.value AS value FROM state_value v JOIN state_key k ON k.id = v.key WHERE v.key = ? AND v.version = ?`,
        id,
        version,
      );
      if (row === undefined) throw new Error(`the change of key ${id} at version ${version} is gone`);
      const [key, value] = [stateKey(bytesIn(row, "key")), nullableBytesIn(row, "value")];
      const change = value === null ? ({ kind: "delete", key } as const) : ({ kind: "write", key, value } as const);
      if (row["item_key"] === null) return change;
      return { ...change, item: { key: textIn(row, "item_key"), value: textIn(row, "item_value") } };
    });
  }

  /**
   * The modules or resources whose keys start with `prefix`, as of `version`, in key order from `from` on. At most
   * `limit`; keys that did not exist at that version are skipped.
   */
  list(kind: "module" | "resource", prefix: string, from: StateKey | null, version: number, limit: number): Listed[] {
    const rows = this.#storage.run(
      `SELECT key, (SELECT value FROM state_value v WHERE v.key = k.id AND v.version <= ? ORDER BY v.version DESC LIMIT 1) AS newest
       FROM state_key k
       WHERE kind = ${KINDS[kind]} AND kind < 2 AND key >= ? AND key < ? AND newest IS NOT NULL ORDER BY key LIMIT ?`,
      version,
      bytesOf(from ?? prefix),
      bytesOf(prefix + "ff".repeat(64)),
      limit,
    );
    return rows.map((row) => ({ key: stateKey(bytesIn(row, "key")), value: bytesIn(row, "newest") }));
  }

  /**
   * Drops values of the keys that the transaction at `version` changed, if no version from `oldest` on can see them.
   * The values that the transaction itself wrote stay while it does (`version` = `oldest`).
   */
  prune(version: number, ids: readonly number[], oldest: number): void {
    for (const id of ids) {
      this.#storage.run(`DELETE FROM state_value WHERE key = ? AND version < ?`, id, version);
      if (version === oldest) continue;
      const deletions = this.#storage.run(
        `DELETE FROM state_value WHERE key = ? AND version = ? AND value IS NULL RETURNING key`,
        id,
        version,
      );
      if (deletions.length > 0) this.#retire(id);
    }
  }

  /** After a rollback, the cache may contain values that the disk does not. */
  clearCache(): void {
    this.#ids = idCache();
    this.#newest = valueCache();
  }

  #newestOf(key: StateKey): Uint8Array | null {
    if (key.length > MAX_KEY_DIGITS) return null;
    const known = this.#newest.get(key);
    if (known !== undefined) return known;
    const value = this.#read(key, Number.MAX_SAFE_INTEGER);
    this.#newest.set(key, value);
    return value;
  }

  #read(key: StateKey, version: number): Uint8Array | null {
    const id = this.#idOf(key);
    if (id === undefined) return null;
    const [row] = this.#storage.run(
      `SELECT value FROM state_value WHERE key = ? AND version <= ? ORDER BY version DESC LIMIT 1`,
      id,
      version,
    );
    return row === undefined ? null : nullableBytesIn(row, "value");
  }

  #idOf(key: StateKey): number | undefined {
    if (key.length > MAX_KEY_DIGITS) return undefined;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const [row] = this.#storage.run(`SELECT id FROM state_key WHERE key = ?`, stateKeyBytes(key));
    if (row === undefined) return undefined;
    const id = integerIn(row, "id");
    this.#ids.set(key, id);
    return id;
  }

  /** Deletes the id of a key that was deleted and never written again. */
  #retire(id: number): void {
    const rows = this.#storage.run(
      `DELETE FROM state_key WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM state_value WHERE key = ?1) RETURNING key`,
      id,
    );
    for (const row of rows) this.#ids.delete(stateKey(bytesIn(row, "key")));
  }

  #introduce({ key, item }: StateChange): number {
    const [row] = this.#storage.run(
      `INSERT INTO state_key (kind, key, item_key, item_value) VALUES (?, ?, ?, ?) RETURNING id`,
      kindOf(key),
      stateKeyBytes(key),
      item?.key ?? null,
      item?.value ?? null,
    );
    if (row === undefined) throw new Error("an insert returned nothing");
    const id = integerIn(row, "id");
    this.#ids.set(key, id);
    return id;
  }
}

/** Approximate overhead of an entry beside its key and value. */
const ENTRY_BYTES = 100;

const idCache = () => new BoundedMap<StateKey, number>(KEY_MEMORY_BYTES, (key) => key.length + ENTRY_BYTES);
const valueCache = () =>
  new BoundedMap<StateKey, Uint8Array | null>(
    VALUE_MEMORY_BYTES,
    (key, value) => key.length + (value?.length ?? 0) + ENTRY_BYTES,
  );

/** The kind column. */
function kindOf(key: StateKey): number {
  return KINDS[parseStateKey(key)?.place.kind ?? "table_item"];
}

function bytesOf(hex: string): Uint8Array {
  // Cast: stored keys are hex of an even length, as every key function returns them.
  return stateKeyBytes(hex as StateKey);
}
