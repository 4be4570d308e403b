import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ROOT } from "./machine.mjs";

const WORKERD = join(ROOT, "node_modules", "workerd", "bin", "workerd");
const COMPATIBILITY_DATE = "2026-08-10";
const CACHE = `const cache :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "cache.js")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
);
`;

/**
 * Serves one Worker under plain `workerd serve`, its objects on a fresh local disk. Bindings that are not variables or
 * its own objects lead to a Worker that answers 503, ASSETS to the folder `assets` where that is given. With `main`, a
 * module that imports it, that is served. With `cache`, a Worker's source, that Worker serves its Cache API.
 * With `tracesCollections` the engine's collections of garbage are counted. Returns its URL, its disk, its processor
 * use, and `stop`, which leaves the disk in place.
 * @param worker {{ source: string, vars?: Record<string, string>, objects?: Record<string, string>, others?: string[],
 * cache?: string, main?: string, assets?: string, tracesCollections?: boolean }}
 */
export async function serve(worker, port) {
  const folder = mkdtempSync(join(tmpdir(), "edge-api-bench-"));
  const disk = join(folder, "disk");
  mkdirSync(disk);
  writeFileSync(join(folder, "worker.js"), worker.source);
  if (worker.main !== undefined) writeFileSync(join(folder, "main.js"), worker.main);
  if (worker.cache !== undefined) writeFileSync(join(folder, "cache.js"), worker.cache);
  writeFileSync(join(folder, "config.capnp"), configOf(worker, disk, port));
  // The engine's trace would come late through the buffer of a pipe.
  const lines = worker.tracesCollections === true ? ["stdbuf", "-oL"] : [];
  const [command, ...words] = [...lines, WORKERD, "serve", join(folder, "config.capnp")];
  const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"] });
  let collections = 0;
  child.stdout.on("data", (text) => (collections += String(text).match(/Mark-Compact|Scavenge/g)?.length ?? 0));
  const errors = [];
  child.stderr.on("data", (text) => errors.push(String(text)));
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  await answering(url, child, errors);
  const started = { startMs: performance.now() - startedAt, startCpuMs: cpuMs(child.pid) };
  return {
    url,
    disk,
    ...started,
    cpuMs: () => cpuMs(child.pid),
    mainThreadMs: () => threadMs(child.pid, child.pid),
    collections: () => collections,
    stop: () => stopProcess(child),
    removeState: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Sends SIGTERM, and SIGKILL after three seconds. */
async function stopProcess(child) {
  child.kill("SIGTERM");
  const hard = setTimeout(() => child.kill("SIGKILL"), 3_000);
  const isGone = child.exitCode !== null || child.signalCode !== null;
  await new Promise((resolve) => (isGone ? resolve() : child.once("exit", resolve)));
  clearTimeout(hard);
}

/** Resolves when the URL answers. */
async function answering(url, child, problems) {
  for (let attempt = 0; attempt < 2_000; attempt++) {
    if (child.exitCode !== null) throw new Error(`workerd ended: ${problems.join("")}`);
    const answered = await fetch(url).then(
      (response) => response.arrayBuffer(),
      () => null,
    );
    if (answered !== null) return;
    await pause(2);
  }
  throw new Error("workerd does not answer");
}

/** Processor time that all threads of a process have used, as the kernel counts it. */
export function cpuMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, id) => sum + threadMs(pid, id), 0);
}

function threadMs(pid, thread) {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

function configOf({ vars = {}, objects = {}, others = [], cache, main, assets, tracesCollections }, disk, port) {
  const modules = [...(main === undefined ? [] : ["main.js"]), "worker.js"];
  const bindings = [
    ...Object.entries(vars).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`),
    ...Object.entries(objects).map(([name, type]) => `(name = "${name}", durableObjectNamespace = "${type}")`),
    ...others.map(
      (name) => `(name = "${name}", service = "${name === "ASSETS" && assets !== undefined ? "assets" : "absent"}")`,
    ),
  ];
  const classes = [...new Set(Object.values(objects))];
  const namespaces = classes.map((type) => `(className = "${type}", uniqueKey = "${type}", enableSql = true)`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "absent", worker = .absent),
    (name = "internet", network = (allow = ["public", "private"])),
${cache === undefined ? "" : `    (name = "cache", worker = .cache),\n`}${assets === undefined ? "" : `    (name = "assets", disk = (path = "${assets}")),\n`}    (name = "disk", disk = (path = "${disk}", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
${tracesCollections === true ? `  v8Flags = ["--trace-gc"],\n` : ""});
const main :Workerd.Worker = (
  modules = [${modules.map((name) => `(name = "${name}", esModule = embed "${name}")`).join(", ")}],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  compatibilityFlags = ["no_nodejs_compat", "no_nodejs_compat_v2"],
  bindings = [${bindings.join(", ")}],
  durableObjectNamespaces = [${namespaces.join(", ")}],
  durableObjectStorage = (localDisk = "disk"),
${cache === undefined ? "" : `  cacheApiOutbound = "cache",\n`});
${cache === undefined ? "" : CACHE}const absent :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = "export default { fetch: () => new Response(null, { status: 503 }) };")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
);
`;
}
