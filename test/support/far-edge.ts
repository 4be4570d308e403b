import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker } from "../../tools/bundle-worker.ts";
import { freePort } from "./product.ts";

/** Round trips in milliseconds; `jitter` is the largest share by which each way differs; `connections` wait for headers. */
export interface Distances {
  readonly isolateToObjectMs: number;
  readonly objectToObjectMs: number;
  readonly jitter: number;
  readonly connections: number;
  /** No call to an object of the limiter is answered. */
  readonly isLimiterHanging: boolean;
}

/** Calls since the last time, by place and kind: `isolate limiter.take`, `object upstream`. */
export type CallCounts = Readonly<Record<string, number>>;

/**
 * The production bundle in three isolates on one set of objects, in the bare runtime, at distances and with the
 * platform's six connections, which a local runtime has not. `test/support/far-edge/distance-worker.js` adds both around the
 * unchanged product. Each answer says in `X-Far-Calls` what calls its request made.
 */
export interface FarEdge {
  /** One for each isolate. */
  readonly urls: readonly string[];
  readonly set: (distances: Partial<Distances>) => Promise<void>;
  readonly takeCounts: () => Promise<CallCounts>;
  /** Resets every object as a deployment does: memory and unconfirmed work are gone, storage stays. */
  readonly resetObjects: () => Promise<number>;
  /** SIGKILL and a new start on the same storage. */
  readonly restart: () => Promise<void>;
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

const ROOT = join(import.meta.dirname, "..", "..");
const READY_MS = 20_000;
const ISOLATES = ["one", "two", "three"] as const;
const CLASSES = { LIMITER: "LimiterShard", SHIELD: "Shield", HISTORY: "History" } as const;

export async function startFarEdge(
  nodeUrls: readonly string[],
  vars: Readonly<Record<string, string>> = {},
): Promise<FarEdge> {
  const folder = mkdtempSync(join(tmpdir(), "far-edge-"));
  const ports: number[] = [];
  for (let count = 0; count <= ISOLATES.length; count += 1) ports.push(await freePort());
  writeFileSync(join(folder, "edge.js"), (await bundleWorker("src")).code);
  copyFileSync(join(import.meta.dirname, "far-edge", "distance-worker.js"), join(folder, "distance-worker.js"));
  copyFileSync(join(import.meta.dirname, "cache-worker.js"), join(folder, "cache.js"));
  mkdirSync(join(folder, "objects"));
  const settings = { NODE_URLS: nodeUrls.join(","), RATE_LIMIT_NODE: "10000/1", ...vars };
  writeFileSync(join(folder, "config.capnp"), runtimeConfig(folder, ports, settings));
  let runtime: ChildProcess | undefined;
  let log = "";
  const start = async (): Promise<void> => {
    runtime = spawn(join(ROOT, "node_modules", ".bin", "workerd"), [
      "serve",
      "--experimental",
      join(folder, "config.capnp"),
    ]);
    for (const stream of [runtime.stdout, runtime.stderr])
      stream?.on("data", (chunk: Buffer) => {
        log = (log + chunk.toString()).slice(-4_000_000);
      });
    for (const port of ports) await listening(port, runtime, () => log);
  };
  const stop = async (): Promise<void> => {
    const running = runtime;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await gone;
  };
  let distances: Partial<Distances> = {};
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const objects = urls[ISOLATES.length] ?? "";
  const apply = async (): Promise<void> => {
    for (const url of urls)
      await fetch(`${url}/far-edge/settings`, { method: "POST", body: JSON.stringify(distances) });
  };
  await start();
  return {
    urls: urls.slice(0, ISOLATES.length),
    set: async (changed) => {
      distances = { ...distances, ...changed };
      await apply();
    },
    takeCounts: async () => {
      const sum: Record<string, number> = {};
      for (const url of urls) {
        const counts: CallCounts = await (await fetch(`${url}/far-edge/take-counts`)).json();
        for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
      }
      return sum;
    },
    resetObjects: async () => {
      const { reset }: { reset: number } = await (await fetch(`${objects}/far-edge/reset-objects`)).json();
      return reset;
    },
    restart: async () => {
      await stop();
      await start();
      await apply();
    },
    log: () => log,
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function runtimeConfig(folder: string, ports: readonly number[], vars: Readonly<Record<string, string>>): string {
  const texts = Object.entries(vars).map(([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`);
  const bound = Object.entries(CLASSES).map(
    ([name, of]) => `(name = "${name}", durableObjectNamespace = (className = "${of}", serviceName = "objects"))`,
  );
  const own = Object.entries(CLASSES).map(([name, of]) => `(name = "${name}", durableObjectNamespace = "${of}")`);
  const namespaces = Object.values(CLASSES).map((of) => `(className = "${of}", uniqueKey = "${of}", enableSql = true)`);
  const common = `modules = [(name = "distance-worker.js", esModule = embed "distance-worker.js"), (name = "edge.js", esModule = embed "edge.js")],
    compatibilityDate = "2026-08-10", compatibilityFlags = ["nodejs_als", "no_nodejs_compat", "no_nodejs_compat_v2"],
    cacheApiOutbound = "cache",`;
  const services = ISOLATES.map((name) => `(name = "${name}", worker = .${name})`).join(", ");
  const isolates = ISOLATES.map(
    (name) => `const ${name} :Workerd.Worker = (${common} bindings = [${[...texts, ...bound].join(", ")}]);`,
  ).join("\n");
  const sockets = [...ISOLATES, "objects"].map(
    (name, index) => `(name = "${name}", address = "127.0.0.1:${ports[index]}", http = (), service = "${name}")`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ${services}, (name = "objects", worker = .objects), (name = "cache", worker = .cache),
    (name = "internet", network = (allow = ["public", "private"])),
    (name = "disk", disk = (path = "${join(folder, "objects")}", writable = true)),
  ],
  sockets = [${sockets.join(", ")}],
);
${isolates}
const objects :Workerd.Worker = (${common} bindings = [${[...texts, ...own].join(", ")}],
  durableObjectNamespaces = [${namespaces.join(", ")}], durableObjectStorage = (localDisk = "disk"));
const cache :Workerd.Worker = (modules = [(name = "cache.js", esModule = embed "cache.js")], compatibilityDate = "2026-08-10");
`;
}

async function listening(port: number, runtime: ChildProcess, log: () => string): Promise<void> {
  const untilMs = Date.now() + READY_MS;
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (open) return;
    if (runtime.exitCode !== null || Date.now() > untilMs) throw new Error(`the runtime did not start:\n${log()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
