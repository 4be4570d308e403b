import "./started-workers.js";
import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";

type Texts = Readonly<Record<string, string>>;

/** Worker of a runtime. */
export interface RuntimeWorker {
  /** Modules by name, with their text; the first is the entry. */
  readonly modules: Texts;
  readonly vars?: Texts;
  /** Durable Object classes by binding: its own, or those of the Worker that `objectsOf` names. */
  readonly objects?: Texts;
  readonly objectsOf?: string;
  /** Other Workers of the runtime by binding; `assets` is the folder of static files. */
  readonly services?: Texts;
  /** Compatibility flags beside those of a deployment. */
  readonly flags?: readonly string[];
  /** Whether it has no port. */
  readonly isInternal?: boolean;
}

/**
 * Workers in the bare runtime as they would be deployed: callers reach them without a development server, and objects
 * are stored on a real disk.
 */
export interface Runtime {
  /** URL of a started Worker; the same after every start. */
  readonly url: (worker: string) => string;
  /** Process id while the runtime runs. */
  readonly pid: () => number | undefined;
  /** Folder of the objects' databases, with a subfolder per class. */
  readonly disk: string;
  /** End of the log over all starts. */
  readonly log: () => string;
  /** Starts the runtime on the present content of its disk; resolves when every port listens. */
  readonly start: () => Promise<void>;
  /** Kills the runtime (SIGKILL): no handler runs, nothing is flushed. */
  readonly kill: () => Promise<void>;
  /** Kills the runtime and removes its files. */
  readonly remove: () => Promise<void>;
}

export const EDGE_OBJECTS = { LIMITER: "LimiterShard", SHIELD: "Shield", HOME: "Home" } as const;
export const NODE_OBJECTS = { CHAIN: "ChainObject" } as const;

const WORKERD = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "workerd");
const READY_MS = 60_000;
const MAX_LOG_CHARACTERS = 4_000_000;

/** Bundles a Worker of this checkout as one module, or returns the one that the test run has built. */
export async function workerModule(name: "worker" | "devnode"): Promise<string> {
  const folder = process.env["WORKER_BUNDLES"];
  if (folder !== undefined) return readFileSync(join(folder, `${name}.js`), "utf8");
  const { build, buildNode } = await import("../../tools/build.ts");
  return name === "worker" ? readFileSync(join((await build()).folder, "worker.js"), "utf8") : buildNode();
}

/**
 * Gives a Worker's module a clock that runs `speed` times as fast, in all isolates and starts. With a faster clock,
 * timers and the deadlines of calls stay. With a slower one they last longer, so that on a busy machine no deadline
 * passes by accident.
 */
export function withClock(code: string, speed: number): string {
  const from = Date.now();
  const clock = `{ const real = Date.now; Date.now = () => Math.floor(${from} + (real() - ${from}) * ${speed}); }`;
  const timers = `const setTimeout = (run, delayMs) => globalThis.setTimeout(run, delayMs / ${speed});`;
  return [clock, ...(speed < 1 ? [timers] : []), code].join("\n");
}

/** Speed of a clock that is slow enough for a busy machine: exact counts fail when a deadline passes. */
export const SLOW = 0.02;

