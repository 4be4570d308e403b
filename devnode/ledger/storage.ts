export type SqlValue = string | number | Uint8Array | null;
export type Row = Readonly<Record<string, unknown>>;

/** SQLite as the ledger needs it: synchronous, one writer. */
export interface Storage {
  /** Runs one statement and returns its rows. */
  readonly run: (statement: string, ...values: readonly SqlValue[]) => readonly Row[];
  /** All of `work`'s statements, or, when it throws, none of them. */
  readonly atomically: <T>(work: () => T) => T;
}

/** Reads an integer column. Throws on a wrong type: the database is damaged. */
export function integerIn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new TypeError(`${column} is no integer`);
  return value;
}

/** Reads a blob column, in any of the forms that drivers return. */
export function bytesIn(row: Row, column: string): Uint8Array {
  const value = nullableBytesIn(row, column);
  if (value === null) throw new TypeError(`${column} is null`);
  return value;
}

export function nullableBytesIn(row: Row, column: string): Uint8Array | null {
  const value = row[column];
  if (value === null) return null;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`${column} is no blob`);
}

export function textIn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`${column} is no text`);
  return value;
}

/** One column of a table: its name, and how a value is stored in it. */
export interface Column<T> {
  readonly name: string;
  read(row: Row): T;
  write(value: T): SqlValue;
}

const unchanged =
  <T extends SqlValue>(readIn: (row: Row, name: string) => T) =>
  (name: string): Column<T> => ({ name, read: (row) => readIn(row, name), write: (value) => value });
export const integer = unchanged(integerIn);
export const bytes = unchanged(bytesIn);
export const text = unchanged(textIn);

/** Column that is stored as bytes but read as a value of another type. */
export function asBytes<T>(name: string, from: (bytes: Uint8Array) => T, to: (value: T) => Uint8Array): Column<T> {
  return { name, read: (row) => from(bytesIn(row, name)), write: to };
}

export function nullable<T>(column: Column<T>): Column<T | null> {
  return {
    name: column.name,
    read: (row) => (row[column.name] === null ? null : column.read(row)),
    write: (value) => (value === null ? null : column.write(value)),
  };
}

type Columns = Readonly<Record<string, Column<unknown>>>;
/** A row as the columns read it. */
export type RowOf<C extends Columns> = { readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };

/** Rows of one table as values. */
export class Table<C extends Columns> {
  readonly #storage: Storage;
  readonly #name: string;
  readonly #columns: readonly (readonly [string, Column<unknown>])[];
  readonly #names: string;

  constructor(storage: Storage, name: string, columns: C) {
    this.#storage = storage;
    this.#name = name;
    this.#columns = Object.entries(columns);
    this.#names = Object.values(columns)
      .map((column) => column.name)
      .join(", ");
  }

  insert(row: RowOf<C>): void {
    const values = this.#columns.map(([name, column]) => column.write(row[name]));
    const places = values.map(() => "?").join(", ");
    this.#storage.run(`INSERT INTO ${this.#name} (${this.#names}) VALUES (${places})`, ...values);
  }

  /** `clause` is what follows FROM: WHERE, ORDER BY, LIMIT. */
  select(clause: string, ...values: readonly SqlValue[]): readonly RowOf<C>[] {
    const rows = this.#storage.run(`SELECT ${this.#names} FROM ${this.#name} ${clause}`, ...values);
    // Cast: exactly the keys of `columns`, each read by its own column.
    return rows.map(
      (row) => Object.fromEntries(this.#columns.map(([key, column]) => [key, column.read(row)])) as RowOf<C>,
    );
  }

  delete(clause: string, ...values: readonly SqlValue[]): void {
    this.#storage.run(`DELETE FROM ${this.#name} ${clause}`, ...values);
  }
}
