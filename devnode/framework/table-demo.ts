import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { newEventHandle } from "./account.ts";
import { DEVELOPMENT } from "./addresses.ts";
import { type Table, table, tableHandle } from "./containers.ts";
import { entry, type ModuleDefinition, signer, view } from "./define.ts";
import { type EventHandle, emitEvent, eventHandle } from "./event.ts";
import { address, bool, option, string, struct, u64, vector } from "./schema.ts";

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/** A key that is a struct within a struct. */
interface Cell {
  readonly board: string;
  readonly at: Point;
}

interface Note {
  readonly author: Address;
  readonly text: string;
  readonly tags: readonly string[];
  readonly about: Cell | null;
}

interface TableStore {
  readonly simple: Table;
  readonly nested: Table;
  readonly size: bigint;
  readonly put_events: EventHandle;
  readonly remove_events: EventHandle;
}

const abilities = ["copy", "drop", "store"] as const;
const point = struct<Point>("0xde5::table_demo::Point", { abilities }, { x: u64, y: u64 });
const cell = struct<Cell>("0xde5::table_demo::Cell", { abilities }, { board: string, at: point });
const note = struct<Note>(
  "0xde5::table_demo::Note",
  { abilities },
  { author: address, text: string, tags: vector(string), about: option(cell) },
);
const putEvent = struct<{ readonly key: bigint | null; readonly cell: Cell | null; readonly replaced: boolean }>(
  "0xde5::table_demo::PutEvent",
  { abilities: ["drop", "store"] },
  { key: option(u64), cell: option(cell), replaced: bool },
);
const removeEvent = struct<{ readonly key: bigint }>(
  "0xde5::table_demo::RemoveEvent",
  { abilities: ["drop", "store"] },
  { key: u64 },
);
const store = struct<TableStore>(
  "0xde5::table_demo::Notebook",
  { abilities: ["key"] },
  {
    simple: table.of("u64", string.type),
    nested: table.of(cell.type, note.type),
    size: u64,
    put_events: eventHandle.of(putEvent.type),
    remove_events: eventHandle.of(removeEvent.type),
  },
);

const abort = aborts("0xde5::table_demo", {
  ENO_NOTEBOOK: [1, "The account has put nothing yet."],
  ENOT_FOUND: [2, "The table holds nothing under this key."],
});

/** The owner's tables; created by the first put. */
function storeOf(session: Session, owner: Address): TableStore {
  return (
    session.find(store, owner) ?? {
      simple: { handle: tableHandle(owner, "table_demo.simple") },
      nested: { handle: tableHandle(owner, "table_demo.nested") },
      size: 0n,
      put_events: newEventHandle(session, owner),
      remove_events: newEventHandle(session, owner),
    }
  );
}

function put(session: Session, owner: Address, key: bigint, text: string): void {
  const book = storeOf(session, owner);
  const replaced = session.findItem(book.simple.handle, u64, key, string) !== undefined;
  session.putItem(book.simple.handle, u64, key, string, text);
  recordPut(session, owner, book, { key, cell: null, replaced });
}

function putNested(session: Session, owner: Address, key: Cell, text: string, tags: readonly string[]): void {
  const book = storeOf(session, owner);
  const replaced = session.findItem(book.nested.handle, cell, key, note) !== undefined;
  session.putItem(book.nested.handle, cell, key, note, { author: owner, text, tags, about: replaced ? key : null });
  recordPut(session, owner, book, { key: null, cell: key, replaced });
}

function recordPut(
  session: Session,
  owner: Address,
  book: TableStore,
  event: { readonly key: bigint | null; readonly cell: Cell | null; readonly replaced: boolean },
): void {
  session.put(store, owner, {
    ...book,
    size: event.replaced ? book.size : book.size + 1n,
    put_events: emitEvent(session, book.put_events, putEvent, event),
  });
}

function remove(session: Session, owner: Address, key: bigint): void {
  const book = opened(session, owner);
  if (session.findItem(book.simple.handle, u64, key, string) === undefined) throw abort("not_found", "ENOT_FOUND");
  session.removeItem(book.simple.handle, u64, key, string);
  const handle = emitEvent(session, book.remove_events, removeEvent, { key });
  session.put(store, owner, { ...book, size: book.size - 1n, remove_events: handle });
}

function opened(session: Session, owner: Address): TableStore {
  const book = session.find(store, owner);
  if (book === undefined) throw abort("not_found", "ENO_NOTEBOOK");
  return book;
}

/** Two tables per account: numbers to texts, and nested structs to structs. */
export const tableDemoModule: ModuleDefinition = {
  address: DEVELOPMENT,
  name: "table_demo",
  friends: [],
  structs: [cell, note, store, point, putEvent, removeEvent],
  functions: [
    view("get", {}, [address, u64], [option(string)], ({ session }, owner, key) => [
      session.findItem(opened(session, owner).simple.handle, u64, key, string) ?? null,
    ]),
    view("get_nested", {}, [address, cell], [option(note)], ({ session }, owner, key) => [
      session.findItem(opened(session, owner).nested.handle, cell, key, note) ?? null,
    ]),
    view("size", {}, [address], [u64], ({ session }, owner) => [session.find(store, owner)?.size ?? 0n]),
    entry("put", {}, [signer, u64, string], ({ session }, owner, key, text) => put(session, owner, key, text)),
    entry(
      "put_nested",
      {},
      [signer, string, u64, u64, string, vector(string)],
      ({ session }, owner, board, x, y, text, tags) => putNested(session, owner, { board, at: { x, y } }, text, tags),
    ),
    entry("remove", {}, [signer, u64], ({ session }, owner, key) => remove(session, owner, key)),
  ],
};
