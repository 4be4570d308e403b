import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Storage } from "../../ledger/storage.ts";

/** A real SQLite behind the ledger's storage port, in memory unless a file is named. */
export function sqliteStorage(file = ":memory:"): Storage & { readonly close: () => void } {
  const database = new DatabaseSync(file);
  const statements = new Map<string, StatementSync>();
  let depth = 0;
  const prepared = (text: string): StatementSync => {
    const statement = statements.get(text) ?? database.prepare(text);
    statements.set(text, statement);
    return statement;
  };
  return {
    run: (text, ...values) => prepared(text).all(...values) as Record<string, unknown>[], // rows as the driver gives them
    atomically: (work) => {
      const name = `s${depth}`;
      database.exec(`SAVEPOINT ${name}`);
      depth += 1;
      try {
        const result = work();
        database.exec(`RELEASE ${name}`);
        return result;
      } catch (cause) {
        database.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
        throw cause;
      } finally {
        depth -= 1;
      }
    },
    close: () => database.close(),
  };
}
