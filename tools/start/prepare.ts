import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build, buildNode } from "../build.ts";
import { Refusal, runTool } from "../lib/command-line.ts";
import { genesisOf } from "./genesis-settings.ts";
import type { BuiltWorker } from "./runtime.ts";
import { workerConfigs } from "./worker-configs.ts";

/** What the builder is told, in its first message. */
export interface Order {
  readonly vars: Readonly<Record<string, string>>;
  /** Receives a copy of the page, which nobody but this start changes or removes. */
  readonly page: string;
}

/** What it sends back: both Workers, ready to run. Settings stay out of files, because some are secrets. */
export interface Prepared {
  readonly edge: BuiltWorker;
  readonly node: BuiltWorker;
  /** Whether `/v1` is served. */
  readonly servesNode: boolean;
}

/**
 * Checks and builds everything that a start needs, in a process of its own: the bundlers keep half a gigabyte, which
 * ends with the process.
 */
export async function prepare({ vars, page }: Order): Promise<Prepared> {
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
  const genesis = genesisOf(vars, configs.first, Date.now());
  return {
    servesNode: configs.parts.node,
    edge: { config: configs.edge, code: edge },
    node: { config: { ...configs.node, vars: { ...configs.node.vars, ...genesis } }, code: node },
  };
}

async function answer(): Promise<void> {
  const order = await new Promise<Order>((resolve) => process.once("message", (message) => resolve(message as Order)));
  process.send?.(await prepare(order), undefined, {}, () => process.disconnect());
}

await runTool(import.meta.url, "started by tools/start.ts", answer, "start: ");
