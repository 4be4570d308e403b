import { Log, LogLevel, Miniflare } from "miniflare";
import { bundleWorker } from "../../tools/bundle-worker.ts";

/** The edge over real HTTP in front of real upstreams, with its scheduled check at hand. */
export interface ScheduledEdge {
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** Runs the check, as the platform does every hour. */
  readonly check: () => Promise<void>;
  /** What it has logged so far. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function startScheduledEdge(vars: Readonly<Record<string, string>>): Promise<ScheduledEdge> {
  let log = "";
  const runtime = new Miniflare({
    handleStructuredLogs: ({ message }) => {
      log += `${message}\n`;
    },
    log: new Log(LogLevel.ERROR),
    host: "127.0.0.1",
    port: 0,
    workers: [
      {
        config: {
          type: "worker",
          name: "edge",
          compatibilityDate: "2026-08-10",
          compatibilityFlags: ["no_nodejs_compat", "no_nodejs_compat_v2"],
          manifest: {
            mainModule: "worker.js",
            modules: { "worker.js": { type: "esm", contents: (await bundleWorker("src")).code } },
          },
          exports: {
            LimiterShard: { type: "durable-object", storage: "sqlite" },
            Shield: { type: "durable-object", storage: "sqlite" },
            History: { type: "durable-object", storage: "sqlite" },
          },
          env: {
            ...Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, { type: "text", value }])),
            LIMITER: { type: "durable-object", workerName: "edge", exportName: "LimiterShard" },
            SHIELD: { type: "durable-object", workerName: "edge", exportName: "Shield" },
            HISTORY: { type: "durable-object", workerName: "edge", exportName: "History" },
          },
        },
      },
    ],
  });
  const base = (await runtime.ready).href.replace(/\/$/, "");
  const worker = await runtime.getWorker();
  return {
    get: async (path, headers = {}) => {
      const answer = await fetch(base + path, { headers });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
    check: async () => {
      await worker.scheduled({ cron: "7 * * * *" });
    },
    log: () => log,
    close: () => runtime.dispose(),
  };
}
