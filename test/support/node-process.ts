import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { bundleWorker } from "../../tools/bundle-worker.ts";

/** The embedded node as a process of its own: the bundle that would be deployed, run by workerd on a real disk. */
export interface NodeProcess {
  readonly url: string;
  /** Starts it on whatever the disk holds; resolves when the port answers. */
  readonly start: () => Promise<void>;
  /** SIGKILL: no handler runs, nothing is flushed. */
  readonly kill: () => Promise<void>;
  /** Kills it and removes its files. */
  readonly remove: () => Promise<void>;
}

const ROOT = join(import.meta.dirname, "..", "..");

/** Bundles once; every process gets a disk of its own. */
export async function bundledNode(): Promise<{ readonly script: string; readonly remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), "node-bundle-"));
  writeFileSync(join(folder, "worker.js"), (await bundleWorker("devnode")).code);
  return { script: join(folder, "worker.js"), remove: () => rmSync(folder, { recursive: true }) };
}

export function nodeProcess(script: string, port: number, vars: Readonly<Record<string, string>> = {}): NodeProcess {
  const folder = mkdtempSync(join(tmpdir(), "node-disk-"));
  const config = join(folder, "node.capnp");
  writeFileSync(config, capnp(relative(folder, script), join(folder, "disk"), port, vars));
  mkdirSync(join(folder, "disk"));
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const kill = async () => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const gone = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await gone;
  };
  return {
    url,
    start: async () => {
      child = spawn(join(ROOT, "node_modules", ".bin", "workerd"), ["serve", config], {
        stdio: "ignore",
      });
      await untilListening(url, child);
    },
    kill,
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Any answer will do; the question starts the chain. */
async function untilListening(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("workerd ended");
    const answered = await fetch(`${url}/v1/-/healthy`).then(
      (response) => response.body?.cancel().then(() => true) ?? true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("workerd does not answer");
}

function capnp(script: string, disk: string, port: number, vars: Readonly<Record<string, string>>): string {
  const bindings = Object.entries(vars).map(([name, value]) => `( name = "${name}", text = "${value}" )`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ( name = "node", worker = .node ),
    ( name = "disk", disk = ( path = "${disk}", writable = true ) ),
  ],
  sockets = [ ( name = "http", address = "127.0.0.1:${port}", http = (), service = "node" ) ],
);
const node :Workerd.Worker = (
  modules = [ ( name = "worker.js", esModule = embed "${script}" ) ],
  compatibilityDate = "2026-08-10",
  compatibilityFlags = ["no_nodejs_compat", "no_nodejs_compat_v2"],
  bindings = [ ${[`( name = "CHAIN", durableObjectNamespace = "ChainObject" )`, ...bindings].join(", ")} ],
  durableObjectNamespaces = [ ( className = "ChainObject", uniqueKey = "chain", enableSql = true ) ],
  durableObjectStorage = ( localDisk = "disk" ),
);
`;
}
