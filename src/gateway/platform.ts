import { JSON_TYPE } from "../chain/media-types.ts";
import type { ReadView } from "../chain/view.ts";
import type { Config } from "../config.ts";
import { fnv1aHex } from "../hash/fnv1a.ts";
import type { Failure } from "../http/failure.ts";
import type { Log } from "../log.ts";
import type { RecordMetric } from "../metrics.ts";
import { locationHintOf, placement, type Region } from "../placement/location-hint.ts";
import type { FigureStore } from "../swr/swr-value.ts";
import { ByteBudget } from "./byte-budget.ts";
import { cacheKeyOf, sharedSeconds } from "./cache/freshness.ts";
import { ResponseLru } from "./cache/lru.ts";
import { deserializeResponse, serializeResponse } from "./cache/serialize.ts";
import { faucetRoutes } from "./faucet.ts";
import { Gateway } from "./gateway.ts";
import { type GatewayRoute, type NodeRouteOptions, nodeRoutes, readTipOver, readViewOver } from "./handlers.ts";
import type { CachedResponse } from "./node-types.ts";
import type { FetchListing, ReadTip, UpstreamHealth, UpstreamsReport } from "./ports.ts";
import { type ReadBody, readChunks, readRequestBody } from "./request/read-body.ts";
import {
  after,
  exchangeOver,
  now,
  poolOver,
  type ShieldBindings,
  sendersOf,
  sleep,
  within,
} from "./shield/durable-object.ts";
import type { SettledPoll, ShieldResult } from "./shield/messages.ts";
import { HOME, HOME_NAME, SHARDS, shieldName } from "./shield/routing.ts";
import { learnTip } from "./upstream/believed-ledger.ts";
import { callUpstreams } from "./upstream/failover.ts";
import { learnAttempts } from "./upstream/learn-attempts.ts";
import type { UpstreamPorts } from "./upstream/pool.ts";
import { userAgentOf } from "./upstream/senders.ts";

/** What the gateway provides to the rest of the Worker. */
export interface EdgeGateway {
  readonly routes: readonly GatewayRoute[];
  /** Called with every request; the first one tells where this isolate is. */
  readonly learnPlace: (request: Request) => void;
  readonly readView: ReadView;
  readonly lastGood: FigureStore;
  readonly readTip: ReadTip;
  readonly upstreamHealth: UpstreamHealth;
  readonly fetchListing: FetchListing;
}

const MEMORY = { maxBytes: 16 * 1_048_576, maxValueBytes: 1_048_576 } as const;
/** Longer than the shield's own limit for all upstream attempts. */
const SHIELD_DEADLINE_MS = 14_000;
/** Longer than the shield's limit for recording at the caller's object. */
const SETTLE_DEADLINE_MS = 2_000;
const HOME_DEADLINE_MS = 2_500;
/** A data centre writes a figure to its home object at most this often, however many isolates it has. */
const PUT_EVERY_MS = 60_000;
/**
 * Path of cached responses in the data centre's cache, under the deployment's own origin: entries of other hosts are
 * never found. The path matches no route.
 */
const CACHE_PATH = "/__values/";

