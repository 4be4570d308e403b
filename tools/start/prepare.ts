import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hasUnlocks } from "../../src/supply/schedule.ts";
import { build, buildNode } from "../build.ts";
import { bareQuery } from "../lib/bare-query.ts";
import { Refusal, runTool } from "../lib/command-line.ts";
import { nativePath, REPOSITORY_FOLDER, readSchedule } from "../schedule/files.ts";
import { checkoutGenesis } from "./genesis-settings.ts";
import type { BuiltWorker } from "./runtime.ts";
import { workerConfigs } from "./worker-configs.ts";

/** Message to the builder. */
export interface BuildOrder {
  readonly vars: Readonly<Record<string, string>>;
  /** Folder for a copy of the page, which only this start changes or removes. */
  readonly page: string;
}

/** Reply of the builder: both Workers, ready to run. It is a message and no file, because some settings are secrets. */
export interface BuiltWorkers {
  readonly edge: BuiltWorker;
  readonly node: BuiltWorker;
  /** Paths to try first. */
  readonly paths: readonly string[];
}

/**
 * Checks and builds everything that a start needs, in a separate process: the bundlers use half a gigabyte, which is
 * freed when it ends.
 */
export async function prepare({ vars, page }: BuildOrder): Promise<BuiltWorkers> {
  console.log("  1/3 checking the settings and the schedule");
  const configs = workerConfigs(vars);
  if (configs.kind === "problems") throw new Refusal(configs.problems);
  for (const note of configs.notes) console.log(`      ${note}`);
  const { folder } = await build(configs.parts, () =>
    console.log("      building the edge and its page, because a file has changed (about ten seconds)"),
  );
  console.log("  2/3 bundling the embedded node");
  const node = await buildNode();
  const edge = readFileSync(join(folder, "worker.js"), "utf8");
  rmSync(page, { recursive: true, force: true });
  cpSync(join(folder, "page"), page, { recursive: true });
  const genesis = checkoutGenesis(vars, configs.first, Date.now());
  const schedule = readSchedule(nativePath({ folder: REPOSITORY_FOLDER, nowMs: Date.now() }), configs.first);
  return {
    paths: [
      `/api/circulating-supply${bareQuery(schedule)}`,
      hasUnlocks(schedule) ? "/api/supply" : "/api/supply-breakdown",
      ...(configs.parts.node ? ["/v1"] : []),
    ],
    edge: { config: configs.edge, code: edge },
    node: { config: { ...configs.node, vars: { ...configs.node.vars, ...genesis } }, code: node },
  };
}

async function answer(): Promise<void> {
  const order = await new Promise<BuildOrder>((resolve) =>
    process.once("message", (message) => resolve(message as BuildOrder)),
  );
  process.send?.(await prepare(order), undefined, {}, () => process.disconnect());
}

await runTool(import.meta.url, "started by tools/start.ts", answer, { prefix: "start: " });
