import { handle } from "./app.ts";
import { logTo } from "./base/log.ts";
import { sampledMetrics } from "./base/metrics.ts";
import { type Composed, compose, type Platform } from "./compose/compose.ts";
import { misconfiguredResponse } from "./compose/misconfigured.ts";
import { edgeGateway, type GatewayBindings } from "./gateway/edge-gateway.ts";
import { Shield } from "./gateway/shield-object.ts";
import { homeCalls } from "./home/calls.ts";
import { Home } from "./home/home-object.ts";
import { ASSETS_ORIGIN } from "./http/assets.ts";
import { requestIdGenerator } from "./http/request-id.ts";
import { originOf, splitUrl } from "./http/split-url.ts";
import { LimiterShard, limiterShardStub } from "./limiter/limiter-object.ts";
import type { CoarseLimit } from "./limiter/shard-client.ts";
import { surfaceOf } from "./routes.ts";

export { Home, LimiterShard, Shield };

/** Bindings of wrangler.toml. The settings are variables beside them. */
type Bindings = GatewayBindings & {
  readonly LIMITER: DurableObjectNamespace<LimiterShard>;
  readonly HOME: DurableObjectNamespace<Home>;
  readonly ASSETS: Fetcher;
  readonly METRICS?: AnalyticsEngineDataset;
  readonly FLOOD_CALLER?: CoarseLimit;
  readonly FLOOD_NETWORK?: CoarseLimit;
};

const POST = { method: "POST", headers: { "Content-Type": "application/json" }, redirect: "manual" } as const;
const POST_TIMEOUT_MS = 10_000;

/** Makes the ports that {@link compose} uses from the bindings and the runtime. */
function platformOf(env: Bindings): Platform {
  const log = logTo(console);
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
    gateway: (config, recordMetric) => edgeGateway(env, config, () => origin, log, recordMetric),
    // Only the embedded node has a faucet, and only while it is the upstream.
    callFaucet: ({ chains: [{ nodeUrls }] }) => {
      const { NODE } = env;
      if (nodeUrls.length > 0 || NODE === undefined) return null;
      return (path, init) => NODE.fetch(`http://node${path}`, init);
    },
    home: ({ homeRegion }) => homeCalls(env.HOME, homeRegion, log),
    fetchAsset: (path) => env.ASSETS.fetch(ASSETS_ORIGIN + path, { redirect: "manual" }),
    limiterShard: ({ homeRegion }) => limiterShardStub(env.LIMITER, homeRegion),
    floodLimits: { caller: env.FLOOD_CALLER ?? null, network: env.FLOOD_NETWORK ?? null },
    post: async (url, body) => (await fetch(url, { ...POST, body, signal: AbortSignal.timeout(POST_TIMEOUT_MS) })).ok,
  };
}

let composed: Composed | undefined;
/**
 * Origin of the deployment, from its first request. The port is left out, because isolates of one machine share the
 * cache.
 */
let origin: string | null = null;

function composeOnce(env: Bindings): Composed {
  composed ??= compose(env, platformOf(env));
  return composed;
}

export default {
  fetch: (request, env, context) => {
    origin ??= originOf(request.url).replace(/:\d*$/, "");
    const edge = composeOnce(env);
    if (edge.kind === "app") return handle(edge.app, request, (work) => context.waitUntil(work));
    return misconfiguredResponse(
      surfaceOf(splitUrl(request.url).path),
      edge.policies,
      request.method,
      edge.newRequestId(),
    );
  },
  scheduled: async (_event, env, context) => {
    const edge = composeOnce(env);
    if (edge.kind === "app") await edge.check({ nowMs: Date.now(), waitUntil: (work) => context.waitUntil(work) });
  },
} satisfies ExportedHandler<Bindings>;
