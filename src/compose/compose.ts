import { addresses, ratesMapping, schedule } from "../../dist/schedule.js";
import { withAddresses } from "../addresses/address-routes.ts";
import type { AdmittedRoute } from "../admission.ts";
import type { App } from "../app.ts";
import type { Log } from "../base/log.ts";
import type { RecordMetric } from "../base/metrics.ts";
import type { Environment } from "../base/settings.ts";
import { type AdvertisedPolicies, type Config, parseConfig } from "../config.ts";
import type { GatewayApi } from "../gateway/edge-gateway.ts";
import { type CallFaucet, faucetRoutes } from "../gateway/faucet/faucet-handlers.ts";
import { webhookRequest } from "../health/webhook.ts";
import type { HomeCalls } from "../home/calls.ts";
import { builtListReader } from "../home/history/built-lists.ts";
import { assetReader, type FetchAsset } from "../http/assets.ts";
import { withByteOrderMark } from "../http/byte-order-mark.ts";
import type { GetRoute } from "../http/handler.ts";
import { EdgeLimiter } from "../limiter/edge-limiter.ts";
import {
  type FloodLimits,
  guardedShardStub,
  type LimiterPorts,
  limiterProbe,
  type ShardCalls,
  type ShardHealthCalls,
} from "../limiter/shard-client.ts";
import type { Region } from "../placement/location-hint.ts";
import { badgeRoutes } from "../publish/badges/badge-handlers.ts";
import { discoveryRoutes } from "../publish/discovery/discovery-handlers.ts";
import { manualRoutes } from "../publish/discovery/manual-handlers.ts";
import { routeTable } from "../routes.ts";
import { settingsFor } from "../supply/capabilities.ts";
import { supplyRoutes } from "../supply/supply-handlers.ts";
import { badgeFigures, productBadge } from "./badge-figures.ts";
import { type ComposedFigures, figureRoutes } from "./figure-routes.ts";
import { withPeriodsRefused } from "./requested-periods.ts";

/** Services of the platform. The Worker shell makes them; tests pass fakes. */
export interface Platform {
  readonly now: () => number;
  readonly newRequestId: () => string;
  readonly log: Log;
  /** null: no metrics dataset is bound. */
  readonly metrics: (config: Config) => RecordMetric | null;
  readonly fetchAsset: FetchAsset;
  readonly limiterShard: (config: Config) => (name: string, region: Region) => () => ShardCalls & ShardHealthCalls;
  readonly floodLimits: FloodLimits;
  readonly later: LimiterPorts["later"];
  readonly gateway: (config: Config, recordMetric: RecordMetric | null) => GatewayApi;
  readonly home: (config: Config) => HomeCalls;
  /** null: the upstreams have no faucet. */
  readonly callFaucet: (config: Config) => CallFaucet | null;
  /** Posts JSON; true when the receiver accepted it. May reject. */
  readonly post: (url: string, body: string) => Promise<boolean>;
}

/** The app; or, for a deployment that must not serve, what its 503 needs. The log has the reasons. */
export type Composed =
  | { readonly kind: "app"; readonly app: App; readonly check: ComposedFigures["check"] }
  | {
      readonly kind: "refused";
      readonly policies: AdvertisedPolicies;
      readonly newRequestId: () => string;
    };

/** Wires the modules together, once per isolate. A module imports only modules of lower layers. */
export function compose(env: Environment, platform: Platform): Composed {
  const parsed = settingsFor(schedule, parseConfig(env, schedule.chains));
  const { now, newRequestId, log, later } = platform;
  const readAsset = assetReader(platform.fetchAsset);
  if (parsed.kind === "problems") {
    // Logged once per isolate, because only the operator can act on it.
    log("misconfigured", { problems: parsed.problems });
    return { kind: "refused", policies: parsed.policies, newRequestId };
  }
  const { config } = parsed;
  const { alertWebhook, heartbeatUrl, buildRevision, deployment, environment } = config;
  const recordMetric = platform.metrics(config);
  const gateway = platform.gateway(config, recordMetric);
  const home = platform.home(config);
  const callFaucet = platform.callFaucet(config);
  const shardStub = platform.limiterShard(config);
  const figures = figureRoutes({
    config,
    schedule,
    addressesSha256: addresses?.sha256 ?? null,
    ratesMappingSha256: ratesMapping?.sha256 ?? null,
    log,
    getShared: home.getShared,
    history: home.history,
    lastGood: home.lastGood,
    upstreamHealth: home.upstreamHealth,
    readTip: config.servesNode ? gateway.readTip : () => Promise.resolve("current"),
    backfill: builtListReader(readAsset, "/documents/history.json"),
    corrections: builtListReader(readAsset, "/documents/history-corrections.json"),
    limiterState: limiterProbe({ shardStub, fullLimiters: home.fullLimiters, later, now }, config),
    pause: (milliseconds) => new Promise((resolve) => later(resolve, milliseconds)),
    now,
    postNotice:
      alertWebhook === null
        ? null
        : (notice) => {
            const { url, body } = webhookRequest(alertWebhook, notice, {
              deployment,
              environment,
              token: schedule.token.symbol,
            });
            return platform.post(url, body).catch(() => false);
          },
    postHeartbeat:
      heartbeatUrl === null
        ? null
        : () => platform.post(heartbeatUrl, JSON.stringify({ build_revision: buildRevision })),
  });
  const bodies = [...supplyRoutes(schedule, figures.readOnChain, readAsset), ...figures.routes];
  const apiRoutes = get(bodies.map(withByteOrderMark));
  const routes: AdmittedRoute[] = [
    ...get([...discoveryRoutes(readAsset, config), ...manualRoutes(platform.fetchAsset)]),
    ...get(
      withPeriodsRefused([...apiRoutes, ...badgeRoutes(badgeFigures(apiRoutes, schedule), productBadge(apiRoutes))]),
    ),
    ...(config.servesNode ? gateway.routes : []),
    ...(config.servesNode && callFaucet !== null ? faucetRoutes(callFaucet) : []),
  ];
  const limiter = new EdgeLimiter({
    now,
    later,
    log,
    shardStub: guardedShardStub(shardStub, platform.floodLimits),
    shards: config.limiterShards,
    generation: config.objectGeneration,
    salt: config.limiterSalt,
  });
  const app: App = {
    config,
    routes: routeTable(withAddresses(routes, addresses, figures.figuresAt)),
    limiter,
    now,
    newRequestId,
    log,
    recordMetric,
  };
  return { kind: "app", app, check: figures.check };
}

function get(rows: readonly GetRoute[]): (GetRoute & Pick<AdmittedRoute, "method">)[] {
  return rows.map((row) => ({ method: "GET", ...row }));
}
