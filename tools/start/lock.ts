import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isRecord, parseJson } from "../../src/base/json.ts";
import { Refusal } from "../command-line.ts";

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

function opened(folder: string, purpose: string): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true });
    return new DatabaseSync(join(folder, `${purpose}.lock.sqlite`));
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
