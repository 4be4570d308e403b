import type { UpstreamsReport } from "../chain/upstream-report.ts";
import type { ReadView } from "../chain/view.ts";
import type { Config } from "../config.ts";
import { fnv1aHex } from "../hash/fnv1a.ts";
import type { Log } from "../log.ts";
import type { RecordMetric } from "../metrics.ts";
import { locationHintOf } from "../placement/location-hint.ts";
import type { FigureStore } from "../swr/loader.ts";
import { type DataCentreCache, dataCentreCache, type Place } from "./cache/data-centre-cache.ts";
import { cacheKeyOf } from "./cache/freshness.ts";
import { responseLru } from "./cache/lru.ts";
import { faucetRoutes } from "./faucet.ts";
import { Gateway } from "./gateway.ts";
import { type GatewayRoute, nodeRoutes } from "./handlers.ts";
import { readTip, readViewOver } from "./internal-reads.ts";
import {
  bodyReader,
  dataCentre,
  embeddedNode,
  fetchListing,
  now,
  passOn,
  sendersOf,
  sleep,
  within,
} from "./platform.ts";
import type { FetchListing, ReadTip, UpstreamHealth } from "./ports.ts";
import type { ReadBody } from "./request/read-body.ts";
import type { Shield, ShieldBindings } from "./shield/durable-object.ts";
import type { ShieldResult } from "./shield/messages.ts";
import { objectAt } from "./shield/peers.ts";
import { HOME, HOME_NAME, SHARDS, shieldName } from "./shield/routing.ts";
import { callUpstreams } from "./upstream/failover.ts";
import { learnUpstreams } from "./upstream/learn-upstreams.ts";
import { exchangeOver, poolOver, userAgentOf } from "./upstream/senders.ts";
import { learnTip } from "./upstream/trusted-ledger.ts";

/** What the gateway provides to the rest of the Worker. */
export interface EdgeGateway {
  readonly routes: readonly GatewayRoute[];
  /** Called with every request; the first one determines this isolate's place. */
  readonly learnPlace: (request: Request) => void;
  readonly readView: ReadView;
  readonly lastGood: FigureStore;
  readonly readTip: ReadTip;
  readonly upstreamHealth: UpstreamHealth;
  readonly fetchListing: FetchListing;
}

const MEMORY_BYTES = 16 * 1_048_576;
/** Longer than the shield's own limit for all upstream attempts. */
const SHIELD_DEADLINE_MS = 14_000;
/** Longer than the shield's limit for recording at the caller's object. */
const SETTLE_DEADLINE_MS = 2_000;
const HOME_DEADLINE_MS = 2_500;
/** A data centre writes a figure to its home object at most this often, however many isolates it has. */
const PUT_EVERY_MS = 60_000;

export function edgeGateway(
  bindings: ShieldBindings,
  config: Config,
  log: Log,
  count: RecordMetric | null,
): EdgeGateway {
  const senders = sendersOf(bindings, config);
  const pool = poolOver(senders);
  const exchange = exchangeOver(senders);
  const stubOf = (name: string, region: string) => objectAt(bindings.SHIELD, name, region, config.homeRegion);
  // Taken from the first request of this isolate.
  let place: Place | null = null;
  const data = dataCentreCache({
    cache: dataCentre(),
    salt: `${fnv1aHex(`${config.nodeUrls.join(",")} ${config.chainId}`)}/`,
    place: () => place,
    now,
    log,
  });
  const gateway = new Gateway({
    now,
    sleep,
    memory: responseLru(MEMORY_BYTES),
    ...data,
    shield: async (region, read) => {
      const stub = stubOf(shieldName(region, cacheKeyOf(read.request), SHARDS), region);
      const deadlineMs = read.polled === null ? SHIELD_DEADLINE_MS : SETTLE_DEADLINE_MS;
      const result = await within<ShieldResult | null>(deadlineMs, stub.answer(region, read, exchange), null);
      if (result === null) throw new Error("the shield did not answer");
      return result;
    },
    call: (request, floor, tip, waitUntil) => {
      learnTip(pool, tip, config.chainId, now());
      const learn = async () => undefined;
      return callUpstreams(request, { pool, now, sleep, background: waitUntil, learn, send: exchange }, floor);
    },
    learnUpstreams: (findings) => learnUpstreams(pool, findings, now()),
    log,
    count,
    staleIfErrorSeconds: config.staleIfErrorSeconds,
  });
  const readBody = bodyReader();
  const isProduction = config.environment === "production";
  const routeOptions = { headerPrefix: config.nodeHeaderPrefix, isProduction, readBody, passOn };
  const home = () => stubOf(HOME_NAME, HOME);
  return {
    routes: [...nodeRoutes(gateway, routeOptions), ...embeddedFaucet(bindings, config, readBody)],
    learnPlace: (request) => {
      // Without a port: isolates of one machine share the cache, whatever port they listen on.
      place ??= { origin: `https://${new URL(request.url).hostname}`, region: locationHintOf(request.cf) };
    },
    readView: readViewOver(gateway, () => place?.region ?? HOME),
    readTip: (cf) => readTip(gateway, cf === undefined ? HOME : locationHintOf(cf)),
    lastGood: figureStore(home, data),
    upstreamHealth: () =>
      within<UpstreamsReport>(SHIELD_DEADLINE_MS, home().health(), { upstreams: [], chainReplacedAtMs: null }),
    fetchListing: (...listing) => fetchListing(bindings, userAgentOf(config), ...listing),
  };
}

/** Last good figures, at the home object. */
function figureStore(home: () => DurableObjectStub<Shield>, { claim }: DataCentreCache): FigureStore {
  const put: FigureStore["put"] = (...figure) => within<void>(HOME_DEADLINE_MS, home().putFigure(...figure), undefined);
  return {
    get: (name) => within(HOME_DEADLINE_MS, home().figure(name), null),
    put,
    putSometimes: async (name, ...figure) => {
      if (await claim(`last-good ${name}`, PUT_EVERY_MS)) await put(name, ...figure);
    },
  };
}

/** Only the embedded node has a faucet, and only while it is the upstream. */
function embeddedFaucet(bindings: ShieldBindings, config: Config, readBody: ReadBody): GatewayRoute[] {
  const call = config.nodeUrls.length > 0 ? null : embeddedNode(bindings);
  return call === null ? [] : faucetRoutes(call, readBody);
}
