import { type ChildProcess, spawn } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";

/** Shell script that reads process ids until its writer ends, in whatever way, and then kills the last one. */
const SCRIPT = 'while read -r found; do child=$found; done; [ -z "$child" ] || kill -9 "$child"';

/**
 * Kills the runtime, which is the next child of this process, when this process ends. After a SIGKILL an orphaned
 * runtime would keep the port and write to the state of the next start. Needs a POSIX shell; without one, an orphan
 * must be ended by hand.
 */
export function endNextChildWithThisProcess(): void {
  // The guard has its own process group: a signal to this process's group must not end the guard first.
  const guard = spawn("sh", ["-c", SCRIPT], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  guard.on("error", () => undefined);
  guard.unref();
  subscribe("child_process", (message) => {
    const { process: child } = message as { readonly process: ChildProcess }; // as Node documents this channel
    child.once("spawn", () => guard.stdin.write(`${child.pid}\n`));
    child.once("exit", () => guard.stdin.write("\n"));
  });
}
