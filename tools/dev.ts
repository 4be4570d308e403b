import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assetText } from "../src/chain/asset.ts";
import { useChainFamily } from "./chain-family.ts";
import { Refusal, runTool } from "./command-line.ts";
import { type DevOptions, parseArguments } from "./dev/arguments.ts";
import { pageFolder, withoutText } from "./parts.ts";
import { genesisOf } from "./start/genesis-settings.ts";
import { workerConfigs } from "./start/worker-configs.ts";

const ROOT = join(import.meta.dirname, "..");
const HELP = `usage: npm run dev -- [--port N] [--var NAME:VALUE]... [OPTIONS OF WRANGLER DEV]...
  --port N            port to listen on (default 8787)
  --var NAME:VALUE    any setting of docs/configuration.md or devnode/wrangler.toml, for this run
Every edit of a source is served without a restart.`;

/** `wrangler dev` over both Workers, with the settings of each and the genesis of the schedule. */
async function dev({ vars: given, others }: DevOptions): Promise<void> {
  const configs = workerConfigs(given);
  if (configs.kind === "problems") throw new Refusal(configs.problems);
  useChainFamily(configs.parts.family);
  // wrangler passes --var to the first Worker only: the node's settings are in a configuration of their own. Its paths
  // are relative to its folder.
  const file = join(ROOT, "devnode", `.wrangler-dev-${process.pid}.json`);
  const vars = { ...configs.node.vars, ...genesisOf(given, Date.now()) };
  writeFileSync(file, JSON.stringify({ ...configs.node, vars }));
  process.once("exit", () => rmSync(file, { force: true }));
  const edgeVars = Object.entries(configs.edgeSettings).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const options = [
    "dev",
    "-c",
    "wrangler.toml",
    "-c",
    file,
    "--assets",
    pageFolder(configs.parts),
    ...edgeVars,
    ...others,
  ];
  const { asset } = configs.parts;
  const built = {
    BUILD_WITHOUT: withoutText(configs.parts),
    ...(asset === null ? {} : { NATIVE_ASSET: assetText(asset) }),
  };
  const env = { ...process.env, DEV_KEEPS_LAST_BUILD: "1", ...built };
  const wrangler = spawn("wrangler", options, { cwd: ROOT, stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => wrangler.kill(signal));
  wrangler.once("error", () => {
    console.error("dev: wrangler cannot be started; use `npm run dev`");
    process.exit(1);
  });
  wrangler.once("exit", (code) => process.exit(code ?? 0));
}

await runTool(import.meta.url, HELP, (words) => dev(parseArguments(words)));
