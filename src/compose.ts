import type { App } from "./app.ts";
import { type Environment, parseConfig } from "./config.ts";
import { discoveryRoutes } from "./http/discovery.ts";
import type { Handler, Log } from "./http/reply.ts";
import { VERSIONS, versionFaults } from "./http/version.ts";
import { type Route, routeTable } from "./routes.ts";

/** What only the platform can give. */
export interface Platform {
  readonly now: () => number;
  readonly newRequestId: () => string;
  readonly log: Log;
}

/** The app, or every reason why this deployment must not serve. */
export type Composed =
  | { readonly kind: "app"; readonly app: App }
  | { readonly kind: "refused"; readonly problems: readonly string[] };

/** Introduces the rooms to one another, once per isolate. The only place where they meet. */
export function compose(env: Environment, platform: Platform): Composed {
  const parsed = parseConfig(env);
  const problems = [...(parsed.kind === "problems" ? parsed.problems : []), ...versionFaults(VERSIONS)];
  if (parsed.kind === "problems" || problems.length > 0) return { kind: "refused", problems };
  const { config } = parsed;
  const routes: Route[] = [...get(discoveryRoutes()), ...get([{ path: "/api/max-supply", handler: notBuilt }])];
  return {
    kind: "app",
    app: {
      config,
      routes: routeTable(routes),
      limiter: {
        take: async (policy) => ({ admitted: true, remaining: policy.quota, resetSeconds: 0 }),
        look: async (policy) => ({ admitted: true, remaining: policy.quota, resetSeconds: 0 }),
      },
      ...platform,
    },
  };
}

const notBuilt: Handler = () => ({ kind: "unavailable", message: "Not available yet.", retryAfterSeconds: 60 });

function get(rows: readonly { readonly path: string; readonly handler: Handler }[]): Route[] {
  return rows.map((row) => ({ method: "GET", ...row }));
}
