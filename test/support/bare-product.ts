import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker } from "../../tools/bundle-worker.ts";
import { copyDocuments } from "../../tools/documents.ts";
import { freePort } from "./product.ts";

/**
 * The whole product but its page, in the bare runtime: both Workers as they would be deployed, objects on a real disk,
 * nothing of a development server between a caller and the edge (wrangler's falls when a caller hangs up).
 */
export interface BareProduct {
  readonly url: string;
  /** Of the runtime while it runs. */
  readonly pid: () => number | undefined;
  /** Everything that it has logged. */
  readonly log: () => string;
  /** Starts it on whatever its disk holds; resolves when it answers. */
  readonly start: () => Promise<void>;
  /** SIGKILL: no handler runs, nothing is flushed. */
  readonly kill: () => Promise<void>;
  /** Kills it and removes its files. */
  readonly remove: () => Promise<void>;
}

const ROOT = join(import.meta.dirname, "..", "..");
const READY_MS = 30_000;

/** Bundles the product and starts it with settings of the edge. */
export async function startBareProduct(vars: Readonly<Record<string, string>> = {}): Promise<BareProduct> {
  const folder = mkdtempSync(join(tmpdir(), "product-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  mkdirSync(join(folder, "objects"));
  copyDocuments(join(folder, "assets"));
  copyFileSync(join(import.meta.dirname, "cache-worker.js"), join(folder, "cache.js"));
  const [edge, node] = await Promise.all([bundleWorker("src"), bundleWorker("devnode")]);
  writeFileSync(join(folder, "edge.js"), edge.code);
  writeFileSync(join(folder, "node.js"), node.code);
  writeFileSync(join(folder, "product.capnp"), runtimeConfig(folder, port, vars));
  let child: ChildProcess | undefined;
  let log = "";
  const kill = async (): Promise<void> => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await gone;
  };
  const start = async (): Promise<void> => {
    child = spawn(join(ROOT, "node_modules", ".bin", "workerd"), ["serve", join(folder, "product.capnp")]);
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        log = (log + chunk.toString()).slice(-1_000_000);
      });
    await untilAnswering(url, child, () => log);
  };
  const remove = async (): Promise<void> => {
    await kill();
    rmSync(folder, { recursive: true });
  };
  const product = { url, pid: () => child?.pid, log: () => log, start, kill, remove };
  await start().catch(async (cause: unknown) => {
    await remove();
    throw cause;
  });
  return product;
}

/** A preflight costs no quota; health, asked once, brings the chain up. */
async function untilAnswering(url: string, child: ChildProcess, log: () => string): Promise<void> {
  const untilMs = Date.now() + READY_MS;
  for (;;) {
    const status = await fetch(`${url}/api/rates`, { method: "OPTIONS" }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 204) break;
    if (child.exitCode !== null || Date.now() > untilMs) throw new Error(`the runtime did not start:\n${log()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function runtimeConfig(folder: string, port: number, vars: Readonly<Record<string, string>>): string {
  const texts = Object.entries(vars).map(([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`);
  const worker = (script: string, bindings: readonly string[], classes: readonly string[]): string => `(
  modules = [(name = "${script}", esModule = embed "${script}")],
  compatibilityDate = "2026-08-10", compatibilityFlags = ["no_nodejs_compat", "no_nodejs_compat_v2"],
  cacheApiOutbound = "cache", durableObjectStorage = (localDisk = "objects"),
  durableObjectNamespaces = [${classes.map((of) => `(className = "${of}", uniqueKey = "${of}", enableSql = true)`).join(", ")}],
  bindings = [${bindings.join(", ")}],
);`;
  const object = (name: string, of: string): string => `(name = "${name}", durableObjectNamespace = "${of}")`;
  const edge = [
    ...texts,
    object("LIMITER", "LimiterShard"),
    object("SHIELD", "Shield"),
    object("HISTORY", "History"),
    `(name = "ASSETS", service = "assets")`,
    ...(vars["NODE_URLS"] === undefined ? [`(name = "NODE", service = "node")`] : []),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "edge", worker = .edge), (name = "node", worker = .node), (name = "cache", worker = .cache),
    (name = "internet", network = (allow = ["public", "private"])),
    (name = "assets", disk = (path = "${join(folder, "assets")}")),
    (name = "objects", disk = (path = "${join(folder, "objects")}", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "edge")],
);
const edge :Workerd.Worker = ${worker("edge.js", edge, ["LimiterShard", "Shield", "History"])}
const node :Workerd.Worker = ${worker("node.js", [object("CHAIN", "ChainObject")], ["ChainObject"])}
const cache :Workerd.Worker = (modules = [(name = "cache.js", esModule = embed "cache.js")], compatibilityDate = "2026-08-10");
`;
}
