import type { LedgerMark, LedgerPoint } from "../chain/ledger-point.ts";
import type { Failure } from "../http/failure.ts";
import type { Admission } from "../http/handler.ts";
import type { Log } from "../log.ts";
import type { RecordMetric } from "../metrics.ts";
import { ageMs, cacheKeyOf, isFresh, mayBeImmutable } from "./cache/freshness.ts";
import type { ResponseLru } from "./cache/lru.ts";
import { responseOf } from "./cache/response-of.ts";
import type { CachedResponse, NodeRequest } from "./node-types.ts";
import type { CacheSource } from "./response-headers.ts";
import type { PollResult, SettledPoll, ShieldRequest, ShieldResult } from "./shield/coalescer.ts";
import { type KnownTip, markOfResponse } from "./tip/ledger-mark.ts";
import type { TipMemory } from "./tip/tip-memory.ts";
import { answerLost, nodesDown, versionNotHere } from "./unavailable.ts";
import type { Attempt, FailoverResult } from "./upstream/failover.ts";

/** What the gateway in an isolate needs of the platform. None rejects but `shield` and `settle`. */
export interface GatewayPorts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly memory: ResponseLru;
  /** The data centre's cache; it may be slow, or absent. */
  readonly cached: (key: string) => Promise<CachedResponse | undefined>;
  readonly cache: (key: string, value: CachedResponse) => Promise<void>;
  /** Calls the object that owns this key in this region. May reject: the object may be gone for a moment. */
  readonly shield: (region: string, read: ShieldRequest) => Promise<ShieldResult>;
  /** Hands what a long poll found to the object that owns the read by hash. May reject, as `shield` does. */
  readonly settle: (region: string, poll: PollResult) => Promise<SettledPoll>;
  /** Calls the upstreams from this isolate. */
  readonly call: (
    request: NodeRequest,
    floor: bigint,
    tip: KnownTip | null,
    waitUntil: GatewayContext["waitUntil"],
  ) => Promise<FailoverResult>;
  /** Takes over how the shield's attempts at the upstreams went. */
  readonly learnAttempts: (attempts: readonly Attempt[]) => void;
  readonly log: Log;
  readonly count: RecordMetric | null;
  readonly staleIfErrorSeconds: number;
}

/** What one request adds to a node request. */
export interface GatewayContext {
  readonly region: string;
  readonly admission: Admission;
  /** `X-Min-Ledger-Version`. */
  readonly minVersion: bigint | null;
  readonly requestId: string;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** A response on its way out, before what its caller may see has been compared with it. */
export interface Candidate {
  readonly value: CachedResponse;
  readonly source: CacheSource;
  readonly ageMs: number;
  /** What the shield noted for the caller, to be named in a timeless answer. */
  readonly shows: LedgerMark | null;
  /** Nothing that the response gives away is unknown to the caller's object. */
  readonly isNoted: boolean;
  readonly attempts: readonly Attempt[];
}

export const NOT_NOTED = { shows: null, isNoted: false, attempts: [] } as const;

/** The data centre's cache is asked alone for this long; then the shield is called beside it. */
const CACHE_HEAD_START_MS = 5;
const LAG_PATIENCE_MS = 1_000;
const LAG_PAUSE_MS = 100;
/** A shield call that failed later than this was slow, not replaced: a second one would only add to the load. */
const RETRY_WITHIN_MS = 2_000;

/** Where one isolate gets what its memory has not: the data centre's cache, the shield, the upstreams themselves. */
export class ResponseSources {
  readonly #ports: GatewayPorts;
  readonly #known: TipMemory;

  constructor(ports: GatewayPorts, known: TipMemory) {
    this.#ports = ports;
    this.#known = known;
  }