export function edgeGateway(
  bindings: ShieldBindings,
  config: Config,
  log: Log,
  count: RecordMetric | null,
): EdgeGateway {
  const senders = sendersOf(bindings, config);
  const pool = poolOver(senders);
  const exchange = exchangeOver(senders);
  const stubOf = (name: string, region: string) =>
    bindings.SHIELD.get(bindings.SHIELD.idFromName(name), placement(region, config.homeRegion));
  // Taken from the first request of this isolate.
  let place: Place | null = null;
  const data = sharedCache(`${fnv1aHex(`${config.nodeUrls.join(",")} ${config.chainId}`)}/`, () => place, log);
  const gateway = new Gateway({
    now,
    sleep,
    memory: new ResponseLru(MEMORY.maxBytes, MEMORY.maxValueBytes),
    ...data,
    shield: async (region, read) => {
      // RPC results have their own type; `then` returns the plain one.
      const answer = stubOf(shieldName(region, read.request.key, SHARDS), region)
        .answer(region, read, exchange)
        .then((found): ShieldResult => found);
      const result = await within<ShieldResult | null>(SHIELD_DEADLINE_MS, answer, null);
      if (result === null) throw new Error("the shield did not answer");
      return result;
    },
    settle: async (region, poll) => {
      const settling = stubOf(shieldName(region, cacheKeyOf(poll.request), SHARDS), region)
        .settle(region, poll)
        .then((settled): SettledPoll => settled);
      const settled = await within<SettledPoll | null>(SETTLE_DEADLINE_MS, settling, null);
      if (settled === null) throw new Error("the shield did not answer");
      return settled;
    },
    call: (request, floor, tip, waitUntil) => {
      learnTip(pool, tip, config.chainId, now());
      const send: UpstreamPorts["send"] = (upstream, ...rest) => exchange(upstream.index, ...rest);
      return callUpstreams(request, pool, { now, sleep, background: waitUntil, learn: null, send }, async () => floor);
    },
    learnAttempts: (attempts) => learnAttempts(pool, attempts, now()),
    log,
    count,
    staleIfErrorSeconds: config.staleIfErrorSeconds,
  });
  const readBody = bodyReader();
  const isProduction = config.environment === "production";
  const routeOptions = { headerPrefix: config.nodeHeaderPrefix, isProduction, readBody, passOn };
  const home = () => stubOf(HOME_NAME, HOME);
  const put: EdgeGateway["lastGood"]["put"] = (name, value, storedAtMs) =>
    within(
      HOME_DEADLINE_MS,
      home()
        .putFigure(name, value, storedAtMs)
        .then(() => undefined),
      undefined,
    );
  return {
    routes: [...nodeRoutes(gateway, routeOptions), ...embeddedFaucet(bindings, config, readBody)],
    learnPlace: (request) => {
      // Without a port: isolates of one machine share the cache whatever they listen on.
      place ??= { origin: `https://${new URL(request.url).hostname}`, region: locationHintOf(request.cf) };
    },
    readView: readViewOver(gateway, () => place?.region ?? HOME),
    readTip: (cf) => readTipOver(gateway, cf === undefined ? HOME : locationHintOf(cf))(),
    lastGood: {
      get: (name) =>
        within(
          HOME_DEADLINE_MS,
          home()
            .figure(name)
            .then((figure) => figure),
          null,
        ),
      put,
      putSometimes: async (name, value, storedAtMs) => {
        if (await data.claim(`last-good ${name}`, PUT_EVERY_MS)) await put(name, value, storedAtMs);
      },
    },
    upstreamHealth: () =>
      within(
        SHIELD_DEADLINE_MS,
        home()
          .health()
          .then((report): UpstreamsReport => report),
        { upstreams: [], chainReplacedAtMs: null },
      ),
    fetchListing: (...listing) => fetchListing(bindings, userAgentOf(config), ...listing),
  };
}

