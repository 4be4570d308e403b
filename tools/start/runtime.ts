import { join } from "node:path";
import { Log, LogLevel, Miniflare } from "miniflare";
import { build } from "vite";

const ROOT = join(import.meta.dirname, "..", "..");
/** One date and one set of flags for both Workers, as in their wrangler.toml. */
const COMPATIBILITY = {
  compatibilityDate: "2026-08-10",
  compatibilityFlags: ["no_nodejs_compat", "no_nodejs_compat_v2"],
};
/** What the runtime says to its makers: of an alarm, say, that fell due while nothing ran. */
const RUNTIME_NOTE = "NOSENTRY";
const WORKER_FIRST = ["/api/*", "/v1", "/v1/*", "/.well-known/*"];
const EDGE_OBJECTS = { LIMITER: "LimiterShard", SHIELD: "Shield" };
const NODE_OBJECTS = { CHAIN: "ChainObject" };

export interface LocalProduct {
  readonly port: number;
  /** Folder for what must survive a restart. */
  readonly state: string;
  readonly edgeVars: Readonly<Record<string, unknown>>;
  readonly nodeVars: Readonly<Record<string, unknown>>;
  /** Gets each line that a Worker logs. */
  readonly onLog: (line: string) => void;
}

/**
 * The edge, its page and the embedded node in the real runtime, on this machine. Without wrangler's development proxy
 * between a caller and the edge: it falls under a burst of connections, or when a caller hangs up inside a body.
 */
export async function runProduct({ port, state, edgeVars, nodeVars, onLog }: LocalProduct): Promise<Miniflare> {
  const [edge, node] = await Promise.all([bundled("src"), bundled("devnode")]);
  const runtime = new Miniflare({
    host: "127.0.0.1",
    port,
    // Nothing is asked of any network, not even where this machine is.
    cf: false,
    log: new Log(LogLevel.WARN),
    resourcePersistencePath: state,
    // Runs the hourly check on demand, at /cdn-cgi/local/scheduled.
    unsafeTriggerHandlers: true,
    handleStructuredLogs: ({ message }) => {
      if (!message.startsWith(RUNTIME_NOTE)) onLog(message);
    },
    workers: [
      {
        config: {
          ...worker("edge-api", edge, edgeVars, EDGE_OBJECTS, {
            NODE: { type: "worker", workerName: "devnode" },
            ASSETS: { type: "assets" },
          }),
          assets: { directory: join(ROOT, "dist", "page"), hasUserWorker: true, runWorkerFirst: WORKER_FIRST },
        },
      },
      { config: worker("devnode", node, nodeVars, NODE_OBJECTS, {}) },
    ],
  });
  await runtime.ready;
  return runtime;
}

type Binding = { readonly type: "worker"; readonly workerName: string } | { readonly type: "assets" };

function worker(
  name: string,
  contents: string,
  vars: Readonly<Record<string, unknown>>,
  objects: Readonly<Record<string, string>>,
  bindings: Readonly<Record<string, Binding>>,
) {
  const texts = Object.entries(vars).map(([key, value]) => [key, { type: "text" as const, value: String(value) }]);
  const namespaces = Object.entries(objects).map(([key, exportName]) => [
    key,
    { type: "durable-object" as const, workerName: name, exportName },
  ]);
  const storage = { type: "durable-object" as const, storage: "sqlite" as const };
  return {
    type: "worker" as const,
    name,
    ...COMPATIBILITY,
    manifest: { mainModule: "worker.js", modules: { "worker.js": { type: "esm" as const, contents } } },
    exports: Object.fromEntries(Object.values(objects).map((exportName) => [exportName, storage])),
    env: { ...Object.fromEntries([...texts, ...namespaces]), ...bindings },
  };
}

/** One Worker as one module. */
async function bundled(room: "src" | "devnode"): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      copyPublicDir: false,
      minify: false,
      target: "es2024",
      lib: { entry: join(ROOT, room, "worker.ts"), formats: ["es"], fileName: () => "worker.js" },
      rolldownOptions: { external: ["cloudflare:workers"] },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (output === undefined || !("output" in output)) throw new Error(`nothing was built of ${room}`);
  return output.output[0].code;
}
