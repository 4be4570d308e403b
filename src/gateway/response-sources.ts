import { type LedgerMark, type LedgerPoint, laterOf } from "../chain/ledger-point.ts";
import type { Failure } from "../http/failure.ts";
import type { Admission } from "../http/handler.ts";
import type { Log } from "../log.ts";
import type { RecordMetric } from "../metrics.ts";
import { ageMs, cacheKeyOf, isFresh, isStorable, isTimelessRequest, mayBeImmutable } from "./cache/freshness.ts";
import type { ResponseLru } from "./cache/lru.ts";
import { responseOf } from "./cache/response-of.ts";
import { NO_CALLER } from "./no-caller.ts";
import type { CachedResponse, NodeRequest } from "./node-types.ts";
import type { CacheSource } from "./response-headers.ts";
import type { PollResult, SettledPoll, ShieldRequest, ShieldResult } from "./shield/messages.ts";
import { type KnownTip, markOfResponse } from "./tip/ledger-mark.ts";
import type { TipMemory } from "./tip/tip-memory.ts";
import { answerLost, nodesDown, versionNotHere } from "./unavailable.ts";
import type { Attempt, FailoverResult } from "./upstream/failover.ts";
import { LEDGER_INFO } from "./upstream/pool.ts";

/** What the gateway needs of the platform. Only `shield` and `settle` may reject. */
export interface GatewayPorts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly memory: ResponseLru;
  /** The data centre's cache; it may be slow or absent. */
  readonly cached: (key: string) => Promise<CachedResponse | undefined>;
  readonly cache: (key: string, value: CachedResponse) => Promise<void>;
  /** Claims a name for some time; false when another isolate of the data centre holds the claim, as far as its cache knows. */
  readonly claim: (name: string, milliseconds: number) => Promise<boolean>;
  /** Calls the object that owns this key in this region. Rejects while the object is being replaced. */
  readonly shield: (region: string, read: ShieldRequest) => Promise<ShieldResult>;
  /** Sends the result of a long poll to the object that owns the read by hash. May reject like `shield`. */
  readonly settle: (region: string, poll: PollResult) => Promise<SettledPoll>;
  readonly call: (
    request: NodeRequest,
    floor: bigint,
    tip: KnownTip | null,
    waitUntil: GatewayContext["waitUntil"],
  ) => Promise<FailoverResult>;
  /** Applies the outcomes of the shield's upstream attempts to this isolate's state. */
  readonly learnAttempts: (attempts: readonly Attempt[]) => void;
  readonly log: Log;
  readonly count: RecordMetric | null;
  readonly staleIfErrorSeconds: number;
}

/** What a caller's request adds to a node request. */
export interface GatewayContext {
  readonly region: string;
  readonly admission: Admission;
  /** `X-Min-Ledger-Version`. */
  readonly minVersion: bigint | null;
  readonly requestId: string;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** A response that may still be too old for its caller. */
export interface Candidate {
  readonly value: CachedResponse;
  readonly source: CacheSource;
  readonly ageMs: number;
  /** The point that the shield recorded for the caller, to be named in a timeless response. */
  readonly shows: LedgerMark | null;
  /** Everything that the response reveals is recorded at the caller's object. */
  readonly isNoted: boolean;
  readonly attempts: readonly Attempt[];
}

export const NOT_NOTED = { shows: null, isNoted: false, attempts: [] } as const;

/** Head start of the data centre's cache before the shield is called in parallel. */
const CACHE_HEAD_START_MS = 5;
/** Clocks of machines in one data centre differ by less than this. */
const CLOCK_SKEW_MS = 20;
/** At most this often one isolate of a data centre renews a response that the others have too. */
const CLAIM_MS = 60;
/** After this time a failed shield call was slow, not replaced: a retry would only add load. */
const RETRY_WITHIN_MS = 2_000;

/** Where an isolate gets what is not in its memory: the data centre's cache, the shield, the upstreams. */
export class ResponseSources {
  readonly #ports: GatewayPorts;
  readonly #known: TipMemory;

  constructor(ports: GatewayPorts, known: TipMemory) {
    this.#ports = ports;
    this.#known = known;
  }

