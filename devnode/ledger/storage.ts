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
