import type { TipRead, UpstreamsReport } from "../chain/upstream-report.ts";
import type { ConfirmView, ReadView } from "../chain/view.ts";
import type { Config } from "../config.ts";
import { fnv1aHex } from "../hash/fnv1a.ts";
import { originOf } from "../http/split-url.ts";
import type { Log } from "../log.ts";
import { BoundedMap } from "../memo.ts";
import type { RecordMetric } from "../metrics.ts";
import { locationHintOf, type Region } from "../placement/location-hint.ts";
import type { FigureStore } from "../swr/loader.ts";
import { cacheKeyOf } from "./cache/freshness.ts";
import { responseLru, sharedCache } from "./cache/store.ts";
import { objectAt, type Shield, type ShieldBindings } from "./durable-object.ts";
import { faucetRoutes } from "./faucet.ts";
import { type GatewayRoute, nodeRoutes } from "./handlers.ts";
import { confirmViewOver, readTip, readViewOver } from "./internal-reads.ts";
import { Gateway } from "./isolate.ts";
import { isWithin } from "./model/ledger.ts";
import { dataCentre, embeddedNode, now, readBody, sendersOf, sleep, within, withLength } from "./platform.ts";
import { HOME, homeName, type ShieldResult, shieldName } from "./shield/messages.ts";
import { exchangeOver } from "./upstream/client.ts";
import { callUpstreams } from "./upstream/failover.ts";
import { raise } from "./upstream/trust.ts";
import { noteAttempts, poolOf, type UpstreamPorts } from "./upstream/upstreams.ts";

/** What the gateway provides to the rest of the Worker. */
export interface EdgeGateway {
  readonly routes: readonly GatewayRoute[];
  readonly readView: ReadView;
  readonly confirmView: ConfirmView;
  readonly lastGood: FigureStore;
  /** Reads the newest ledger like a caller with this `request.cf`; without one, from the home region. */
  readonly readTip: (cf: object | undefined) => Promise<TipRead>;
  /** Never rejects. */
  readonly upstreamHealth: () => Promise<UpstreamsReport>;
}

/** Where an isolate is: the deployment's own origin, and the region of its first caller. */
export interface Place {
  readonly origin: string;
  readonly region: Region;
}

/** Without a port: isolates of one machine share the cache, whatever port they listen on. */
export function placeOf({ url, cf }: Request): Place {
  return { origin: originOf(url).replace(/:\d*$/, ""), region: locationHintOf(cf) };
}

const MEMORY_BYTES = 16 * 1_048_576;
/** Longer than the shield's own limit for all upstream attempts. */
const SHIELD_DEADLINE_MS = 14_000;
const HOME_DEADLINE_MS = 2_500;
/** An isolate writes a figure to its home object at most this often. */
const PUT_EVERY_MS = 60_000;
const MAX_FIGURES = 64;

/** `place` is null before the first request. */
export function edgeGateway(
  bindings: ShieldBindings,
  config: Config,
  place: () => Place | null,
  log: Log,
  count: RecordMetric | null,
): EdgeGateway {
  const { homeRegion, objectGeneration, nodeUrls, chainId } = config;
  const { senders, ports } = sendersOf(bindings, config);
  const pool = poolOf(senders);
  const upstreams = { pool, now, sleep, send: exchangeOver(senders, ports) };
  const stubOf = (name: string, region: string) => objectAt(bindings.SHIELD, name, region, homeRegion);
  const gateway = new Gateway({
    now,
    sleep,
    memory: responseLru(MEMORY_BYTES),
    shared: sharedCache({
      cache: dataCentre(),
      salt: `${fnv1aHex(chainId === null ? nodeUrls.join(",") : String(chainId))}/`,
      origin: () => place()?.origin ?? null,
      log,
    }),
    shield: async (region, read) => {
      const name = shieldName(objectGeneration, region, cacheKeyOf(read.request), config.shieldShards);
      const answering = stubOf(name, region).answer(read, upstreams.send);
      const result = await within<ShieldResult | null>(SHIELD_DEADLINE_MS, answering, null);
      if (result === null) throw new Error("the shield did not answer");
      return result;
    },
    call: (request, floor, tip, background) => {
      if (tip !== null) raise(pool, tip.ledger, now());
      const known = tip?.ledger.chainId ?? chainId;
      const follows: UpstreamPorts["follows"] = (_upstream, ledger) => known === null || ledger.chainId === known;
      return callUpstreams(request, { ...upstreams, background, follows }, floor);
    },
    noteAttempts: (attempts) => noteAttempts(pool, attempts, now()),
    log,
    count,
    staleIfErrorSeconds: config.staleIfErrorSeconds,
  });
  const isProduction = config.environment === "production";
  const home = () => stubOf(homeName(objectGeneration), HOME);
  const faucet = nodeUrls.length > 0 ? null : embeddedNode(bindings);
  const region = () => place()?.region ?? HOME;
  return {
    routes: [
      ...nodeRoutes(gateway, { headerPrefix: config.nodeHeaderPrefix, isProduction, readBody, withLength }),
      // Only the embedded node has a faucet, and only while it is the upstream.
      ...(faucet === null ? [] : faucetRoutes(faucet, readBody)),
    ],
    readView: readViewOver(gateway, region),
    confirmView: confirmViewOver(upstreams),
    readTip: (cf) => readTip(gateway, cf === undefined ? HOME : locationHintOf(cf)),
    lastGood: figureStore(home),
    upstreamHealth: () =>
      within<UpstreamsReport>(SHIELD_DEADLINE_MS, home().health(), { upstreams: [], chainReplaced: null }),
  };
}

/** Last good figures, at the home object. */
function figureStore(home: () => DurableObjectStub<Shield>): FigureStore {
  const putAtMs = new BoundedMap<string, number>(MAX_FIGURES);
  const put: FigureStore["put"] = (...figure) => within<void>(HOME_DEADLINE_MS, home().putFigure(...figure), undefined);
  return {
    get: (name) => within(HOME_DEADLINE_MS, home().figure(name), null),
    put,
    putSometimes: async (name, ...figure) => {
      if (isWithin(putAtMs.get(name) ?? null, PUT_EVERY_MS, now())) return;
      putAtMs.set(name, now());
      await put(name, ...figure);
    },
  };
}
