import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isRecord, parseJson } from "../../src/base/json.ts";
import { Refusal } from "./command-line.ts";

/** The process that has a lock; `port` is where it listens, if it does. */
export interface Holder {
  readonly pid: number;
  readonly port?: number;
}

export type LockResult =
  | { readonly kind: "locked"; readonly release: () => void }
  /** `holder`: null while the other process has not yet written who it is. */
  | { readonly kind: "in_use"; readonly holder: Holder | null };

const BUSY = 5;
/** Longest time that a lock of a shared folder is waited for: it is held while a few folders are removed. */
const SHARE_MS = 60_000;
/** Open while locked: a database that nobody refers to is closed, and its lock ends. */
const held = new Set<DatabaseSync>();

/**
 * Locks a folder for one purpose. The lock is the operating system's, on a file that SQLite has open, so it ends with
 * the process however that ends, and no other process has to judge whether its owner is alive. Throws a Refusal when
 * the folder cannot be written.
 */
export function lockFolder(folder: string, purpose: string, holder: Holder): LockResult {
  const path = join(folder, `${purpose}.holder.json`);
  const database = opened(folder, purpose);
  try {
    database.exec("BEGIN EXCLUSIVE");
    writeFileSync(path, JSON.stringify(holder));
  } catch (cause) {
    database.close();
    if (isRecord(cause) && cause["errcode"] === BUSY) return { kind: "in_use", holder: holderIn(path) };
    throw unwritable(folder, cause);
  }
  held.add(database);
  return {
    kind: "locked",
    release: () => {
      if (held.delete(database)) database.close();
    },
  };
}

/**
 * Keeps {@link lockFolder} of the same purpose from locking the folder until this process ends; many processes may. Waits
 * while it is locked. A folder that cannot be written is shared too, once it has been locked by somebody.
 */
export function shareFolder(folder: string, purpose: string): void {
  const database = openedForReading(folder, purpose);
  // A transaction that has read has the lock of a reader, for as long as it is open.
  database.exec(`PRAGMA busy_timeout = ${SHARE_MS}; BEGIN; SELECT name FROM sqlite_master`);
  held.add(database);
}

function openedForReading(folder: string, purpose: string): DatabaseSync {
  try {
    return opened(folder, purpose);
  } catch (cause) {
    if (!existsSync(lockPath(folder, purpose))) throw cause;
    return new DatabaseSync(lockPath(folder, purpose), { readOnly: true });
  }
}

const lockPath = (folder: string, purpose: string): string => join(folder, `${purpose}.lock.sqlite`);

function opened(folder: string, purpose: string): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true });
    return new DatabaseSync(lockPath(folder, purpose));
  } catch (cause) {
    throw unwritable(folder, cause);
  }
}

function unwritable(folder: string, cause: unknown): Refusal {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Refusal([`${folder}: cannot be written (${why}); free some space, or give a folder that can be`]);
}

function holderIn(path: string): Holder | null {
  try {
    const parsed = parseJson(readFileSync(path, "utf8"));
    if (!isRecord(parsed)) return null;
    const { pid, port } = parsed;
    return typeof port === "number" ? { pid: Number(pid), port } : { pid: Number(pid) };
  } catch {
    return null;
  }
}

/** Whether a process on this machine listens on a port. */
export function isPortTaken(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