/** Writes the files of a runtime without starting it. `writeAssets` fills the folder of static files. */
export function createRuntime(
  workers: Readonly<Record<string, RuntimeWorker>>,
  writeAssets: (folder: string) => void = () => undefined,
): Runtime {
  const folder = mkdtempSync(join(tmpdir(), "runtime-"));
  for (const name of ["object-disk", "assets"]) mkdirSync(join(folder, name));
  writeAssets(join(folder, "assets"));
  copyFileSync(join(import.meta.dirname, "cache-worker.js"), join(folder, "cache-worker.js"));
  for (const [name, { modules }] of Object.entries(workers)) {
    mkdirSync(join(folder, name));
    for (const [file, text] of Object.entries(modules)) writeFileSync(join(folder, name, file), text);
  }
  const config = join(folder, "config.capnp");
  const open = Object.entries(workers).filter(([, { isInternal = false }]) => !isInternal);
  const ports = new Map(open.map(([name]) => [name, 0]));
  let child: ChildProcess | undefined;
  let log = "";
  const kill = async (): Promise<void> => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await ended;
  };
  const start = async (untilMs: number): Promise<void> => {
    writeFileSync(config, configText(workers, ports, folder));
    const started = spawn(WORKERD, ["serve", "--experimental", "--control-fd=3", config], {
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    child = started;
    for (const stream of [started.stdout, started.stderr])
      stream?.on("data", (chunk: Buffer) => {
        log = (log + chunk.toString()).slice(-MAX_LOG_CHARACTERS);
      });
    await listening(started, ports).catch(async (cause: unknown) => {
      // After a restart another connection may have the port for a moment.
      if (!log.includes("Address already in use") || Date.now() > untilMs) throw new Error(`${String(cause)}:\n${log}`);
      log = "";
      await kill();
      await pause(200);
      await start(untilMs);
    });
  };
  return {
    url: (worker) => `http://127.0.0.1:${ports.get(worker)}`,
    pid: () => child?.pid,
    disk: join(folder, "object-disk"),
    log: () => log,
    start: () => start(Date.now() + READY_MS),
    kill,
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until every port listens, and stores its number, which the system chooses at the first start. */
async function listening(child: ChildProcess, ports: Map<string, number>): Promise<void> {
  const waiting = new Set(ports.keys());
  const timer = setTimeout(() => child.kill("SIGKILL"), READY_MS);
  // The control channel, which `stdio` makes a pipe; it ends with the process.
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const { event, socket, port }: { event: string; socket: string; port: number } = JSON.parse(line);
    if (event !== "listen") continue;
    ports.set(socket, port);
    waiting.delete(socket);
    if (waiting.size === 0) break;
  }
  clearTimeout(timer);
  if (waiting.size > 0) throw new Error("the runtime did not start");
}

function configText(
  workers: Readonly<Record<string, RuntimeWorker>>,
  ports: ReadonlyMap<string, number>,
  folder: string,
): string {
  const services = Object.keys(workers).map((name) => `(name = "${name}", worker = .${name})`);
  const sockets = [...ports].map(
    ([name, port]) => `(name = "${name}", address = "127.0.0.1:${port}", http = (), service = "${name}")`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ${services.join(", ")}, (name = "cache", worker = .cache),
    (name = "internet", network = (allow = ["public", "private"])),
    (name = "assets", disk = (path = "${join(folder, "assets")}")),
    (name = "object-disk", disk = (path = "${join(folder, "object-disk")}", writable = true)),
  ],
  sockets = [${sockets.join(", ")}],
);
${Object.entries(workers).map(workerText).join("\n")}
const cache :Workerd.Worker = (modules = [(name = "cache-worker.js", esModule = embed "cache-worker.js")], compatibilityDate = "2026-08-10");
`;
}

function workerText([name, worker]: [string, RuntimeWorker]): string {
  const { modules, vars = {}, objects = {}, objectsOf, services = {}, flags = [] } = worker;
  const files = Object.keys(modules).map((file) => `(name = "${file}", esModule = embed "${name}/${file}")`);
  const bindings = [
    ...Object.entries(vars).map(([key, text]) => `(name = "${key}", text = ${JSON.stringify(text)})`),
    ...Object.entries(services).map(([key, service]) => `(name = "${key}", service = "${service}")`),
    ...Object.entries(objects).map(([key, className]) => {
      const own = `"${className}"`;
      const other = `(className = "${className}", serviceName = "${objectsOf}")`;
      return `(name = "${key}", durableObjectNamespace = ${objectsOf === undefined ? own : other})`;
    }),
  ];
  const namespaces = Object.values(objectsOf === undefined ? objects : {}).map(
    (className) => `(className = "${className}", uniqueKey = "${className}", enableSql = true)`,
  );
  const all = ["no_nodejs_compat", "no_nodejs_compat_v2", ...flags].map((flag) => `"${flag}"`);
  const storage = namespaces.length === 0 ? "" : `durableObjectStorage = (localDisk = "object-disk"),`;
  return `const ${name} :Workerd.Worker = (
  modules = [${files.join(", ")}], compatibilityDate = "2026-08-10", compatibilityFlags = [${all.join(", ")}],
  cacheApiOutbound = "cache", bindings = [${bindings.join(", ")}],
  durableObjectNamespaces = [${namespaces.join(", ")}], ${storage}
);`;
}
