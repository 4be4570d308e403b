import type { Log } from "../base/log.ts";
import { DAY_MS, dayText, parseDay } from "../base/utc.ts";

/** Definition of a table in the database of a Durable Object. */
export interface TableDefinition {
  /** Columns and primary key, as CREATE TABLE takes them. */
  readonly columns: string;
  /** Column that has an index besides the primary key. */
  readonly index?: string;
}

/** A table that could not be read, and the day on which that happened. */
export interface DamagedTable {
  readonly table: string;
  /** YYYY-MM-DD. */
  readonly day: string;
}

export interface TablesPorts<Name extends string> {
  readonly sql: SqlStorage;
  readonly definitions: Readonly<Record<Name, TableDefinition>>;
  /**
   * Names of tables that a write found damaged. The set outlives the object, because the platform then ends the object
   * and reverts its transaction.
   */
  readonly damaged: Set<string>;
  /** Runs a write; false when the store refuses it. */
  readonly write: (write: () => void) => boolean;
  readonly now: () => number;
  readonly log: Log;
}

/** How long health shows a damaged table. */
const SHOWN_MS = 7 * DAY_MS;
const SET_ASIDE = /^(\w+)_damaged_(\d{4})_(\d\d)_(\d\d)$/;

/**
 * Tables in the database of a Durable Object. A table that cannot be read counts as empty. A damaged one is renamed, so
 * that its rows can be recovered. An empty table takes its place, so that replies and writes work again.
 */
export class Tables<Name extends string> {
  readonly #ports: TablesPorts<Name>;
  /** Tables that this instance could not read, including those that an empty table has replaced. */
  readonly #unreadable = new Map<Name, DamagedTable>();
  /** Damaged tables that could not be replaced: they are neither read nor written. */
  readonly #abandoned = new Set<Name>();

  constructor(ports: TablesPorts<Name>) {
    this.#ports = ports;
    const existing = this.#names();
    // Cast: the keys of the definitions. If all tables exist, nothing is written, and reads run outside a transaction.
    for (const table of Object.keys(ports.definitions) as Name[])
      if (ports.damaged.has(table)) this.#markUnreadable(table, DAMAGED_PAGE);
      else if (!existing.includes(table)) ports.write(() => this.#create(table));
  }

  /** Reads the rows of a query on a table; an empty list when they cannot be read. */
  rowsOrNone<Row extends object>(table: Name, query: string, ...bindings: SqlStorageValue[]): Row[] {
    try {
      return this.#abandoned.has(table) ? [] : this.#rows<Row>(query, ...bindings);
    } catch (cause) {
      this.#markUnreadable(table, cause);
      return [];
    }
  }

  /** Runs a statement that writes to a table, and returns the number of written rows. */
  run(table: Name, statement: string, ...bindings: SqlStorageValue[]): number {
    if (this.#abandoned.has(table)) return 0;
    try {
      return this.#ports.sql.exec(statement, ...bindings).rowsWritten;
    } catch (cause) {
      if (isDamage(cause)) this.#ports.damaged.add(table);
      throw cause;
    }
  }

  /** Lists the tables that could not be read in the last days, including those before a restart. */
  damaged(): DamagedTable[] {
    const setAside = this.#setAside().filter(({ day }) => (parseDay(day) ?? 0) > this.#ports.now() - SHOWN_MS);
    const all = [...setAside, ...this.#unreadable.values()];
    return [...new Map(all.map((each) => [each.table, each])).values()];
  }

  /** Records a table that cannot be read. A damaged one is renamed, and an empty table takes its place. */
  #markUnreadable(table: Name, cause: unknown): void {
    const { sql, damaged, now, log, write } = this.#ports;
    const day = dayText(now());
    if (!this.#unreadable.has(table)) log("store_damaged", { table, cause: String(cause) });
    this.#unreadable.set(table, { table, day });
    if (!isDamage(cause)) return;
    // A second damage on one day means that the disk fails: another empty table would not help.
    const isSecond = this.#setAside().some((each) => each.table === table && each.day === day);
    const suffix = day.replaceAll("-", "_");
    const isReplaced =
      !isSecond &&
      write(() => {
        sql.exec(`ALTER TABLE ${table} RENAME TO ${table}_damaged_${suffix}`);
        this.#create(table, `_${suffix}`);
      });
    if (isReplaced) damaged.delete(table);
    else this.#abandoned.add(table);
  }

  /** Creates a table. `suffix`: makes the name of its index new, because a renamed table keeps its index. */
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

/** Whether a statement failed because a page of its table is damaged; writes to other tables still work. */
export function isDamage(cause: unknown): boolean {
  return String(cause).includes(DAMAGED_PAGE);
}
