import { type App, handle } from "./app.ts";
import { parseConfig } from "./config.ts";
import type { Handler } from "./http/reply.ts";
import { routeTable } from "./routes.ts";

export { Limiter } from "./limiter/object.ts";

const notBuilt: Handler = () => ({ kind: "unavailable", message: "Not available yet.", retryAfterSeconds: 60 });

let app: App | undefined;

function appOf(env: Record<string, unknown>): App {
  const parsed = parseConfig(env);
  if (parsed.kind === "problems") throw new Error(parsed.problems.join("; "));
  return {
    config: parsed.config,
    routes: routeTable([{ method: "GET", path: "/api/max-supply", handler: notBuilt }]),
    limiter: {
      take: async (policy) => ({ admitted: true, remaining: policy.quota, resetSeconds: 0 }),
      look: async (policy) => ({ admitted: true, remaining: policy.quota, resetSeconds: 0 }),
    },
    now: () => Date.now(),
    newRequestId: () => crypto.randomUUID(),
    log: (event, detail) => console.log(JSON.stringify({ event, ...detail })),
  };
}

export default {
  fetch: (request, env, context) => {
    app ??= appOf(env as unknown as Record<string, unknown>);
    return handle(app, request, (work) => context.waitUntil(work));
  },
} satisfies ExportedHandler<Record<string, unknown>>;
