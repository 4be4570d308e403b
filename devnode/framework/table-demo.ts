import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { newStreams } from "./account.ts";
import { table, tableHandle } from "./containers.ts";
import { defineModule, entry, signer, view } from "./define.ts";
import { emitOn, handlesOf } from "./event.ts";
import { address, bool, option, string, structsOf, u64, type ValueOf, vector } from "./schema.ts";

const declare = structsOf("0xde5::table_demo");
const abilities = ["copy", "drop", "store"] as const;
const point = declare("Point", abilities, { x: u64, y: u64 });
/** A key that is a struct within a struct. */
const cell = declare("Cell", abilities, { board: string, at: point });
const note = declare("Note", abilities, { author: address, text: string, tags: vector(string), about: option(cell) });
const putEvent = declare("PutEvent", ["drop", "store"], { key: option(u64), cell: option(cell), replaced: bool });
const removeEvent = declare("RemoveEvent", ["drop", "store"], { key: u64 });
const streams = { put_events: putEvent, remove_events: removeEvent };
const tableStore = declare("Notebook", ["key"], {
  simple: table.of("u64", string.type),
  nested: table.of(cell.type, note.type),
  size: u64,
  ...handlesOf(streams),
});

type TableStore = ValueOf<typeof tableStore>;

const abort = aborts("0xde5::table_demo", {
  ENO_NOTEBOOK: [1, "The account has put nothing yet."],
  ENOT_FOUND: [2, "The table holds nothing under this key."],
});

/** The owner's tables; created by the first put. */
function storeOf(session: Session, owner: Address): TableStore {
  return (
    session.find(tableStore, owner) ?? {
      simple: { handle: tableHandle(owner, "table_demo.simple") },
      nested: { handle: tableHandle(owner, "table_demo.nested") },
      size: 0n,
      ...newStreams(session, owner, streams),
    }
  );
}

function opened(session: Session, owner: Address): TableStore {
  return session.get(tableStore, owner, () => abort("not_found", "ENO_NOTEBOOK"));
}

function put(session: Session, owner: Address, key: bigint, text: string): void {
  const store = storeOf(session, owner);
  const replaced = session.findItem(store.simple.handle, u64, key, string) !== undefined;
  session.putItem(store.simple.handle, u64, key, string, text);
  recordPut(session, owner, store, { key, cell: null, replaced });
}

function putNested(
  session: Session,
  owner: Address,
  key: ValueOf<typeof cell>,
  text: string,
  tags: readonly string[],
): void {
  const store = storeOf(session, owner);
  const replaced = session.findItem(store.nested.handle, cell, key, note) !== undefined;
  session.putItem(store.nested.handle, cell, key, note, { author: owner, text, tags, about: replaced ? key : null });
  recordPut(session, owner, store, { key: null, cell: key, replaced });
}

function recordPut(session: Session, owner: Address, store: TableStore, event: ValueOf<typeof putEvent>): void {
  const grown = { ...store, size: event.replaced ? store.size : store.size + 1n };
  session.put(tableStore, owner, emitOn(session, streams, grown, "put_events", event));
}

function remove(session: Session, owner: Address, key: bigint): void {
  const store = opened(session, owner);
  if (session.findItem(store.simple.handle, u64, key, string) === undefined) throw abort("not_found", "ENOT_FOUND");
  session.removeItem(store.simple.handle, u64, key, string);
  session.put(
    tableStore,
    owner,
    emitOn(session, streams, { ...store, size: store.size - 1n }, "remove_events", { key }),
  );
}

/** Two tables per account: numbers to texts, and nested structs to structs. */
export const tableDemoModule = defineModule("0xde5::table_demo", {
  structs: [cell, note, tableStore, point, putEvent, removeEvent],
  functions: [
    view(
      "get",
      [address, u64],
      option(string),
      (session, owner, key) => session.findItem(opened(session, owner).simple.handle, u64, key, string) ?? null,
    ),
    view(
      "get_nested",
      [address, cell],
      option(note),
      (session, owner, key) => session.findItem(opened(session, owner).nested.handle, cell, key, note) ?? null,
    ),
    view("size", [address], u64, (session, owner) => session.find(tableStore, owner)?.size ?? 0n),
    entry("put", [signer, u64, string], put),
    entry("put_nested", [signer, string, u64, u64, string, vector(string)], (session, owner, board, x, y, text, tags) =>
      putNested(session, owner, { board, at: { x, y } }, text, tags),
    ),
    entry("remove", [signer, u64], remove),
  ],
});
