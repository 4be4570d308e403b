import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

/** The process that uses a state folder. */
export interface Holder {
  readonly pid: number;
  readonly port: number;
}

export type LockResult =
  | { readonly kind: "locked"; readonly release: () => void }
  | { readonly kind: "in_use"; readonly holder: Holder };

/** A start listens well within this time; an older lock with a silent port was left by a crash. */
const STARTUP_MS = 120_000;

/** Locks a state folder for this process: two processes would silently corrupt one database. */
export async function lockState(folder: string, holder: Holder, nowMs: number): Promise<LockResult> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "start.lock");
  for (;;) {
    try {
      writeFileSync(path, JSON.stringify(holder), { flag: "wx" });
      return { kind: "locked", release: () => release(path, holder) };
    } catch (cause) {
      if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause;
    }
    const found = read(path);
    if (found !== null && (await isInUse(path, found, nowMs))) return { kind: "in_use", holder: found };
    rmSync(path, { force: true });
  }
}

function release(path: string, holder: Holder): void {
  if (existsSync(path) && read(path)?.pid === holder.pid) rmSync(path, { force: true });
}

function read(path: string): Holder | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof parsed !== "object" || parsed === null || !("pid" in parsed) || !("port" in parsed)) return null;
    return { pid: Number(parsed.pid), port: Number(parsed.port) };
  } catch {
    return null;
  }
}

/** Whether the process runs and wrote the lock: its id may have been reused. */
async function isInUse(path: string, { pid, port }: Holder, nowMs: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const isYoung = existsSync(path) && nowMs - statSync(path).mtimeMs < STARTUP_MS;
  return isYoung || (await isPortTaken(port));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM";
  }
}

/** Whether a process on this machine listens on a port. */
export function isPortTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
