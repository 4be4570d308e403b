import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GuardedStore, NO_WRITES } from "../../../src/home/guarded-store.ts";
import { Tables } from "../../../src/home/tables.ts";

const NOON = Date.parse("2026-11-21T12:00:00Z");
const DAY_MS = 86_400_000;
const DEFINITIONS = {
  kept: { columns: "name TEXT PRIMARY KEY, value TEXT NOT NULL", index: "value" },
  other: { columns: "name TEXT PRIMARY KEY, value TEXT NOT NULL" },
} as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tables-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Instances of one object over a real database, whose pages a test damages between them. */
function world() {
  const path = join(folder, "store.sqlite");
  const state = { nowMs: NOON, fails: null as Error | null };
  const logged: unknown[] = [];
  const statements: string[] = [];
  const memory = new Set<string>();
  let database = new DatabaseSync(path);
  const sql = {
    exec: (query: string, ...bindings: SQLInputValue[]) => {
      statements.push(query);
      if (state.fails !== null) throw state.fails;
      const statement = database.prepare(query);
      const rows = statement.all(...bindings);
      return { toArray: () => rows, rowsWritten: rows.length === 0 ? 1 : 0 };
    },
    // Cast: of the platform's interface only this is used.
  } as unknown as SqlStorage;
  const now = () => state.nowMs;
  const newInstance = () => {
    const ports = { sync: async () => undefined, now, background: () => undefined };
    const store = new GuardedStore({ ...ports, memory: { ...NO_WRITES }, log: (event) => logged.push(event) });
    const write = (work: () => void) => store.write(work);
    const log = (event: string, { table }: Readonly<Record<string, unknown>>) => logged.push(`${event} ${table}`);
    const tables = new Tables({ sql, definitions: DEFINITIONS, damaged: memory, write, now, log });
    const put = (table: "kept" | "other", name: string) =>
      write(() => void tables.run(table, `INSERT OR REPLACE INTO ${table} VALUES (?, ?)`, name, "v"));
    const names = (table: "kept" | "other") =>
      tables.rowsOrNone<{ name: string }>(table, `SELECT name FROM ${table} ORDER BY name`).map(({ name }) => name);
    return { tables, put, names };
  };
  /** Overwrites the root page of a table or an index. */
  const damage = (part: string) => {
    const row = database.prepare("SELECT rootpage AS page FROM sqlite_master WHERE name = ?").get(part);
    database.close();
    const descriptor = openSync(path, "r+");
    writeSync(descriptor, Buffer.alloc(64, 0x5a), 0, 64, (Number(row?.["page"]) - 1) * 4_096);
    closeSync(descriptor);
    database = new DatabaseSync(path);
  };
  return { state, logged, statements, memory, newInstance, damage };
}

test("control: an undamaged store keeps its rows over instances, writes nothing at their start, and names nothing", () => {
  const { newInstance, logged, statements } = world();
  newInstance().put("kept", "a");
  statements.length = 0;
  const { names, tables } = newInstance();
  expect(statements.filter((statement) => !statement.startsWith("SELECT"))).toEqual([]);
  expect([names("kept"), names("other"), tables.damaged(), logged]).toEqual([["a"], [], [], []]);
  expect(tables.run("kept", "INSERT INTO kept VALUES ('b', 'v')"), "rows written").toBe(1);
});

