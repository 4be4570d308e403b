import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { experimental_readRawConfig as readRawConfig } from "wrangler";
import { parseNodeConfig } from "../devnode/config.ts";
import { edgeProblems } from "./edge-settings.ts";
import { parseArguments } from "./start/arguments.ts";
import { routeSettings } from "./start/settings.ts";

const ROOT = join(import.meta.dirname, "..");
const NODE_CONFIG = join(ROOT, "devnode", "wrangler.toml");
const READY_SECONDS = 60;
/** A runtime that lives no longer than this would fall again. */
const RESTART_AFTER_MS = 3_000;
/** Nothing is asked of any network, and nothing is reported to anyone. */
const QUIET = { WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false", X_LOCAL_EXPLORER: "false" };

/** Serves the whole product on this machine: the edge, and the embedded node behind it. */
async function start(words: readonly string[]): Promise<void> {
  const parsed = parseArguments(words);
  if (parsed.kind === "faults") return refuse(parsed.faults);
  const { port, vars, state } = parsed.options;

  const edge = readRawConfig({ config: join(ROOT, "wrangler.toml") }).rawConfig;
  const node = readRawConfig({ config: NODE_CONFIG }).rawConfig;
  const settings = routeSettings(vars, edge.vars ?? {}, node.vars ?? {});
  const nodeConfig = parseNodeConfig({ ...node.vars, ...settings.node });
  const inNode = nodeConfig.kind === "problems" ? nodeConfig.problems : [];
  // A setting that both Workers know is wrong in both, and named once.
  const problems = new Set([...settings.faults, ...edgeProblems({ ...edge.vars, ...settings.edge }), ...inNode]);
  if (problems.size > 0) return refuse([...problems]);

  const configs = ["-c", "wrangler.toml", "-c", withVars(node, settings.node, port)];
  if (state !== null) configs.push("--persist-to", state);
  serve(port, [...configs, ...Object.entries(settings.edge).flatMap(([name, value]) => ["--var", `${name}:${value}`])]);
  if (await answers(`http://127.0.0.1:${port}`)) greet(`http://127.0.0.1:${port}`);
}

/**
 * The runtime in a process of its own, which ends when we do. Should it fall while we run (in wrangler 4.124 a caller
 * that hangs up inside a request's body is enough), it is started again on the same state; one that falls at once is not.
 */
function serve(port: number, words: readonly string[]): void {
  let stopping = false;
  let startedAtMs = 0;
  let wrangler: ChildProcess;
  const begin = (): void => {
    startedAtMs = performance.now();
    wrangler = spawn(
      "wrangler",
      ["dev", ...words, "--ip", "127.0.0.1", "--port", String(port), "--log-level", "warn"],
      { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...QUIET } },
    );
    wrangler.on("error", () => refuse(["wrangler did not start; run `npm ci` first"]));
    wrangler.on("exit", (code) => {
      if (stopping || code === 0 || performance.now() - startedAtMs < RESTART_AFTER_MS) process.exit(code ?? 0);
      console.error("start: the runtime fell; starting it again");
      begin();
    });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      stopping = true;
      wrangler.kill(signal);
    });
  begin();
}

/** The embedded node's configuration with the settings given at the start: wrangler's own --var reaches only the first Worker. */
function withVars(
  raw: ReturnType<typeof readRawConfig>["rawConfig"],
  given: Readonly<Record<string, string>>,
  port: number,
): string {
  const folder = join(ROOT, ".wrangler", "start");
  mkdirSync(folder, { recursive: true });
  // One for each port: the runtime watches its file, and two may be started from here.
  const file = join(folder, `node-${port}.json`);
  const main = join(ROOT, "devnode", raw.main ?? "worker.ts");
  writeFileSync(file, JSON.stringify({ ...raw, main, vars: { ...raw.vars, ...given } }));
  return file;
}

/** A preflight costs no quota. */
async function answers(base: string): Promise<boolean> {
  for (let attempt = 0; attempt < READY_SECONDS * 5; attempt += 1) {
    const response = await fetch(`${base}/api/max-supply`, { method: "OPTIONS" }).catch(() => undefined);
    if (response?.status === 204) return true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return refuse([`nothing answered on ${base} within ${READY_SECONDS} seconds`]);
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

function refuse(problems: readonly string[]): never {
  for (const problem of problems) console.error(`start: ${problem}`);
  process.exit(1);
}

await start(process.argv.slice(2));
