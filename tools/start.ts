import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { experimental_readRawConfig as readRawConfig } from "wrangler";
import { parseNodeConfig } from "../devnode/config.ts";
import { edgeProblems } from "./edge-settings.ts";
import { parseArguments } from "./start/arguments.ts";
import { runProduct } from "./start/runtime.ts";
import { routeSettings } from "./start/settings.ts";

const ROOT = join(import.meta.dirname, "..");
const STATE = join(ROOT, ".wrangler", "state", "start");

/** Serves the whole product on this machine: the edge, and the embedded node behind it. */
async function start(words: readonly string[]): Promise<void> {
  const parsed = parseArguments(words);
  if (parsed.kind === "faults") refuse(parsed.faults);
  const { port, vars, state } = parsed.options;

  const edge = readRawConfig({ config: join(ROOT, "wrangler.toml") }).rawConfig;
  const node = readRawConfig({ config: join(ROOT, "devnode", "wrangler.toml") }).rawConfig;
  const settings = routeSettings(vars, edge.vars ?? {}, node.vars ?? {});
  const edgeVars = { ...edge.vars, ...settings.edge };
  const nodeVars = { ...node.vars, ...settings.node };
  const nodeConfig = parseNodeConfig(nodeVars);
  // A setting that both Workers know is wrong in both, and named once.
  const problems = new Set([
    ...settings.faults,
    ...edgeProblems(edgeVars),
    ...(nodeConfig.kind === "problems" ? nodeConfig.problems : []),
  ]);
  if (problems.size > 0) refuse([...problems]);

  const built = spawnSync("npm", ["run", "--silent", "build"], { cwd: ROOT, encoding: "utf8" });
  if (built.status !== 0) refuse(`${built.stdout}${built.stderr}`.trim().split("\n"));
  const runtime = await runProduct({
    port,
    state: state ?? STATE,
    edge: { ...edge, vars: edgeVars },
    node: { ...node, vars: nodeVars },
    onLog: console.log,
  }).catch((cause: unknown) => refuse([`port ${port}: ${cause instanceof Error ? cause.message : String(cause)}`]));
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

function refuse(problems: readonly string[]): never {
  for (const problem of problems) console.error(`start: ${problem}`);
  process.exit(1);
}

await start(process.argv.slice(2));
