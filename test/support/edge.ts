import { anotherRelease } from "./another-release.ts";
import { createRuntime, EDGE_OBJECTS, withClock, workerModule } from "./runtime.ts";

/** Edge in the bare runtime over real HTTP, in front of the given nodes, with a second isolate. */
export interface Edge {
  readonly url: string;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly post: (path: string, body: Body, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** The same Worker in another isolate, with the first one's objects. */
  readonly other: { readonly url: string; readonly get: (path: string) => Promise<Answer> };
  /** Runs the scheduled check, as the platform does every hour. */
  readonly check: () => Promise<void>;
  /** Kills the runtime and starts it on the same storage with other settings. */
  readonly restart: (settings: Readonly<Record<string, string>>) => Promise<void>;
  /** The log of both isolates. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

type Body = string | Uint8Array<ArrayBuffer>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The response's ledger version; -1 without one. */
  readonly version: bigint;
}

const JSON_TYPE = { "Content-Type": "application/json" } as const;
const CLOCK = `export default {
  async fetch(_request, { EDGE }) {
    const { outcome } = await EDGE.scheduled({ cron: "7 * * * *" });
    return new Response(outcome);
  },
};`;

/** Isolate that runs another release: the one with the objects, the other one, or none. */
export type AnotherRelease = "objects" | "other" | "none";

interface EdgeOptions {
  readonly another?: AnotherRelease;
  /** Speed of the runtime's clock. */
  readonly speed?: number;
  /** Module to run instead of this checkout's; null: this checkout's. */
  readonly bundle?: string | null;
}

export async function startEdge(
  nodeUrls: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  { another = "none", speed = 1, bundle = null }: EdgeOptions = {},
): Promise<Edge> {
  const quotas = { RATE_LIMIT_DEFAULT: "10000/1", RATE_LIMIT_NODE: "10000/1" };
  const vars = { NODE_URLS: nodeUrls.join(","), ...quotas, ...settings };
  const code = withClock(bundle ?? (await workerModule("worker")), speed);
  const modulesOf = (isolate: AnotherRelease): Record<string, string> =>
    another === isolate ? anotherRelease(code, Object.values(EDGE_OBJECTS)) : { "worker.js": code };
  const objects = EDGE_OBJECTS;
  const runtime = createRuntime({
    edge: { modules: modulesOf("objects"), vars, objects },
    other: { modules: modulesOf("other"), vars, objects, objectsOf: "edge" },
    clock: {
      modules: { "clock.js": CLOCK },
      services: { EDGE: "edge" },
      flags: ["service_binding_extra_handlers"],
    },
  });
  await runtime.start();
  const url = runtime.url("edge");
  return {
    url,
    get: async (path, headers = {}) => read(await fetch(url + path, { headers })),
    post: async (path, body, headers = JSON_TYPE) => read(await fetch(url + path, { method: "POST", headers, body })),
    other: { url: runtime.url("other"), get: async (path) => read(await fetch(runtime.url("other") + path)) },
    check: async () => {
      const outcome = await (await fetch(runtime.url("clock"))).text();
      if (outcome !== "ok") throw new Error(`the scheduled check ended with ${outcome}`);
    },
    restart: async (changed) => {
      await runtime.kill();
      Object.assign(vars, changed);
      await runtime.start();
    },
    log: runtime.log,
    close: runtime.remove,
  };
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
