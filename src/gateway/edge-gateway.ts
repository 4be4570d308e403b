import type { AdmittedRoute } from "../admission.ts";
import { fnv1aHex } from "../base/hash/fnv1a.ts";
import type { Log } from "../base/log.ts";
import type { RecordMetric } from "../base/metrics.ts";
import { now, sleep, within } from "../base/timers.ts";
import type { TipRead } from "../chain/upstream-report.ts";
import type { Config } from "../config.ts";
import type { RequestContext } from "../http/handler.ts";
import { locationHintOf } from "../placement/location-hint.ts";
import { objectAt } from "../placement/objects.ts";
import { cacheKeyOf } from "./cache/freshness.ts";
import { responseLru, sharedCache } from "./cache/store.ts";
import { Gateway } from "./gateway.ts";
import { nodeRoutes } from "./gateway-handlers.ts";
import { dataCentre, readBody, sendersOf, withLengthAndDeadline } from "./platform.ts";
import { type ShieldResult, shieldName } from "./shield/messages.ts";
import type { Shield, ShieldBindings } from "./shield-object.ts";
import { callUpstreams } from "./upstream/failover.ts";
import { poolOf, type UpstreamPorts } from "./upstream/upstreams.ts";

/** Interface of the gateway to the rest of the Worker. */
export interface GatewayApi {
  readonly routes: readonly AdmittedRoute[];
  /**
   * Reads the newest ledger as a caller with this `request.cf` would; without one, from the home region. The result is
   * stored for others.
   */
  readonly readTip: (cf: object | undefined, waitUntil: RequestContext["waitUntil"]) => Promise<TipRead>;
}

export interface GatewayBindings extends ShieldBindings {
  readonly SHIELD: DurableObjectNamespace<Shield>;
}

const MEMORY_BYTES = 16 * 1_048_576;
/** Deadline of a shield call, longer than the shield's own limit for all upstream attempts. */
const SHIELD_DEADLINE_MS = 14_000;

/** Connects the gateway. `origin` returns the deployment's origin; null before the first request. */
export function edgeGateway(
  bindings: GatewayBindings,
  config: Config,
  origin: () => string | null,
  log: Log,
  count: RecordMetric | null,
): GatewayApi {
  const { homeRegion, objectGeneration } = config;
  const [
    {
      nodeUrls,
      chain: { chainId },
    },
  ] = config.chains;
  const { senders, send } = sendersOf(bindings, config);
  const pool = poolOf(senders);
  const upstreams = { pool, now, sleep, send };
  const gateway = new Gateway({
    now,
    sleep,
    memory: responseLru(MEMORY_BYTES),
    shared: sharedCache({
      cache: dataCentre(),
      salt: `${fnv1aHex(chainId === null ? nodeUrls.join(",") : String(chainId))}/`,
      origin,
      log,
    }),
    shield: (region, read) => {
      const name = shieldName(objectGeneration, region, cacheKeyOf(read.request));
      // An async function, so that a call that throws at once rejects like any other.
      const answer = async () => objectAt(bindings.SHIELD, name, region, homeRegion).answer(read, upstreams.send);
      return within<ShieldResult | null>(SHIELD_DEADLINE_MS, answer(), null);
    },
    pool,
    call: (request, floor, background) => {
      const chainIdNow = pool.tip?.ledger.chainId ?? chainId;
      const follows: UpstreamPorts["follows"] = (_upstream, ledger) =>
        chainIdNow === null || ledger.chainId === chainIdNow;
      return callUpstreams(request, { ...upstreams, background, follows, era: pool.tip?.era ?? 0 }, floor);
    },
    log,
    count,
    staleIfErrorSeconds: config.staleIfErrorSeconds,
  });
  const isProduction = config.environment === "production";
  return {
    routes: nodeRoutes(gateway, {
      headerPrefix: config.nodeHeaderPrefix,
      isProduction,
      readBody,
      withLength: withLengthAndDeadline,
    }),
    readTip: (cf, waitUntil) => gateway.readTip(locationHintOf(cf), waitUntil),
  };
}
