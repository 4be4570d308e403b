import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRuntime, EDGE_OBJECTS, withClock, workerModule } from "./runtime.ts";

/**
 * Round trips in milliseconds. `jitter` is the largest share by which each way differs. `connections` limits calls that
 * wait for headers.
 */
export interface Distances {
  readonly isolateToObjectMs: number;
  readonly objectToObjectMs: number;
  readonly jitter: number;
  readonly connections: number;
  /** Whether calls to limiter objects get no answer. */
  readonly isLimiterHanging: boolean;
}

/** Calls since the last read, by place and kind: `isolate limiter.take`, `object upstream`. */
export type CallCounts = Readonly<Record<string, number>>;

/**
 * Production bundle in three isolates on one set of objects, in the bare runtime. Distances and the platform's limit of
 * six connections are added around it by `test/support/far-edge/distance-worker.js`, because a local runtime has
 * neither. `X-Far-Calls` of each response lists the calls of its request.
 */
export interface FarEdge {
  /** URLs, one per isolate. */
  readonly urls: readonly string[];
  readonly set: (distances: Partial<Distances>) => Promise<void>;
  readonly takeCounts: () => Promise<CallCounts>;
  /** Resets every object as a deployment does: memory and unconfirmed work are lost, storage stays. */
  readonly resetObjects: () => Promise<number>;
  /** Kills the runtime (SIGKILL) and starts it on the same storage. */
  readonly restart: () => Promise<void>;
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

const ISOLATES = ["one", "two", "three"] as const;

export async function startFarEdge(
  nodeUrls: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  speed = 1,
): Promise<FarEdge> {
  const common = {
    modules: {
      "distance-worker.js": readFileSync(join(import.meta.dirname, "far-edge", "distance-worker.js"), "utf8"),
      "edge.js": withClock(await workerModule("worker"), speed),
    },
    vars: { NODE_URLS: nodeUrls.join(","), RATE_LIMIT_NODE: "10000/1", ...settings },
    objects: EDGE_OBJECTS,
    flags: ["nodejs_als"],
  };
  const isolates = Object.fromEntries(ISOLATES.map((name) => [name, { ...common, objectsOf: "objects" }]));
  const runtime = createRuntime({ ...isolates, objects: common });
  await runtime.start();
  const objects = runtime.url("objects");
  const urls = ISOLATES.map(runtime.url);
  let distances: Partial<Distances> = {};
  const apply = async (): Promise<void> => {
    for (const url of [...urls, objects])
      await fetch(`${url}/far-edge/settings`, { method: "POST", body: JSON.stringify(distances) });
  };
  return {
    urls,
    set: async (changed) => {
      distances = { ...distances, ...changed };
      await apply();
    },
    takeCounts: async () => {
      const sum: Record<string, number> = {};
      for (const url of [...urls, objects]) {
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
      await runtime.kill();
      await runtime.start();
      await apply();
    },
    log: runtime.log,
    close: runtime.remove,
  };
}