describe("a damaged table", () => {
  test.each(["kept", "kept_by_value"])(
    "counts as absent and takes new rows, with its index, when %s is met",
    (part) => {
      const { newInstance, logged, damage, state } = world();
      newInstance().put("kept", "a");
      newInstance().put("other", "b");
      damage(part);
      const { tables, names, put } = newInstance();
      const found = () => tables.rowsOrNone("kept", "SELECT name FROM kept WHERE value = 'v' AND value > ''");
      if (part === "kept") expect(names("kept")).toEqual([]);
      else expect(found()).toEqual([]);
      expect([put("kept", "c"), names("kept"), names("other")]).toEqual([true, ["c"], ["b"]]);
      const indexed = tables.rowsOrNone<{ detail: string }>(
        "kept",
        "EXPLAIN QUERY PLAN SELECT name FROM kept WHERE value = 'v'",
      );
      expect(indexed[0]?.detail).toContain("INDEX kept_by_value_2026_11_21");
      expect(logged).toEqual(["store_damaged kept"]);
      // Health shows it for a week, over instances.
      state.nowMs = NOON + 6 * DAY_MS;
      expect(newInstance().tables.damaged()).toEqual([{ table: "kept", day: "2026-11-21" }]);
      const week = Date.parse("2026-11-28T00:00:00Z");
      for (const [nowMs, count] of [[week - 1, 1] as const, [week, 0] as const]) {
        state.nowMs = nowMs;
        expect(newInstance().tables.damaged()).toHaveLength(count);
      }
      expect(newInstance().names("kept")).toEqual(["c"]);
    },
  );

  test("that a write meets first ends the object, and the next instance puts an empty one in its place", () => {
    const { newInstance, memory, damage, logged } = world();
    newInstance().put("kept", "a");
    damage("kept");
    const ended = newInstance();
    expect([ended.put("kept", "b"), [...memory]]).toEqual([false, ["kept"]]);
    // An ended table is no refusal: other tables are written.
    expect(ended.put("other", "o")).toBe(true);
    const { put, names } = newInstance();
    expect([put("kept", "c"), names("kept"), names("other"), [...memory]]).toEqual([true, ["c"], ["o"], []]);
    expect(logged).toEqual(["store_damaged kept"]);
  });

  test("that is damaged again on the same day is left: nothing is read from it or written to it until tomorrow", () => {
    const { newInstance, damage, state } = world();
    newInstance().put("kept", "a");
    for (const name of ["b", "c"]) {
      damage("kept");
      const { names, put } = newInstance();
      expect(names("kept")).toEqual([]);
      put("kept", name);
    }
    const left = newInstance();
    expect([left.names("kept"), left.put("kept", "d"), left.names("kept")]).toEqual([[], true, []]);
    expect(left.tables.damaged()).toEqual([{ table: "kept", day: "2026-11-21" }]);
    state.nowMs += DAY_MS;
    const replaced = newInstance();
    expect([replaced.names("kept"), replaced.put("kept", "e"), replaced.names("kept")]).toEqual([[], true, ["e"]]);
  });
});

test("two tables that are damaged on one day are both replaced", () => {
  const { newInstance, damage } = world();
  for (const table of ["kept", "other"] as const) {
    newInstance().put(table, "a");
    damage(table);
    const { names, put } = newInstance();
    expect([names(table), put(table, "b"), names(table)]).toEqual([[], true, ["b"]]);
  }
});

test("of a table that is left nothing is read, though a part of it could be", () => {
  const { newInstance, damage } = world();
  newInstance().put("kept", "a");
  damage("kept");
  const first = newInstance();
  expect([first.names("kept"), first.put("kept", "b")]).toEqual([[], true]);
  damage("kept_by_value_2026_11_21");
  const { names, tables } = newInstance();
  expect(names("kept"), "control: the rows themselves can be read").toEqual(["b"]);
  expect(tables.rowsOrNone("kept", "SELECT name FROM kept WHERE value = 'v'")).toEqual([]);
  expect(names("kept")).toEqual([]);
});

test("a write that fails for another reason leaves the table to the next instance", () => {
  const { newInstance, state, memory } = world();
  const { put } = newInstance();
  put("kept", "a");
  state.fails = new Error("SQLITE_FULL: database or disk is full");
  expect([put("kept", "b"), [...memory]]).toEqual([false, []]);
  state.fails = null;
  expect(newInstance().names("kept")).toEqual(["a"]);
});

test("a read that fails for another reason is absent, is named, and leaves the table as it is", () => {
  const { newInstance, state, logged } = world();
  const { put, names, tables } = newInstance();
  put("kept", "a");
  state.fails = new Error("disk I/O error: SQLITE_IOERR");
  expect([names("kept"), names("kept")]).toEqual([[], []]);
  state.fails = null;
  expect([names("kept"), tables.damaged()]).toEqual([["a"], [{ table: "kept", day: "2026-11-21" }]]);
  expect(logged).toEqual(["store_damaged kept"]);
});