/** The data centre's cache. Look-ups never carry the caller's headers; any failure is a miss. */
function sharedCache(salt: string, place: () => Place | null, log: Log) {
  const requestFor = (own: string, key: string): Request =>
    new Request(`${own}${CACHE_PATH}${salt}${encodeURIComponent(key)}`);
  return {
    cached: async (key: string): Promise<CachedResponse | undefined> => {
      const own = place()?.origin;
      if (own === undefined) return undefined;
      try {
        const found = await caches.default.match(requestFor(own, key));
        const head = found?.headers.get(HEAD_FIELD);
        if (found === undefined || head === null || head === undefined) return undefined;
        return deserializeResponse({ head: decodeURIComponent(head), body: new Uint8Array(await found.arrayBuffer()) });
      } catch (cause) {
        log("cache_fault", { cause: String(cause) });
        return undefined;
      }
    },
    cache: async (key: string, value: CachedResponse): Promise<void> => {
      const own = place()?.origin;
      if (own === undefined) return;
      const { head, body } = serializeResponse(value);
      const fields = {
        "Cache-Control": `public, max-age=${sharedSeconds(value)}`,
        [HEAD_FIELD]: encodeURIComponent(head),
      };
      try {
        await caches.default.put(requestFor(own, key), new Response(body, { headers: fields }));
      } catch (cause) {
        log("cache_fault", { cause: String(cause) });
      }
    },
    claim: async (name: string, milliseconds: number): Promise<boolean> => {
      const own = place()?.origin;
      if (own === undefined) return true;
      try {
        const claimed = await caches.default.match(requestFor(own, name));
        const sinceMs = claimed === undefined ? Number.POSITIVE_INFINITY : now() - Number(await claimed.text());
        if (sinceMs < milliseconds) return false;
        const fields = { "Cache-Control": `public, max-age=${Math.ceil(milliseconds / 1_000)}` };
        await caches.default.put(requestFor(own, name), new Response(String(now()), { headers: fields }));
      } catch (cause) {
        log("cache_fault", { cause: String(cause) });
      }
      return true;
    },
  };
}

/** Where an isolate is: the deployment's own origin, and the region of its first caller. */
interface Place {
  readonly origin: string;
  readonly region: Region;
}

const HEAD_FIELD = "X-Value";

/** Without a declared length the runtime ends a response in the regular way when its stream fails. */
const passOn: NodeRouteOptions["passOn"] = ({ length, stream }, waitUntil) => {
  const { readable, writable } = new FixedLengthStream(length);
  // A failure is the caller's to see: the connection breaks.
  waitUntil(stream.pipeTo(writable).catch(() => undefined));
  return readable;
};

/** Large request bodies of one isolate share this much memory while they are read. */
const MAX_REQUEST_BODIES_BYTES = 16 * 1_048_576;
const REQUEST_BODY_DEADLINE_MS = 30_000;

function bodyReader(): ReadBody {
  const largeBodies = new ByteBudget(MAX_REQUEST_BODIES_BYTES);
  return async (request, maxBytes) => {
    const deadline = new AbortController();
    const cancel = after(REQUEST_BODY_DEADLINE_MS, () => deadline.abort());
    const signal = AbortSignal.any([request.signal, deadline.signal]);
    try {
      return await readRequestBody(request, maxBytes, { signal, largeBodies, after });
    } finally {
      cancel();
    }
  };
}

/** Only the embedded node has a faucet, and only while it is the upstream. */
function embeddedFaucet({ NODE }: ShieldBindings, config: Config, readBody: ReadBody): GatewayRoute[] {
  if (NODE === undefined || config.nodeUrls.length > 0) return [];
  return faucetRoutes((path, init) => NODE.fetch(`http://node${path}`, init), readBody);
}

async function fetchListing(
  { NODE }: ShieldBindings,
  userAgent: string,
  ...[source, { deadlineMs, maxBytes }, take]: Parameters<FetchListing>
): ReturnType<FetchListing> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), deadlineMs);
  const down: Failure = { kind: "unavailable", message: "The listing does not answer.", retryAfterSeconds: 60 };
  const init = {
    redirect: "manual",
    signal: abort.signal,
    headers: { Accept: JSON_TYPE, "User-Agent": userAgent },
  } as const;
  try {
    const response =
      source.kind === "url" ? await fetch(source.url, init) : await NODE?.fetch(`http://node${source.path}`, init);
    if (response === undefined) return down;
    const { status } = response;
    if (status !== 200) await response.body?.cancel();
    else if (!(await readChunks(response, maxBytes, abort.signal, take))) return down;
    return { kind: "answer", status };
  } catch {
    return down;
  } finally {
    clearTimeout(timer);
  }
}
