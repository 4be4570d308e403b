import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { draftFolder } from "./build/folders.ts";
import { BUILDS } from "./build.ts";
import { withBuild } from "./deploy/plan.ts";
import { type DevOptions, takeVariables } from "./dev/arguments.ts";
import { Refusal, runTool } from "./lib/command-line.ts";
import { missingPartsText, type Parts } from "./lib/parts.ts";
import { checkoutGenesis } from "./start/genesis-settings.ts";
import { workerConfigs } from "./start/worker-configs.ts";

const ROOT = join(import.meta.dirname, "..");
const HELP = `usage: npm run dev -- [--port N] [--var NAME:VALUE]... [OPTIONS OF WRANGLER DEV]...
  --port N            port to listen on (default 8787)
  --var NAME:VALUE    any setting of docs/configuration.md or devnode/wrangler.toml, for this run
Every edit of a source is served without a restart.`;

/** Runs `wrangler dev` with both Workers, the settings of each, and the schedule's genesis. */
async function dev({ vars: given, others }: DevOptions): Promise<void> {
  const configs = workerConfigs(given);
  if (configs.kind === "problems") throw new Refusal(configs.problems);
  for (const note of configs.notes) console.log(`dev: ${note}`);
  const built = draftFolder(BUILDS, "dev");
  const edge = withBuild(configs.edge, built);
  const command = `${String(configs.edge.build?.command)} -- --into ${JSON.stringify(built)} ${buildArguments(configs.parts)}`;
  const vars = { ...configs.node.vars, ...checkoutGenesis(given, configs.first, Date.now()) };
  // wrangler passes --var to the first Worker only, and paths in a configuration are relative to its folder.
  const files = [
    configFile(ROOT, { ...edge, build: { ...configs.edge.build, command } }),
    configFile(join(ROOT, "devnode"), { ...configs.node, vars }),
  ];
  const options = ["dev", ...files.flatMap((file) => ["-c", file]), ...others];
  const env = { ...process.env, DEV_KEEPS_LAST_BUILD: "1" };
  const wrangler = spawn("wrangler", options, { cwd: ROOT, stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => wrangler.kill(signal));
  wrangler.once("error", () => {
    console.error("dev: wrangler cannot be started; use `npm run dev`");
    process.exit(1);
  });
  wrangler.once("exit", (code) => process.exit(code ?? 0));
}

/** Writes a configuration of wrangler that is removed when this process ends. */
function configFile(folder: string, config: object): string {
  const file = join(folder, `.wrangler-dev-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(config));
  process.once("exit", () => rmSync(file, { force: true }));
  return file;
}

/** Arguments with which the build makes a deployment with these parts. */
function buildArguments(parts: Parts): string {
  const without = missingPartsText(parts);
  const { family, chainId, asset } = parts.chains[0];
  return [
    ...(without === "" ? [] : [`--without ${without}`]),
    `--var CHAIN_FAMILY:${family}`,
    ...(chainId === null ? [] : [`--var CHAIN_ID:${chainId}`]),
    // The shell would interpret a type tag's arguments, as in 0x1::a::A<0x1::b::B>, so the value is quoted.
    ...(asset.text === "" ? [] : [`--var "NATIVE_ASSET:${asset.text}"`]),
  ].join(" ");
}

await runTool(import.meta.url, HELP, (words) => dev(takeVariables(words)));
