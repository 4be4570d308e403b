import { handle } from "./app.ts";
import { type Composed, compose } from "./compose/compose.ts";
import { type Bindings, platformOf } from "./compose/platform.ts";
import { isManualPath, markdownPath } from "./discovery/manual.ts";
import { Shield } from "./gateway/shield/durable-object.ts";
import { History } from "./history/durable-object.ts";
import { splitUrl } from "./http/split-url.ts";
import { LimiterShard } from "./limiter/durable-object.ts";
import { misconfiguredResponse } from "./misconfigured.ts";
import { surfaceOf } from "./routes.ts";

export { History, LimiterShard, Shield };

let composed: Composed | undefined;

function composeOnce(env: Bindings): Composed {
  composed ??= compose(env, platformOf(env));
  return composed;
}

export default {
  fetch: (request, env, context) => {
    const { path } = splitUrl(request.url);
    // The manual is static: it needs no configuration and costs no quota.
    if (isManualPath(path)) {
      const markdown = markdownPath(path, request.headers.get("Accept"));
      return env.ASSETS.fetch(markdown === null ? request : new Request(new URL(markdown, request.url), request));
    }
    const edge = composeOnce(env);
    if (edge.kind === "app") return handle(edge.app, request, (work) => context.waitUntil(work));
    return misconfiguredResponse(surfaceOf(path), edge.policies, request.method, edge.newRequestId());
  },
  scheduled: async (_event, env, context) => {
    const edge = composeOnce(env);
    if (edge.kind === "app") await edge.check({ nowMs: Date.now(), waitUntil: (work) => context.waitUntil(work) });
  },
} satisfies ExportedHandler<Bindings>;