  /** From the data centre's cache if it is quick, else from the shield; null when that does not answer. */
  async find(
    request: NodeRequest,
    context: GatewayContext,
    floor: LedgerPoint | null,
    noted: LedgerPoint | null,
    round: number,
  ): Promise<Candidate | Failure | null> {
    const cached = round === 1 && mayBeImmutable(request) ? await this.#cachedNearby(request) : undefined;
    // An isolate that knows no tip cannot tell the epoch: the shield can, and while it is down the cache will do.
    if (cached !== undefined && this.#known.tip !== null) return cached;
    const { admission, minVersion } = context;
    const epoch = this.#known.epoch;
    const read = { request, epoch, floor, minVersion, noted, noteTarget: admission.noteTarget() };
    const sentAtMs = this.#ports.now();
    const result = await this.#shielded(read, context);
    if (result === null) return cached ?? null;
    const nowMs = this.#ports.now();
    // What the shield did not spend itself was the way, all of which may have been the way back.
    const wayMs = Math.max(0, nowMs - sentAtMs - result.elapsedMs);
    if (result.tip !== null) this.#known.learn({ ...result.tip, confirmedAtMs: nowMs - result.tipAgeMs - wayMs });
    this.#ports.learnAttempts(result.attempts);
    this.#report(request, result.attempts, context);
    if (result.kind === "down") return cached ?? this.#down(request, result, context);
    // A node may call pending what was committed: what is immutable on this chain stays.
    const isFinal = result.value.retention === "immutable";
    if (!isFinal && cached !== undefined && isFresh(cached.value, this.#known.tip, nowMs)) return cached;
    return this.#received(request, result, context, nowMs - wayMs);
  }

  /** What the data centre's cache has, if it is quick. */
  async #cachedNearby(request: NodeRequest): Promise<Candidate | undefined> {
    const value = await this.#quickly(this.#ports.cached(this.#cacheKey(request)));
    if (value === undefined || !isFresh(value, this.#known.tip, this.#ports.now())) return undefined;
    if (this.#known.tip !== null) {
      this.#ports.memory.put(cacheKeyOf(request), value);
      const { epoch, ledger } = value;
      if (ledger !== null) this.#known.learnOf(epoch, ledger);
    }
    return { value, source: "cache", ageMs: ageMs(value, this.#known.tip, this.#ports.now()), ...NOT_NOTED };
  }

  #received(
    request: NodeRequest,
    result: Extract<ShieldResult, { kind: "value" }>,
    context: GatewayContext,
    leftAtMs: number,
  ): Candidate {
    const { admission, requestId } = context;
    const { source, shows, attempts } = result;
    const value = { ...result.value, storedAtMs: leftAtMs - result.ageMs };
    if (shows !== null && result.isNoted) admission.noteHere(shows);
    if (source === "stale") this.#ports.log("stale_served", { requestId, endpoint: request.endpoint });
    else this.store(cacheKeyOf(request), value, context);
    const { isNoted } = result;
    return {
      value,
      source,
      ageMs: this.#ports.now() - value.storedAtMs,
      shows: isNoted ? shows : null,
      isNoted,
      attempts,
    };
  }

  async #quickly<T>(looking: Promise<T | undefined>): Promise<T | undefined> {
    return Promise.race([looking, this.#ports.sleep(CACHE_HEAD_START_MS).then(() => undefined)]);
  }

  /** A read is sent once more when its object was just replaced, which shows at once. */
  async #shielded(read: ShieldRequest, { region, requestId }: GatewayContext): Promise<ShieldResult | null> {
    const startedAtMs = this.#ports.now();
    for (let left = 2; left > 0 && this.#ports.now() - startedAtMs < RETRY_WITHIN_MS; left -= 1) {
      try {
        return await this.#ports.shield(region, read);
      } catch (cause) {
        this.#ports.log("shield_fault", { requestId, endpoint: read.request.endpoint, cause: String(cause) });
      }
    }
    return null;
  }

  /** Calls the upstreams from here. */
  async direct(request: NodeRequest, context: GatewayContext, floor: LedgerPoint | null): Promise<Candidate | Failure> {
    const epoch = this.#known.epoch;
    const version = floor !== null && floor.epoch === epoch ? floor.version : 0n;
    const result = await this.#called(request, version, context);
    this.#report(request, result.attempts, context);
    if (result.kind === "down") return this.#down(request, result, context);
    const value = await responseOf(request, result, epoch, this.#ports.now());
    return { ...NOT_NOTED, value, source: "upstream", ageMs: 0, attempts: result.attempts };
  }

  /** What a long poll got, once the shield has it and has noted it; as it is when the shield does not answer. */
  async settle(request: NodeRequest, polled: Candidate, context: GatewayContext): Promise<Candidate> {
    const { admission, region, requestId } = context;
    const { value } = polled;
    try {
      const poll = { request, value, noteTarget: admission.noteTarget() };
      const { final, isNoted } = await this.#ports.settle(region, poll);
      const shows = isNoted ? markOfResponse(value) : null;
      if (shows !== null) admission.noteHere(shows);
      if (final === null) return { ...polled, shows, isNoted };
      const stored = { ...final.value, storedAtMs: this.#ports.now() - final.ageMs };
      return { ...polled, value: stored, source: "shield", ageMs: final.ageMs, shows, isNoted };
    } catch (cause) {
      this.#ports.log("shield_fault", { requestId, endpoint: request.endpoint, cause: String(cause) });
      return polled;
    }
  }

  /** Upstreams that are all behind may have some time to catch up. */
  async #called(request: NodeRequest, floor: bigint, { waitUntil }: GatewayContext): Promise<FailoverResult> {
    const { now, sleep, call } = this.#ports;
    const untilMs = now() + LAG_PATIENCE_MS;
    for (;;) {
      const result = await call(request, floor, this.#known.tip, waitUntil);
      if (result.kind === "response" || !result.lagging || now() >= untilMs) return result;
      await sleep(LAG_PAUSE_MS);
    }
  }

  store(key: string, value: CachedResponse, { waitUntil }: GatewayContext): void {
    if (value.retention === "no-store") return;
    this.#ports.memory.put(key, value);
    if (value.retention === "immutable") waitUntil(this.#ports.cache(`${value.epoch} ${key}`, value));
  }

  #report(request: NodeRequest, attempts: readonly Attempt[], { requestId }: GatewayContext): void {
    for (const { upstream, result, milliseconds, detail } of attempts) {
      this.#ports.count?.({ kind: "upstream", route: request.endpoint, upstream, result, milliseconds });
      if (result !== "ok") this.#ports.log("upstream_fault", { requestId, upstream, result, milliseconds, detail });
    }
  }

  #down(
    { endpoint }: NodeRequest,
    result: { readonly retryAfterSeconds: number; readonly maybeSent?: boolean },
    { requestId, minVersion }: GatewayContext,
  ): Failure {
    const { retryAfterSeconds, maybeSent } = result;
    if ("isBehind" in result && result.isBehind === true && minVersion !== null) return versionNotHere(minVersion);
    this.#ports.log("upstreams_down", { requestId, endpoint, retryAfterSeconds });
    return maybeSent === true ? answerLost() : nodesDown(retryAfterSeconds);
  }

  #cacheKey(request: NodeRequest): string {
    return `${this.#known.epoch} ${cacheKeyOf(request)}`;
  }
}
