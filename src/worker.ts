import { handle } from "./app.ts";
import { type Composed, compose } from "./compose.ts";
import { edgeGateway } from "./gateway/edge.ts";
import { Shield, type ShieldBindings } from "./gateway/object.ts";
import { refuse } from "./http/refuse.ts";
import type { Log } from "./http/reply.ts";
import { LimiterShard, reachIn } from "./limiter/object.ts";
import { surfaceOf } from "./routes.ts";

export { LimiterShard, Shield };

interface Bindings extends ShieldBindings {
  readonly LIMITER: DurableObjectNamespace<LimiterShard>;
}

let composed: Composed | undefined;
let requests = 0;
let isolate: string | undefined;

/** Unique per request at the price of a counter: an id of this isolate, drawn once, and a running number. */
function newRequestId(): string {
  isolate ??= crypto.randomUUID().slice(0, 13);
  requests += 1;
  return `${isolate}-${requests.toString(36)}`;
}

const log: Log = (event, detail) => console.log(JSON.stringify({ event, ...detail }));

function composeOnce(env: Bindings): Composed {
  return compose(env, {
    now: () => Date.now(),
    newRequestId,
    log,
    gateway: (config) => edgeGateway(env, config, log),
    reachLimiter: reachIn(env.LIMITER),
    later: (run, delayMs) => setTimeout(run, delayMs),
  });
}

export default {
  fetch: (request, env, context) => {
    composed ??= composeOnce(env);
    if (composed.kind === "app") return handle(composed.app, request, (work) => context.waitUntil(work));
    console.error(JSON.stringify({ event: "misconfigured", problems: composed.problems }));
    return refuse(surfaceOf(new URL(request.url).pathname), request.method, newRequestId());
  },
} satisfies ExportedHandler<Bindings>;
