import { type AdmittedContext, NO_CALLER } from "../admission.ts";
import { isRecord } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import { BoundedMap } from "../base/memo.ts";
import type { RecordMetric } from "../base/metrics.ts";
import { isWithin } from "../base/utc.ts";
import { parseHash } from "../chain/hash-value.ts";
import { type LedgerPoint, laterPoint, requiredVersion } from "../chain/ledger-point.ts";
import { parseJsonBytes } from "../chain/utf8.ts";
import type { Failure } from "../http/failure.ts";
import type { RequestContext } from "../http/handler.ts";
import {
  ageMs,
  cacheKeyOf,
  foundIn,
  isFresh,
  isLastGood,
  isNotBelow,
  isStorable,
  isTimelessRequest,
} from "./cache/freshness.ts";
import { responseOf } from "./cache/policy.ts";
import type { ResponseMemory, SharedCache } from "./cache/store.ts";
import { pointOf, RECENT_MS, type Tip } from "./model/ledger.ts";
import type {
  Attempt,
  CachedResponse,
  LocatedResponse,
  NodeRequest,
  ResponseSource,
  UpstreamsDown,
} from "./model/node-types.ts";
import type { ShieldRequest, ShieldResult } from "./shield/messages.ts";
import type { FailoverResult } from "./upstream/failover.ts";
import { LEDGER_INFO, raise, recordAttempts, type UpstreamPool } from "./upstream/upstreams.ts";

/** Ports of an isolate's gateway. None of them rejects. */
export interface GatewayPorts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly memory: ResponseMemory;
  /** Cache of the data centre. */
  readonly shared: SharedCache;
  /** Calls the object that owns a key in a region. null: the object does not answer, as while it is being replaced. */
  readonly shield: (region: string, read: ShieldRequest) => Promise<ShieldResult | null>;
  /** The newest ledger that this isolate knows, and its upstreams. */
  readonly pool: UpstreamPool;
  /** Calls the upstreams over this isolate's own connections. What they report moves the tip. */
  readonly call: (request: NodeRequest, floor: bigint, waitUntil: WaitUntil) => Promise<FailoverResult>;
  readonly log: Log;
  readonly count: RecordMetric | null;
  readonly staleIfErrorSeconds: number;
}

type WaitUntil = RequestContext["waitUntil"];

/** Parts of a caller's request that a node request does not have. */
export interface GatewayContext extends Pick<AdmittedContext, "admission" | "requestId" | "waitUntil"> {
  /** Region of the caller. Reading the platform's geography is slow, and a hit does not need it. */
  readonly region: () => string;
}

type Need = Pick<ShieldRequest, "floor" | "offered">;

/** Head start of the data centre's cache before the next source is asked. */
const CACHE_HEAD_START_MS = 5;
/** Interval of shield calls that detect a replaced chain, because timeless hits make no call. */
const WATCH_EVERY_MS = 10_000;
/**
 * Time for which an accepted transaction counts as pending. Nodes behind a balanced URL may not have heard of it yet.
 */
const [SUBMITTED_MS, SUBMITTED_BYTES] = [10_000, 1_048_576];
/** Time after which a failed shield call is not retried: it was slow, not replaced, and a retry would only add load. */
const RETRY_WITHIN_MS = 2_000;

/**
 * Sources of an isolate's responses: its memory, the data centre's cache, the region's shields and the upstreams. Knows
 * the newest ledger that any of them has shown. Requests share values, never promises.
 */
export class ResponseSources {
  readonly #ports: GatewayPorts;
  /** Time of the last call of the shield. */
  #calledAtMs: number | null = null;
  /** Nodes' responses to submits, by transaction hash. */
  readonly #submitted = new BoundedMap<string, CachedResponse>(SUBMITTED_BYTES, (_hash, { body }) => body.byteLength);

  constructor(ports: GatewayPorts) {
    this.#ports = ports;
  }

  /** The newest ledger that this isolate knows; null until a first response. */
  get tip(): Tip | null {
    return this.#ports.pool.tip;
  }

