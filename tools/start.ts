import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Refusal, runTool } from "./command-line.ts";
import { HELP, parseArguments, type StartOptions } from "./start/arguments.ts";
import { isPortTaken, lockState } from "./start/lock.ts";

const ROOT = join(import.meta.dirname, "..");
const STATE = join(ROOT, ".wrangler", "state", "start");

/** Serves the whole product on this machine: the edge, and the embedded node behind it. */
async function main(words: string[]): Promise<void> {
  const options = parseArguments(words);
  const { port, state = STATE } = options;
  if (await isPortTaken(port))
    throw new Refusal([`port ${port} is in use; stop what listens there, or give another with --port N`]);
  const lock = await lockState(state, { pid: process.pid, port }, Date.now());
  if (lock.kind === "in_use") {
    const { holder } = lock;
    const who = `another start (process ${holder.pid}, port ${holder.port})`;
    throw new Refusal([`${who} uses ${state}; stop it, or give another folder with --state FOLDER`]);
  }
  process.once("exit", lock.release);
  console.log(`Starting on port ${port}: checking the settings and the schedule, building (up to half a minute)...`);
  await serve(options, state);
}

/** Loads the heavy modules only after the first line was printed. */
async function serve({ port, vars }: StartOptions, state: string): Promise<void> {
  const { workerConfigs } = await import("./start/worker-configs.ts");
  const configs = await workerConfigs(vars);
  if (configs.kind === "problems") throw new Refusal(configs.problems);
  const { edge, node } = configs;
  const { build } = await import("./build.ts");
  await build();
  // A separate copy, so that a build never changes the page of a running server.
  const page = join(state, "page");
  rmSync(page, { recursive: true, force: true });
  cpSync(join(ROOT, "dist", "page"), page, { recursive: true });
  const { genesisOf } = await import("./start/genesis-settings.ts");
  const chain = { ...node, vars: { ...node.vars, ...genesisOf(vars, Date.now()) } };
  const { runProduct } = await import("./start/runtime.ts");
  const runtime = await runProduct({ port, state, page, edge, node: chain, onLog: console.log }).catch(
    (cause: unknown) => {
      throw new Refusal([`port ${port}: ${cause instanceof Error ? cause.message : String(cause)}`]);
    },
  );
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => void runtime.dispose().then(() => process.exit(0)));
  greet(`http://127.0.0.1:${port}`);
}

function greet(base: string): void {
  console.log(
    [
      "Ready. Try:",
      `  curl ${base}/api/circulating-supply`,
      `  curl ${base}/api/supply`,
      `  curl ${base}/v1`,
      `  ${base}/ in a browser, ${base}/docs for both API documents`,
      "Stop with Ctrl-C.",
    ].join("\n"),
  );
}

await runTool(import.meta.url, HELP, main);
