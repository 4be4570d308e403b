import { fork } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Refusal, runTool } from "./lib/command-line.ts";
import { isPortTaken, lockFolder } from "./lib/lock.ts";
import { HELP, parseArguments, type StartOptions } from "./start/arguments.ts";
import { endNextChildWithThisProcess } from "./start/guard.ts";
import type { BuildOrder, BuiltWorkers } from "./start/prepare.ts";

const ROOT = join(import.meta.dirname, "..");
const STATE = join(ROOT, ".wrangler", "state", "start");
/** Folders in which the runtime stores its state; other files in the state folder stay. */
const STORED = ["cache", "do"];
const WATCH_MS = 1_000;

/** Serves the whole product on this machine: the edge, and the embedded node behind it. */
async function main(words: string[]): Promise<void> {
  const options = parseArguments(words);
  const { port, host, state = STATE, isFresh } = options;
  if (await isPortTaken(port, host))
    throw new Refusal([`port ${port} is in use; stop what listens there, or give another with --port N`]);
  const lock = lockFolder(state, "start", { pid: process.pid, port });
  if (lock.kind === "in_use") {
    const { holder } = lock;
    const who = `another start${holder === null ? "" : ` (process ${holder.pid}, port ${holder.port})`}`;
    throw new Refusal([`${who} uses ${state}; stop it, or give another folder with --state FOLDER`]);
  }
  process.once("exit", lock.release);
  if (isFresh) for (const name of STORED) rmSync(join(state, name), { recursive: true, force: true });
  console.log(`Starting on port ${port}:`);
  await serve(options, state);
}

async function serve({ port, host, vars }: StartOptions, state: string): Promise<void> {
  // This process only watches the runtime, so a small heap is enough.
  for (const flag of ["--optimize-for-size", "--max-semi-space-size=1"]) setFlagsFromString(flag);
  const page = join(state, "page");
  const [{ edge, node, paths }, { runProduct }] = await Promise.all([
    builtWorkers({ vars, page }),
    import("./start/runtime.ts"),
  ]);
  console.log("  3/3 starting the runtime and the chain");
  endNextChildWithThisProcess();
  const runtime = await runProduct({ port, host, state, page, edge, node, onLog: console.log }).catch(
    (cause: unknown) => {
      throw new Refusal([`port ${port}: ${cause instanceof Error ? cause.message : String(cause)}`]);
    },
  );
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => void runtime.dispose().then(() => process.exit(0)));
  endWithoutState(state);
  greet(`http://${LOCAL[host] ?? (host.includes(":") ? `[${host}]` : host)}:${port}`, paths);
}

/** Ends this process and the runtime once the state folder was deleted, because every request would answer 500. */
function endWithoutState(state: string): void {
  setInterval(() => {
    if (existsSync(state)) return;
    console.error(`start: ${state} was deleted, so nothing can be stored; start again (--fresh begins a new chain)`);
    process.exit(1);
  }, WATCH_MS).unref();
}

/** Waits for the builder's result. If the builder fails, it has printed the reason, and this process ends too. */
function builtWorkers(order: BuildOrder): Promise<BuiltWorkers> {
  const builder = fork(join(import.meta.dirname, "main.mjs"), ["start/prepare"], { stdio: "inherit", execArgv: [] });
  builder.send(order);
  return new Promise((resolve) => {
    builder.once("message", (message) => resolve(message as BuiltWorkers));
    builder.once("exit", (code) => {
      if (code !== 0) process.exit(code ?? 1);
    });
  });
}

/** Address by which this machine reaches a server that listens on every address. */
const LOCAL: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };

function greet(base: string, paths: readonly string[]): void {
  console.log(
    [
      "Ready. Try:",
      ...paths.map((path) => `  curl ${base}${path}`),
      `  ${base}/ in a browser, ${base}/docs for the manual`,
      "Stop with Ctrl-C.",
    ].join("\n"),
  );
}

await runTool(import.meta.url, HELP, main);
