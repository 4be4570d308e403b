import native from "../../schedule/native.json" with { type: "json" };
import type { App } from "../app.ts";
import { type Config, type Environment, parseConfig } from "../config.ts";
import { discoveryRoutes, type ReadAsset } from "../discovery/handlers.ts";
import type { EdgeGateway } from "../gateway/platform.ts";
import { VERSIONS, versionTableErrors } from "../http/api-version.ts";
import type { Handler } from "../http/handler.ts";
import { edgeLimiter, type LimiterPorts } from "../limiter/edge-limiter.ts";
import { limiterIsReachable } from "../limiter/health-probe.ts";
import type { Log } from "../log.ts";
import type { RecordMetric } from "../metrics.ts";
import { type Route, routeTable } from "../routes.ts";
import { assetsOf } from "../supply/asset.ts";
import { supplyRoutes } from "../supply/handlers.ts";
import { parseSchedule } from "../supply/parse.ts";
import { scheduleErrorText } from "../supply/schedule.ts";
import { type FigurePorts, type Figures, figures } from "./figures.ts";

/** What only the platform can give. */
export interface Platform {
  readonly now: () => number;
  readonly newRequestId: () => string;
  readonly log: Log;
  /** null: no dataset is bound, nothing is counted. */
  readonly count: RecordMetric | null;
  readonly readAsset: ReadAsset;
  readonly reachLimiter: LimiterPorts["shardStub"];
  readonly later: LimiterPorts["later"];
  readonly gateway: (config: Config) => EdgeGateway;
  /** Posts JSON; true when it was taken. May reject. */
  readonly post: (url: string, body: string) => Promise<boolean>;
}

/** The app, or every reason why this deployment must not serve. */
export type Composed =
  | { readonly kind: "app"; readonly app: App; readonly check: Figures["check"] }
  | { readonly kind: "refused"; readonly problems: readonly string[]; readonly newRequestId: () => string };

/** Introduces the rooms to one another, once per isolate. The only place where they meet. */
export function compose(env: Environment, platform: Platform): Composed {
  const parsed = parseConfig(env);
  const supply = parseSchedule(native);
  const problems = [
    ...(parsed.kind === "problems" ? parsed.problems : []),
    ...versionTableErrors(VERSIONS),
    ...(supply.kind === "faults" ? supply.faults.map((fault) => scheduleErrorText("schedule/native.json", fault)) : []),
  ];
  if (parsed.kind === "problems" || supply.kind === "faults" || problems.length > 0) return refused(problems, platform);
  const { config } = parsed;
  const { schedule } = supply;
  const assets = assetsOf(config);
  if ("problems" in assets) return refused(assets.problems, platform);
  const gateway = platform.gateway(config);
  const fed = figures({ ...platform, ...gateway, config, schedule, ...watchPorts(config, platform) }, assets);
  const routes: Route[] = [
    ...get(discoveryRoutes(platform.readAsset)),
    ...get(supplyRoutes({ schedule, onChainTotal: fed.onChainTotal })),
    ...get(fed.routes),
    ...gateway.routes,
  ];
  return {
    kind: "app",
    check: fed.check,
    app: {
      config,
      routes: routeTable(routes),
      limiter: edgeLimiter({ ...platform, shardStub: platform.reachLimiter, shards: config.limiterShards }),
      ...platform,
    },
  };
}

/** Told once per isolate: nobody but the operator can do anything about it. */
function refused(problems: readonly string[], { log, newRequestId }: Platform): Composed {
  log("misconfigured", { problems });
  return { kind: "refused", problems, newRequestId };
}

/** What health is judged and told by. */
function watchPorts(
  { alertWebhook, policies }: Config,
  platform: Platform,
): Pick<FigurePorts, "limiterAnswers" | "postNotice" | "pause"> {
  return {
    pause: (milliseconds) => new Promise((resolve) => platform.later(resolve, milliseconds)),
    limiterAnswers: () => limiterIsReachable({ ...platform, shardStub: platform.reachLimiter }, policies.default),
    postNotice:
      alertWebhook === null ? null : (notice) => platform.post(alertWebhook, JSON.stringify(notice)).catch(() => false),
  };
}

function get(rows: readonly { readonly path: string; readonly handler: Handler }[]): Route[] {
  return rows.map((row) => ({ method: "GET", ...row }));
}
