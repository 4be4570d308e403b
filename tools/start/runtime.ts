import { Log, LogLevel, Miniflare } from "miniflare";
import type { WorkerConfig } from "../lib/worker-config.ts";
import { listenInFront } from "./front.ts";

/** Mark of messages from the runtime to its own developers, for instance about an overdue alarm. */
const RUNTIME_NOTE = "NOSENTRY";

/** Worker with its configuration, its final variables and its bundle. */
export interface BuiltWorker {
  readonly config: WorkerConfig;
  readonly code: string;
}

export interface LocalProduct {
  /** Address to listen on. */
  readonly host: string;
  readonly port: number;
  /** Folder of the persistent state. */
  readonly state: string;
  /** Folder of the built page, which must exist while the product runs. */
  readonly page: string;
  readonly edge: BuiltWorker;
  readonly node: BuiltWorker;
  /** Receives each line that a Worker logs. */
  readonly onLog: (line: string) => void;
}

const LOOPBACK: readonly string[] = ["127.0.0.1", "::1", "localhost"];

/**
 * Runs the edge, its page and the embedded node in the real runtime on this machine. The development proxy of wrangler
 * is not used: it fails under a burst of connections, or when a client disconnects during a body.
 */
export async function runProduct(product: LocalProduct): Promise<{ readonly dispose: () => Promise<void> }> {
  const { host, port, state, page, edge, node, onLog } = product;
  const isLocal = LOOPBACK.includes(host);
  const { run_worker_first: runWorkerFirst, not_found_handling: notFoundHandling } = edge.config.assets ?? {};
  const runtime = new Miniflare({
    ...(isLocal ? { host, port } : { host: "127.0.0.1", port: 0 }),
    // No network requests, not even for this machine's location.
    cf: {},
    log: new Log(LogLevel.WARN),
    resourcePersistencePath: state,
    // Lets /cdn-cgi/local/scheduled run the hourly check, for callers on this machine alone.
    unsafeTriggerHandlers: isLocal,
    handleStructuredLogs: ({ message }) => {
      if (!message.startsWith(RUNTIME_NOTE)) onLog(message);
    },
    workers: [
      {
        config: {
          ...worker(edge),
          assets: { directory: page, hasUserWorker: true, runWorkerFirst: runWorkerFirst ?? false, notFoundHandling },
        },
      },
      { config: worker(node) },
    ],
  });
  const { port: target } = await runtime.ready;
  const callerHeader = edge.config.vars?.["CLIENT_IP_HEADER"];
  const front = isLocal
    ? null
    : await listenInFront({ host, port, target: Number(target), callerHeader: callerHeader?.toString() });
  const dispose = async (): Promise<void> => {
    front?.close().closeAllConnections();
    await runtime.dispose();
  };
  return { dispose };
}

function worker({ config, code: contents }: BuiltWorker) {
  const name = config.name ?? "";
  const objects = config.durable_objects?.bindings ?? [];
  const storage = { type: "durable-object" as const, storage: "sqlite" as const };
  const bound = [
    ...Object.entries(config.vars ?? {}).map(([key, value]) => [key, { type: "text" as const, value: String(value) }]),
    ...objects.map(({ name: key, class_name: exportName }) => [
      key,
      { type: "durable-object" as const, worker: name, exportName },
    ]),
    ...(config.services ?? []).map(({ binding, service }) => [binding, { type: "worker" as const, worker: service }]),
    ...(config.assets?.binding === undefined ? [] : [[config.assets.binding, { type: "assets" as const }]]),
  ];
  return {
    name,
    compatibilityDate: config.compatibility_date ?? "",
    compatibilityFlags: config.compatibility_flags ?? [],
    manifest: { mainModule: "worker.js", modules: { "worker.js": { type: "esm" as const, contents } } },
    exports: Object.fromEntries(objects.map(({ class_name }) => [class_name, storage])),
    env: Object.fromEntries(bound),
  };
}
