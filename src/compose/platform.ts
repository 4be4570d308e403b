import { edgeGateway } from "../gateway/edge-gateway.ts";
import type { ShieldBindings } from "../gateway/shield/durable-object.ts";
import type { History } from "../history/durable-object.ts";
import { storedHistory } from "../history/stored-history.ts";
import { requestIdGenerator } from "../http/request-id.ts";
import { type LimiterShard, limiterShardStub } from "../limiter/durable-object.ts";
import type { CoarseLimit } from "../limiter/flood-guard.ts";
import { sampledMetrics } from "../metrics.ts";
import type { Platform } from "./compose.ts";

/** The bindings of wrangler.toml; settings are variables beside them. */
export type Bindings = ShieldBindings & {
  readonly LIMITER: DurableObjectNamespace<LimiterShard>;
  readonly HISTORY: DurableObjectNamespace<History>;
  readonly ASSETS: Fetcher;
  readonly METRICS?: AnalyticsEngineDataset;
  readonly FLOOD_CALLER?: CoarseLimit;
  readonly FLOOD_NETWORK?: CoarseLimit;
};

const POST = { method: "POST", headers: { "Content-Type": "application/json" }, redirect: "manual" } as const;
const POST_TIMEOUT_MS = 10_000;

/** The bindings and the runtime as the ports that {@link compose} uses. */
export function platformOf(env: Bindings): Platform {
  const log: Platform["log"] = (event, detail) => console.log(JSON.stringify({ event, ...detail }));
  return {
    now: () => Date.now(),
    later: (run, delayMs) => setTimeout(run, delayMs),
    newRequestId: requestIdGenerator(() => crypto.randomUUID()),
    log,
    metrics: ({ metricsSampleRate }) => {
      const { METRICS: dataset } = env;
      if (dataset === undefined) return null;
      return sampledMetrics(
        (point) => dataset.writeDataPoint(point),
        metricsSampleRate,
        () => Math.random(),
      );
    },
    gateway: (config, recordMetric) => edgeGateway(env, config, log, recordMetric),
    historyStore: ({ homeRegion }) => storedHistory(env.HISTORY, homeRegion),
    readAsset: async (path) => {
      const found = await env.ASSETS.fetch(`https://assets.invalid${path}`);
      return found.ok ? found.text() : undefined;
    },
    limiterShard: ({ homeRegion }) => limiterShardStub(env.LIMITER, homeRegion),
    floodLimits: { caller: env.FLOOD_CALLER ?? null, network: env.FLOOD_NETWORK ?? null },
    post: async (url, body) => (await fetch(url, { ...POST, body, signal: AbortSignal.timeout(POST_TIMEOUT_MS) })).ok,
  };
}
