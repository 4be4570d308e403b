import { handle } from "./app.ts";
import { type Composed, compose, type Platform } from "./compose.ts";
import { edgeGateway } from "./gateway/edge.ts";
import { Shield, type ShieldBindings } from "./gateway/object.ts";
import { type Count, dataPoint } from "./http/count.ts";
import { refuse } from "./http/refuse.ts";
import type { Log } from "./http/reply.ts";
import { requestIds } from "./http/request-id.ts";
import { LimiterShard, reachIn } from "./limiter/object.ts";
import { surfaceOf } from "./routes.ts";

export { LimiterShard, Shield };

type Bindings = ShieldBindings & {
  readonly LIMITER: DurableObjectNamespace<LimiterShard>;
  readonly ASSETS: Fetcher;
  readonly METRICS?: AnalyticsEngineDataset;
};

const newRequestId = requestIds(() => crypto.randomUUID());
const log: Log = (event, detail) => console.log(JSON.stringify({ event, ...detail }));
const POST = { method: "POST", headers: { "Content-Type": "application/json" }, redirect: "manual" } as const;
let composed: Composed | undefined;

function composeOnce(env: Bindings): Composed {
  composed ??= compose(env, platformOf(env));
  if (composed.kind === "refused") log("misconfigured", { problems: composed.problems });
  return composed;
}

function platformOf(env: Bindings): Platform {
  const metrics = env.METRICS;
  const count: Count | null = metrics === undefined ? null : (counted) => metrics.writeDataPoint(dataPoint(counted));
  return {
    now: () => Date.now(),
    newRequestId,
    log,
    count,
    gateway: (config) => edgeGateway(env, config, log, count),
    readAsset: (path) =>
      env.ASSETS.fetch(`https://assets.invalid${path}`).then((found) => (found.ok ? found.text() : undefined)),
    reachLimiter: reachIn(env.LIMITER),
    later: (run, delayMs) => setTimeout(run, delayMs),
    post: (url, body) => fetch(url, { ...POST, body, signal: AbortSignal.timeout(10_000) }).then(({ ok }) => ok),
  };
}

export default {
  fetch: (request, env, context) => {
    const edge = composeOnce(env);
    if (edge.kind === "app") return handle(edge.app, request, (work) => context.waitUntil(work));
    return refuse(surfaceOf(new URL(request.url).pathname), request.method, newRequestId());
  },
  scheduled: async (_event, env, context) => {
    const edge = composeOnce(env);
    if (edge.kind === "app") await edge.check({ nowMs: Date.now(), waitUntil: (work) => context.waitUntil(work) });
  },
} satisfies ExportedHandler<Bindings>;
