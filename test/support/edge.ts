import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker } from "../../tools/bundle-worker.ts";
import { freePort } from "./product.ts";

/** The edge in the bare runtime, over real HTTP, in front of the given nodes; and a second isolate of it. */
export interface Edge {
  readonly url: string;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly post: (path: string, body: Body, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** The same Worker in another isolate, on the first one's objects. */
  readonly other: { readonly url: string; readonly get: (path: string) => Promise<Answer> };
  /** What both have logged. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

type Body = string | Uint8Array<ArrayBuffer>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of the ledger that the answer shows; -1 when it shows none. */
  readonly version: bigint;
}

const ROOT = join(import.meta.dirname, "..", "..");
const JSON_TYPE = { "Content-Type": "application/json" } as const;
const READY_MS = 20_000;

/** Bundles of a release, by file, in place of this checkout's: of the Worker with the objects, of the other isolate. */
export interface Releases {
  readonly objects?: string;
  readonly other?: string;
}

export async function startEdge(
  nodeUrls: readonly string[],
  vars: Readonly<Record<string, string>> = {},
  releases: Releases = {},
): Promise<Edge> {
  const folder = mkdtempSync(join(tmpdir(), "edge-"));
  const [port, otherPort] = [await freePort(), await freePort()];
  writeFileSync(join(folder, "worker.js"), (await bundleWorker("src")).code);
  copyFileSync(releases.other ?? join(folder, "worker.js"), join(folder, "other.js"));
  if (releases.objects !== undefined) copyFileSync(releases.objects, join(folder, "worker.js"));
  copyFileSync(join(import.meta.dirname, "cache-worker.js"), join(folder, "cache.js"));
  mkdirSync(join(folder, "objects"));
  const settings = { NODE_URLS: nodeUrls.join(","), RATE_LIMIT_NODE: "10000/1", ...vars };
  writeFileSync(join(folder, "config.capnp"), runtimeConfig(folder, port, otherPort, settings));
  const runtime = spawn(join(ROOT, "node_modules", ".bin", "workerd"), ["serve", join(folder, "config.capnp")]);
  let log = "";
  for (const stream of [runtime.stdout, runtime.stderr])
    stream.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const [url, otherUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${otherPort}`];
  await listening(otherPort, runtime, () => log);
  return {
    url,
    get: async (path, headers = {}) => read(await fetch(url + path, { headers })),
    post: async (path, body, headers = JSON_TYPE) => read(await fetch(url + path, { method: "POST", headers, body })),
    other: { url: otherUrl, get: async (path) => read(await fetch(otherUrl + path)) },
    log: () => log,
    close: () => stop(runtime),
  };
}

function runtimeConfig(
  folder: string,
  port: number,
  otherPort: number,
  vars: Readonly<Record<string, string>>,
): string {
  const texts = Object.entries(vars).map(([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`);
  const exported = readFileSync(join(folder, "worker.js"), "utf8");
  const classes = Object.fromEntries(
    Object.entries({ LIMITER: "LimiterShard", SHIELD: "Shield", HISTORY: "History" }).filter(([, name]) =>
      new RegExp(`export *\\{[^}]*\\b${name}\\b`).test(exported),
    ),
  );
  const own = Object.entries(classes).map(([name, of]) => `(name = "${name}", durableObjectNamespace = "${of}")`);
  const shared = Object.entries(classes).map(
    ([name, of]) => `(name = "${name}", durableObjectNamespace = (className = "${of}", serviceName = "edge"))`,
  );
  const objects = Object.values(classes).map((of) => `(className = "${of}", uniqueKey = "${of}", enableSql = true)`);
  const common = (file: string) => `modules = [(name = "worker.js", esModule = embed "${file}")],
    compatibilityDate = "2026-08-10", compatibilityFlags = ["no_nodejs_compat", "no_nodejs_compat_v2"], cacheApiOutbound = "cache",`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "edge", worker = .edge), (name = "other", worker = .other), (name = "cache", worker = .cache),
    (name = "internet", network = (allow = ["public", "private"])),
    (name = "objects", disk = (path = "${join(folder, "objects")}", writable = true)),
  ],
  sockets = [
    (name = "edge", address = "127.0.0.1:${port}", http = (), service = "edge"),
    (name = "other", address = "127.0.0.1:${otherPort}", http = (), service = "other"),
  ],
);
const edge :Workerd.Worker = (${common("worker.js")} bindings = [${[...texts, ...own].join(", ")}],
  durableObjectNamespaces = [${objects.join(", ")}], durableObjectStorage = (localDisk = "objects"));
const other :Workerd.Worker = (${common("other.js")} bindings = [${[...texts, ...shared].join(", ")}]);
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

async function stop(runtime: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => runtime.once("exit", resolve));
  runtime.kill("SIGKILL");
  await gone;
}

async function read(response: Response): Promise<Answer> {
  const seen = response.headers.get("X-NODE-LEDGER-VERSION");
  return {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    version: seen === null ? -1n : BigInt(seen),
  };
}