  /** From the data centre's cache if it is fast, else from the shield; null when that does not respond. */
  async find(
    request: NodeRequest,
    context: GatewayContext,
    floor: LedgerPoint | null,
    noted: LedgerPoint | null,
    round: number,
  ): Promise<Candidate | Failure | null> {
    const cached = round === 1 && mayBeImmutable(request) ? await this.#cachedNearby(request) : undefined;
    // Without a known tip the isolate cannot tell the epoch; the shield can, and the cache is the fallback.
    if (cached !== undefined && this.#known.tip !== null) return cached;
    const { admission, minVersion } = context;
    const epoch = this.#known.epoch;
    const read = { request, epoch, floor, minVersion, noted, noteTarget: admission.noteTarget() };
    const sentAtMs = this.#ports.now();
    const result = await this.#shielded(read, context);
    if (result === null) return cached ?? null;
    const nowMs = this.#ports.now();
    // Everything but the shield's own time was network, all of which may have been the way back.
    const wayMs = Math.max(0, nowMs - sentAtMs - result.elapsedMs);
    if (result.tip !== null) this.#known.learn({ ...result.tip, confirmedAtMs: nowMs - result.tipAgeMs - wayMs });
    this.#ports.learnAttempts(result.attempts);
    this.#report(request, result.attempts, context);
    if (result.kind === "down") return cached ?? this.#down(request, result, context);
    // A lagging node may report a committed transaction as pending: prefer the immutable cached response.
    const isFinal = result.value.retention === "immutable";
    if (!isFinal && cached !== undefined && isFresh(cached.value, this.#known.tip, nowMs)) return cached;
    return this.#received(request, result, context, nowMs - wayMs);
  }

  /** The data centre's cached response, if it is fast. */
  async #cachedNearby(request: NodeRequest): Promise<Candidate | undefined> {
    const value = await this.learnNearby(request);
    if (value === undefined || !isFresh(value, this.#known.tip, this.#ports.now())) return undefined;
    return { value, source: "cache", ageMs: ageMs(value, this.#known.tip, this.#ports.now()), ...NOT_NOTED };
  }

  /** Copies the data centre's cached response to memory, if the cache is fast. */
  async learnNearby(request: NodeRequest): Promise<CachedResponse | undefined> {
    const found = await this.#quickly(this.#ports.cached(this.#cacheKey(request)));
    if (found === undefined || this.#known.tip === null) return found;
    // Another machine's clock may be behind this one's.
    const value = found.retention === "immutable" ? found : { ...found, storedAtMs: found.storedAtMs - CLOCK_SKEW_MS };
    const { epoch, ledger, retention, storedAtMs } = value;
    const key = cacheKeyOf(request);
    const known = this.#ports.memory.get(key);
    if (known === undefined || isNewer(value, known)) this.#ports.memory.put(key, value);
    const confirmedAtMs = retention === "until-tip" ? storedAtMs : Number.NEGATIVE_INFINITY;
    if (ledger !== null) this.#known.learn({ epoch, ledger, confirmedAtMs });
    return value;
  }

  /** Whether this isolate should renew a response: true for one isolate of the data centre at a time. */
  async claimRenewal(request: NodeRequest): Promise<boolean> {
    return (await this.#quickly(this.#ports.claim(`renewal ${this.#cacheKey(request)}`, CLAIM_MS))) ?? true;
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

  /** Retries once when the object was just replaced, which fails at once. */
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

  /** From the upstreams, over this isolate's own connections. */
  async direct(request: NodeRequest, context: GatewayContext, floor: LedgerPoint | null): Promise<Candidate | Failure> {
    const { minVersion } = context;
    const isReached = isTimelessRequest(request) || (await this.#isReached(floor, context));
    if (!isReached && minVersion !== null) return versionNotHere(minVersion);
    const { epoch } = this.#known;
    const point = laterOf(floor, minVersion === null ? null : { epoch, version: minVersion });
    const version = point !== null && point.epoch === epoch ? point.version : 0n;
    let result = await this.#called(request, version, context);
    // Lagging upstreams have as long to catch up as the region's shared look-up of the ledger takes.
    if (result.kind === "down" && result.lagging && (await this.#readLedger(context, null, version)))
      result = await this.#called(request, version, context);
    if (result.kind === "down") return this.#down(request, result, context);
    const value = await responseOf(request, result, epoch, this.#ports.now());
    return { ...NOT_NOTED, value, source: "upstream", ageMs: 0, attempts: result.attempts };
  }

  /**
   * The result of a long poll once the shield has stored and recorded it; unchanged when the shield does not respond.
   */
  async settle(request: NodeRequest, polled: Candidate, context: GatewayContext): Promise<Candidate> {
    const { admission, region, requestId } = context;
    const { value } = polled;
    if (value.large !== undefined) return polled;
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

  async #called(request: NodeRequest, floor: bigint, context: GatewayContext): Promise<FailoverResult> {
    const result = await this.#ports.call(request, floor, this.#known.tip, context.waitUntil);
    this.#report(request, result.attempts, context);
    return result;
  }

  /**
   * Whether some upstream has the required version. An isolate that does not know the chain's epoch learns it: a response
   * of an epoch that is over would bind no later one.
   */
  async #isReached(floor: LedgerPoint | null, context: GatewayContext): Promise<boolean> {
    const { tip } = this.#known;
    const { minVersion } = context;
    const isKnown = tip !== null && tip.epoch >= (floor?.epoch ?? 0);
    if (isKnown && (minVersion === null || tip.ledger.version >= minVersion)) return true;
    return this.#readLedger(context, floor, minVersion);
  }

  /** Waits for a version as long as the shield does, which looks it up once a second for all callers of the region. */
  async #readLedger(context: GatewayContext, floor: LedgerPoint | null, minVersion: bigint | null): Promise<boolean> {
    const found = await this.find(LEDGER_INFO, { ...context, admission: NO_CALLER, minVersion }, floor, null, 1);
    // Without an answer of the shield the upstreams are called all the same.
    return found === null || !("kind" in found);
  }

  store(key: string, value: CachedResponse, { waitUntil }: GatewayContext): void {
    if (!isStorable(value)) return;
    this.#ports.memory.put(key, value);
    // A "not found yet" lasts half a second: too short to share.
    if (value.seconds >= 1) waitUntil(this.#ports.cache(`${value.epoch} ${key}`, value));
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

/** Made at a later ledger, or reported later at the same one. */
function isNewer(value: CachedResponse, known: CachedResponse): boolean {
  const [version, knownVersion] = [value.ledger?.version ?? 0n, known.ledger?.version ?? 0n];
  return version === knownVersion ? value.storedAtMs > known.storedAtMs : version > knownVersion;
}
