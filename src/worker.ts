import { handle } from "./app.ts";
import { type Composed, compose } from "./compose/compose.ts";
import { type Bindings, platformOf } from "./compose/platform.ts";
import { Shield } from "./gateway/shield/durable-object.ts";
import { splitUrl } from "./http/split-url.ts";
import { LimiterShard } from "./limiter/durable-object.ts";
import { misconfiguredResponse } from "./misconfigured.ts";
import { surfaceOf } from "./routes.ts";

export { LimiterShard, Shield };

let composed: Composed | undefined;

function composeOnce(env: Bindings): Composed {
  composed ??= compose(
    env,
    platformOf(env, {
      now: () => Date.now(),
      later: (run, delayMs) => setTimeout(run, delayMs),
      send: (url, init) => fetch(url, init),
      asset: (url) => env.ASSETS.fetch(url),
      uuid: () => crypto.randomUUID(),
      print: (line) => console.log(line),
    }),
  );
  return composed;
}

export default {
  fetch: (request, env, context) => {
    const edge = composeOnce(env);
    if (edge.kind === "app") return handle(edge.app, request, (work) => context.waitUntil(work));
    const surface = surfaceOf(splitUrl(request.url).path);
    return misconfiguredResponse(surface, edge.policies, request.method, edge.newRequestId());
  },
  scheduled: async (_event, env, context) => {
    const edge = composeOnce(env);
    if (edge.kind === "app") await edge.check({ nowMs: Date.now(), waitUntil: (work) => context.waitUntil(work) });
  },
} satisfies ExportedHandler<Bindings>;