  /** Finds a response in memory that may be served, as far as this isolate knows. */
  fromMemory(request: NodeRequest, { admission }: GatewayContext): LocatedResponse | null {
    const value = this.#ports.memory.get(cacheKeyOf(request));
    if (value === undefined || !isFresh(value, this.tip, this.#ports.now())) return null;
    return isNotBelow(value, admission.seenHere()) ? this.#located(value, "memory") : null;
  }

  /**
   * Finds a response in the data centre's cache, if the cache is fast. Without a tip the isolate does not know the era,
   * so nothing is found.
   */
  async fromShared(request: NodeRequest, { admission }: GatewayContext): Promise<LocatedResponse | null> {
    const { shared, sleep, memory, now, pool } = this.#ports;
    if (this.tip === null) return null;
    const key = cacheKeyOf(request);
    const looking = shared.match(`${this.tip.era} ${key}`);
    const value = await Promise.race([looking, sleep(CACHE_HEAD_START_MS).then(() => undefined)]);
    if (value === undefined || !isFresh(value, this.tip, now()) || !isNotBelow(value, admission.seenHere()))
      return null;
    memory.set(key, value);
    const { era, ledger, storedAtMs: confirmedAtMs } = value;
    if (ledger !== null) raise(pool, { era, ledger, confirmedAtMs });
    return this.#located(value, "cache");
  }

  /**
   * Reads through the shield; null: it does not respond. Retries once when the object was just replaced, which fails at
   * once.
   */
  async shielded(request: NodeRequest, context: GatewayContext, need: Need): Promise<LocatedResponse | Failure | null> {
    const { now, shield, log } = this.#ports;
    const { admission, region, requestId } = context;
    const startedAtMs = now();
    this.#calledAtMs = startedAtMs;
    const { era, ledger, confirmedAtMs } = this.tip ?? { era: 0, ledger: null, confirmedAtMs: null };
    const recent = isWithin(confirmedAtMs, RECENT_MS, startedAtMs) ? ledger : null;
    const read = { request, era, recent, ...need, recordTarget: admission.recordTarget() };
    for (let triesLeft = 2; triesLeft > 0 && now() - startedAtMs < RETRY_WITHIN_MS; triesLeft -= 1) {
      const result = await shield(region(), read);
      if (result !== null) return this.#received(request, context, startedAtMs, result);
      log("shield_error", { requestId, endpoint: request.endpoint });
    }
    return null;
  }

  /** Reads the newest ledger through the shield, and records it as seen by the caller. */
  readTip(context: GatewayContext, floor: LedgerPoint | null): Promise<LocatedResponse | Failure | null> {
    return this.shielded(LEDGER_INFO, context, { floor, offered: null });
  }

  /** Converts the shield's result to this isolate's clock. */
  #received(
    request: NodeRequest,
    context: GatewayContext,
    sentAtMs: number,
    result: ShieldResult,
  ): LocatedResponse | Failure {
    const { now, log, pool } = this.#ports;
    const { found, tip } = result;
    const nowMs = now();
    // All time but the shield's own was network, and all of that may have been the way back.
    const leftAtMs = nowMs - Math.max(0, nowMs - sentAtMs - result.elapsedMs);
    if (tip !== null) raise(pool, { ...tip, confirmedAtMs: leftAtMs - result.tipAgeMs });
    recordAttempts(pool, found.attempts, found.kind === "found" ? found.value.ledger : null, nowMs);
    this.#report(request, found.attempts, context);
    if (found.kind === "down") return this.#failureOf(request, found, context);
    const value = { ...this.#orSubmitted(request, found.value), storedAtMs: leftAtMs - found.ageMs };
    if (found.source === "stale") log("stale_served", { requestId: context.requestId, endpoint: request.endpoint });
    else this.#store(cacheKeyOf(request), value, context);
    return { ...found, value, ageMs: nowMs - value.storedAtMs };
  }

  /** Calls the upstreams over this isolate's own connections; the response is never below the floor. */
  async call(
    request: NodeRequest,
    context: GatewayContext,
    floor: LedgerPoint | null,
  ): Promise<LocatedResponse | Failure> {
    // A response of an old era would put no floor under later ones.
    const isEraKnown = this.tip !== null && this.tip.era >= (floor?.era ?? 0);
    if (!isEraKnown && !isTimelessRequest(request)) await this.readTip({ ...context, admission: NO_CALLER }, floor);
    const era = this.tip?.era ?? 0;
    const version = requiredVersion(era, floor);
    let result = await this.#callUpstreams(request, version, context);
    // Lagging upstreams get time to catch up: as long as the region's shared look-up of the ledger takes. Then they are
    // called again.
    if (result.kind === "down" && result.why === "lagging") {
      const reached = await this.readTip({ ...context, admission: NO_CALLER }, floor);
      if (reached === null || reached.kind === "found") result = await this.#callUpstreams(request, version, context);
    }
    if (result.kind === "down") return this.#failureOf(request, result, context);
    const value = await responseOf(request, result, era, this.#ports.now());
    this.#store(cacheKeyOf(request), value, context);
    if (request.endpoint === "submit" && value.status === 202) this.#recordSubmitted(value);
    return foundIn(this.#orSubmitted(request, value), "upstream", result.attempts);
  }

  #recordSubmitted(value: CachedResponse): void {
    const sent = parseJsonBytes(value.body);
    const hash = isRecord(sent) ? parseHash(String(sent["hash"])) : undefined;
    if (hash !== undefined) this.#submitted.set(hash, value);
  }

  /**
   * Replaces a 404 for a hash that was accepted moments ago: the transaction is pending, although this node does not
   * know it.
   */
  #orSubmitted({ params, accept }: NodeRequest, value: CachedResponse): CachedResponse {
    if (value.status !== 404 || accept !== "json") return value;
    const sent = this.#submitted.peek(params["txn_hash"] ?? "");
    if (sent === undefined || !isWithin(sent.storedAtMs, SUBMITTED_MS, this.#ports.now())) return value;
    return { ...value, status: 200, contentType: sent.contentType, body: sent.body };
  }

  async #callUpstreams(request: NodeRequest, floor: bigint, context: GatewayContext): Promise<FailoverResult> {
    const result = await this.#ports.call(request, floor, context.waitUntil);
    this.#report(request, result.attempts, context);
    return result;
  }

  /**
   * Finds a response in memory while the shield does not respond: young enough, and not below what the caller has seen.
   */
  lastGood(
    request: NodeRequest,
    { admission, requestId }: GatewayContext,
    floor: LedgerPoint | null,
  ): LocatedResponse | null {
    const { memory, staleIfErrorSeconds, log } = this.#ports;
    const value = memory.get(cacheKeyOf(request));
    if (value === undefined) return null;
    const found = this.#located(value, "stale");
    if (!isLastGood(value, laterPoint(floor, admission.seenHere()), found.ageMs, staleIfErrorSeconds)) return null;
    log("stale_served", { requestId, endpoint: request.endpoint });
    return found;
  }

  /** Reads the ledger in the background after a hit that made no call, at most every few seconds. */
  watchChain(context: GatewayContext): void {
    const nowMs = this.#ports.now();
    if (isWithin(this.#calledAtMs, WATCH_EVERY_MS, nowMs)) return;
    this.#calledAtMs = nowMs;
    context.waitUntil(this.readTip({ ...context, admission: NO_CALLER }, pointOf(this.tip)));
  }

  #located(value: CachedResponse, source: ResponseSource): LocatedResponse {
    return { ...foundIn(value, source, []), ageMs: ageMs(value, this.tip, this.#ports.now()) };
  }

  #store(key: string, value: CachedResponse, { waitUntil }: GatewayContext): void {
    if (!isStorable(value)) return;
    this.#ports.memory.set(key, value);
    // A "not found yet" lasts half a second, which is too short to share.
    if (value.seconds >= 1) waitUntil(this.#ports.shared.put(`${value.era} ${key}`, value));
  }

  #report({ endpoint }: NodeRequest, attempts: readonly Attempt[], { requestId }: GatewayContext): void {
    const { count, log } = this.#ports;
    for (const { upstream, result, milliseconds, detail } of attempts) {
      count?.({ kind: "upstream", route: endpoint, upstream, result, milliseconds });
      if (result !== "ok") log("upstream_error", { requestId, upstream, result, milliseconds, detail });
    }
  }

  /** Result of a request to which no upstream had a usable response. */
  #failureOf({ endpoint }: NodeRequest, { why, failure }: UpstreamsDown, { requestId }: GatewayContext): Failure {
    this.#ports.log("upstreams_down", { requestId, endpoint, result: why });
    return failure;
  }
}
