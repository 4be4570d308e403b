import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { productBundle } from "./bundle.mjs";
import { inspect } from "./inspector.mjs";
import { BENCH } from "./machine.mjs";
import { answering, COMPATIBILITY_DATE, cpuMs, stopProcess, WORKERD } from "./workerd.mjs";

/** The classes of objects that are measured, each in its own isolate, as the platform may place them. */
const CLASSES = { limiter: ["LimiterShard"], shield: ["Shield", "Home"] };
const ISOLATES = ["edge", ...Object.keys(CLASSES)];

/**
 * The production bundle under plain `workerd serve`, edge and objects in separate isolates, with the runtime's
 * inspector attached. Its upstream is `large-node.js`: inside the same runtime, or at `nodeUrl`.
 */
export async function serveInspected({ ports: [port, driverPort, inspectorPort], vars = {}, nodeUrl }) {
  const folder = mkdtempSync(join(tmpdir(), "edge-api-memory-"));
  mkdirSync(join(folder, "objects"));
  const bundle = productBundle({ ...vars, NODE_URLS: nodeUrl ?? "" });
  writeFileSync(join(folder, "edge.js"), bundle.source);
  for (const name of ["large-node.js", "load-driver.js", "cache.js"])
    copyFileSync(join(BENCH, "workers", name), join(folder, name));
  writeFileSync(join(folder, "config.capnp"), configOf(bundle, folder, [port, driverPort], nodeUrl === undefined));
  const flags = [
    "serve",
    "--experimental",
    `--inspector-addr=127.0.0.1:${inspectorPort}`,
    join(folder, "config.capnp"),
  ];
  const child = spawn(WORKERD, flags, { stdio: ["ignore", "ignore", "pipe"] });
  const errors = [];
  child.stderr.on("data", (text) => errors.push(String(text)));
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/api/circulating-supply`, child, errors);
  const heaps = await inspect(`127.0.0.1:${inspectorPort}`, ISOLATES);
  return {
    url,
    driverUrl: `http://127.0.0.1:${driverPort}`,
    heaps,
    cpuMs: () => cpuMs(child.pid),
    stop: async () => {
      heaps.close();
      await stopProcess(child);
      rmSync(folder, { recursive: true });
    },
  };
}

function configOf({ vars, objects, others }, folder, [port, driverPort], isEmbedded) {
  const serviceOf = (type) => Object.keys(CLASSES).find((name) => CLASSES[name].includes(type));
  const texts = Object.entries(vars).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`);
  const absent = others.map(
    (name) => `(name = "${name}", service = "${name === "NODE" && isEmbedded ? "node" : "absent"}")`,
  );
  const namespaces = Object.entries(objects).map(
    ([name, type]) =>
      `(name = "${name}", durableObjectNamespace = (className = "${type}", serviceName = "${serviceOf(type)}"))`,
  );
  const worker = (script, bindings, classes = []) => `(
  modules = [(name = "${script}", esModule = embed "${script}")],
  compatibilityDate = "${COMPATIBILITY_DATE}", compatibilityFlags = ["no_nodejs_compat", "no_nodejs_compat_v2"],
  bindings = [${bindings.join(", ")}], cacheApiOutbound = "cache",
  durableObjectNamespaces = [${classes.map((type) => `(className = "${type}", uniqueKey = "${type}", enableSql = true)`).join(", ")}],
  durableObjectStorage = (localDisk = "disk"),
)`;
  const product = [...texts, ...absent, ...namespaces];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ["--expose-gc"],
  services = [
    (name = "edge", worker = ${worker("edge.js", product)}),
${Object.entries(CLASSES)
  .map(([name, classes]) => `    (name = "${name}", worker = ${worker("edge.js", product, classes)}),`)
  .join("\n")}
    (name = "driver", worker = ${worker("load-driver.js", [`(name = "EDGE", service = "edge")`, ...namespaces])}),
    (name = "node", worker = (modules = [(name = "n.js", esModule = embed "large-node.js")], compatibilityDate = "${COMPATIBILITY_DATE}")),
    (name = "cache", worker = (modules = [(name = "c.js", esModule = embed "cache.js")], compatibilityDate = "${COMPATIBILITY_DATE}")),
    (name = "absent", worker = (modules = [(name = "a.js", esModule = "export default { fetch: () => new Response(null, { status: 503 }) };")], compatibilityDate = "${COMPATIBILITY_DATE}")),
    (name = "internet", network = (allow = ["public", "private"])),
    (name = "disk", disk = (path = "${join(folder, "objects")}", writable = true)),
  ],
  sockets = [
    (name = "http", address = "127.0.0.1:${port}", http = (), service = "edge"),
    (name = "driver", address = "127.0.0.1:${driverPort}", http = (), service = "driver"),
  ],
);
`;
}
