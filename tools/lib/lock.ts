import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isRecord, parseJson } from "../../src/base/json.ts";
import { Refusal } from "./command-line.ts";

/** Process that has a lock; `port` is where it listens, if it does. */
export interface Holder {
  readonly pid: number;
  readonly port?: number;
}

export type LockResult =
  | { readonly kind: "locked"; readonly release: () => void }
  /** `holder` is null until the other process has written who it is. */
  | { readonly kind: "in_use"; readonly holder: Holder | null };

const BUSY = 5;
/** Longest wait for a lock of a shared folder; it is held only while a few folders are removed. */
const SHARE_MS = 60_000;
/** Databases of held locks. Without a reference the database would be closed, which ends the lock. */
const openLocks = new Set<DatabaseSync>();

/**
 * Locks a folder for one purpose. The operating system holds the lock, on a file that SQLite has open, so it ends with
 * the process. No other process has to find out whether its owner is alive. Throws a Refusal when the folder cannot be
 * written.
 */
export function lockFolder(folder: string, purpose: string, holder: Holder): LockResult {
  const path = join(folder, `${purpose}.holder.json`);
  const database = openDatabase(folder, purpose);
  try {
    database.exec("BEGIN EXCLUSIVE");
    writeFileSync(path, JSON.stringify(holder));
  } catch (cause) {
    database.close();
    if (isRecord(cause) && cause["errcode"] === BUSY) return { kind: "in_use", holder: holderIn(path) };
    throw unwritable(folder, cause);
  }
  openLocks.add(database);
  return {
    kind: "locked",
    release: () => {
      if (openLocks.delete(database)) database.close();
    },
  };
}

/**
 * Prevents {@link lockFolder} for the same purpose until this process ends; several processes may share a folder. Waits
 * while the folder is locked. A folder that cannot be written can be shared once somebody has locked it.
 */
export function shareFolder(folder: string, purpose: string): void {
  const database = openedForReading(folder, purpose);
  // A transaction that has read keeps a reader's lock until it ends.
  database.exec(`PRAGMA busy_timeout = ${SHARE_MS}; BEGIN; SELECT name FROM sqlite_master`);
  openLocks.add(database);
}

function openedForReading(folder: string, purpose: string): DatabaseSync {
  try {
    return openDatabase(folder, purpose);
  } catch (cause) {
    if (!existsSync(lockPath(folder, purpose))) throw cause;
    return new DatabaseSync(lockPath(folder, purpose), { readOnly: true });
  }
}

const lockPath = (folder: string, purpose: string): string => join(folder, `${purpose}.lock.sqlite`);

function openDatabase(folder: string, purpose: string): DatabaseSync {
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
