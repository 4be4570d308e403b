import type { Log } from "../base/log.ts";
import { DAY_MS, dayText, parseDay } from "../base/utc.ts";

/** A table of an object's database. */
export interface TableDefinition {
  /** Columns and primary key, as CREATE TABLE takes them. */
  readonly columns: string;
  /** A column that rows are found by beside the primary key. */
  readonly index?: string;
}

/** A table that could not be read, and the day of it. */
export interface DamagedTable {
  readonly table: string;
  /** YYYY-MM-DD. */
  readonly day: string;
}

export interface TablesPorts<Name extends string> {
  readonly sql: SqlStorage;
  readonly definitions: Readonly<Record<Name, TableDefinition>>;
  /**
   * Tables whose damage a write has met. It outlives the object: the platform ends an object whose transaction meets
   * damage, and takes back what it wrote.
   */
  readonly memory: Set<string>;
  /** false: the store refuses it. */
  readonly write: (write: () => void) => boolean;
  readonly now: () => number;
  readonly log: Log;
}

/** How long health shows a damaged table. */
const SHOWN_MS = 7 * DAY_MS;
const SET_ASIDE = /^(\w+)_damaged_(\d{4})_(\d\d)_(\d\d)$/;

/**
 * The tables of an object's database. What cannot be read counts as absent: a damaged table gets another name, under
 * which its rows can still be recovered, and an empty one takes its place, so that neither a reply nor a write depends
 * on it.
 */
export class Tables<Name extends string> {
  readonly #ports: TablesPorts<Name>;
  /** Tables that this instance could not read, whether or not an empty one has taken their place. */
  readonly #unreadable = new Map<Name, DamagedTable>();
  /** Damaged tables that stay in their place: nothing is read from them or written to them. */
  readonly #left = new Set<Name>();

  constructor(ports: TablesPorts<Name>) {
    this.#ports = ports;
    const existing = this.#names();
    // Cast: the keys of the definitions. Nothing is written where all exist: a read in a transaction must meet no damage.
    for (const table of Object.keys(ports.definitions) as Name[])
      if (ports.memory.has(table)) this.#found(table, DAMAGED_PAGE);
      else if (!existing.includes(table)) ports.write(() => this.#create(table));
  }

  /** The rows of a query on a table; none where they cannot be read. */
  rows<Row extends object>(table: Name, query: string, ...bindings: SqlStorageValue[]): Row[] {
    try {
      return this.#left.has(table) ? [] : this.#rows<Row>(query, ...bindings);
    } catch (cause) {
      this.#found(table, cause);
      return [];
    }
  }

  /** Runs a statement that writes to a table; how many rows were written. */
  run(table: Name, statement: string, ...bindings: SqlStorageValue[]): number {
    if (this.#left.has(table)) return 0;
    try {
      return this.#ports.sql.exec(statement, ...bindings).rowsWritten;
    } catch (cause) {
      if (isDamage(cause)) this.#ports.memory.add(table);
      throw cause;
    }
  }

  /** The tables that could not be read in the last days, over restarts too. */
  damaged(): DamagedTable[] {
    const setAside = this.#setAside().filter(({ day }) => (parseDay(day) ?? 0) > this.#ports.now() - SHOWN_MS);
    const all = [...setAside, ...this.#unreadable.values()];
    return [...new Map(all.map((each) => [each.table, each])).values()];
  }

  /** Names a table that cannot be read; puts an empty one in its place if it is damaged. */
  #found(table: Name, cause: unknown): void {
    const { sql, memory, now, log, write } = this.#ports;
    const day = dayText(now());
    if (!this.#unreadable.has(table)) log("store_damaged", { table, cause: String(cause) });
    this.#unreadable.set(table, { table, day });
    if (!isDamage(cause)) return;
    // A second time on one day it is the disk.
    const isSecond = this.#setAside().some((each) => each.table === table && each.day === day);
    const suffix = day.replaceAll("-", "_");
    const isReplaced =
      !isSecond &&
      write(() => {
        sql.exec(`ALTER TABLE ${table} RENAME TO ${table}_damaged_${suffix}`);
        this.#create(table, `_${suffix}`);
      });
    if (isReplaced) memory.delete(table);
    else this.#left.add(table);
  }

  /** `suffix`: the index of the table that was set aside keeps its name, and can be as damaged as the table. */
  #create(table: Name, suffix = ""): void {
    const { columns, index } = this.#ports.definitions[table];
    this.#ports.sql.exec(`CREATE TABLE IF NOT EXISTS ${table} (${columns}) WITHOUT ROWID`);
    if (index !== undefined)
      this.#ports.sql.exec(`CREATE INDEX IF NOT EXISTS ${table}_by_${index}${suffix} ON ${table} (${index})`);
  }

  #setAside(): DamagedTable[] {
    return this.#names().flatMap((name) => {
      const [, table, ...day] = SET_ASIDE.exec(name) ?? [];
      return table === undefined ? [] : [{ table, day: day.join("-") }];
    });
  }

  #names(): string[] {
    const query = "SELECT name FROM sqlite_master WHERE type = 'table'";
    return this.#rows<{ name: string }>(query).map(({ name }) => name);
  }

  #rows<Row extends object>(query: string, ...bindings: SqlStorageValue[]): Row[] {
    return this.#ports.sql.exec<Row & Record<string, SqlStorageValue>>(query, ...bindings).toArray();
  }
}

const DAMAGED_PAGE = "database disk image is malformed";

/** Whether a statement failed because a page of its table is damaged: no write to another table is concerned. */
export function isDamage(cause: unknown): boolean {
  return String(cause).includes(DAMAGED_PAGE);
}
