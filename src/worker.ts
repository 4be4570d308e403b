import { handle } from "./app.ts";
import { type Composed, compose } from "./compose.ts";
import { Shield } from "./gateway/object.ts";
import { refuse } from "./http/refuse.ts";
import { splitUrl } from "./http/request-line.ts";
import { LimiterShard } from "./limiter/object.ts";
import { type Bindings, platformOf } from "./platform.ts";
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
    return refuse(surfaceOf(splitUrl(request.url).path), request.method, edge.newRequestId());
  },
  scheduled: async (_event, env, context) => {
    const edge = composeOnce(env);
    if (edge.kind === "app") await edge.check({ nowMs: Date.now(), waitUntil: (work) => context.waitUntil(work) });
  },
} satisfies ExportedHandler<Bindings>;
