import native from "../schedule/native.json" with { type: "json" };
import type { App } from "./app.ts";
import { type Config, type Environment, parseConfig } from "./config.ts";
import type { EdgeGateway } from "./gateway/edge.ts";
import { discoveryRoutes } from "./http/discovery.ts";
import type { Handler, Log } from "./http/reply.ts";
import { VERSIONS, versionFaults } from "./http/version.ts";
import { edgeLimiter, type LimiterPorts } from "./limiter/limiter.ts";
import { type Route, routeTable } from "./routes.ts";
import { supplyRoutes } from "./supply/handlers.ts";
import { parseSchedule } from "./supply/parse.ts";
import { faultText } from "./supply/schedule.ts";

/** What only the platform can give. */
export interface Platform {
  readonly now: () => number;
  readonly newRequestId: () => string;
  readonly log: Log;
  readonly reachLimiter: LimiterPorts["reach"];
  readonly later: LimiterPorts["later"];
  readonly gateway: (config: Config) => EdgeGateway;
}

/** The app, or every reason why this deployment must not serve. */
export type Composed =
  | { readonly kind: "app"; readonly app: App }
  | { readonly kind: "refused"; readonly problems: readonly string[] };

/** Introduces the rooms to one another, once per isolate. The only place where they meet. */
export function compose(env: Environment, platform: Platform): Composed {
  const parsed = parseConfig(env);
  const supply = parseSchedule(native);
  const problems = [
    ...(parsed.kind === "problems" ? parsed.problems : []),
    ...versionFaults(VERSIONS),
    ...(supply.kind === "faults" ? supply.faults.map((fault) => faultText("schedule/native.json", fault)) : []),
  ];
  if (parsed.kind === "problems" || supply.kind === "faults" || problems.length > 0)
    return { kind: "refused", problems };
  const { config } = parsed;
  const gateway = platform.gateway(config);
  const routes: Route[] = [
    ...get(discoveryRoutes()),
    ...get(supplyRoutes({ schedule: supply.schedule })),
    ...gateway.routes,
  ];
  return {
    kind: "app",
    app: {
      config,
      routes: routeTable(routes),
      limiter: edgeLimiter({ ...platform, reach: platform.reachLimiter, shards: config.limiterShards }),
      ...platform,
    },
  };
}

function get(rows: readonly { readonly path: string; readonly handler: Handler }[]): Route[] {
  return rows.map((row) => ({ method: "GET", ...row }));
}
