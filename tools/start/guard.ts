import { type ChildProcess, spawn } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";

/** Reads process numbers until the process that writes them has ended in any way, then ends the last one. */
const SCRIPT = 'while read -r found; do child=$found; done; [ -z "$child" ] || kill -9 "$child"';

/**
 * Ends the runtime, the next process that this one starts, together with this one: also after a SIGKILL, when an
 * orphaned runtime would keep the port and write to the state of the next start. Needs a POSIX shell; without one an
 * orphan has to be ended by hand.
 */
export function endChildWithThisProcess(): void {
  // In a group of its own: a signal to this one's group must not end it first.
  const guard = spawn("sh", ["-c", SCRIPT], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  guard.on("error", () => undefined);
  guard.unref();
  subscribe("child_process", (message) => {
    const { process: child } = message as { readonly process: ChildProcess }; // as Node documents this channel
    child.once("spawn", () => guard.stdin.write(`${child.pid}\n`));
    child.once("exit", () => guard.stdin.write("\n"));
  });
}
