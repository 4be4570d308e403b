import { isAtLeast, type LedgerMark, type LedgerPoint, laterOf } from "../chain/ledger-point.ts";
import type { Failure, NodeFailure } from "../http/failure.ts";
import type { Admission, Admitted } from "../http/handler.ts";
import type { Log } from "../log.ts";
import type { RecordMetric } from "../metrics.ts";
import {
  ageMs,
  cacheKeyOf,
  canServeStale,
  isFresh,
  isTimeless,
  isTimelessRequest,
  mayBeImmutable,
  mayBeTimeless,
} from "./cache/freshness.ts";
import type { ResponseLru } from "./cache/lru.ts";
import { responseOf } from "./cache/response-of.ts";
import { NO_CALLER } from "./no-caller.ts";
import type { CachedResponse, NodeRequest } from "./node-types.ts";
import type { CacheSource, GatewayResult } from "./response-headers.ts";
import type { ShieldRequest, ShieldResult } from "./shield/coalescer.ts";
import type { Ledger } from "./tip/ledger-headers.ts";
import { type KnownTip, ledgerOf, markOfResponse, markOfTip } from "./tip/ledger-mark.ts";
import type { Attempt, FailoverResult } from "./upstream/failover.ts";
import { LEDGER_INFO } from "./upstream/pool.ts";

/** What the gateway in an isolate needs of the platform. None rejects but `shield`. */
export interface GatewayPorts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly memory: ResponseLru;
  /** The data centre's cache; it may be slow, or absent. */
  readonly cached: (key: string) => Promise<CachedResponse | undefined>;
  readonly cache: (key: string, value: CachedResponse) => Promise<void>;
  /** Calls the object that owns this key in this region. May reject: the object may be gone for a moment. */
  readonly shield: (region: string, read: ShieldRequest) => Promise<ShieldResult>;
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
interface Candidate {
  readonly value: CachedResponse;
  readonly source: CacheSource;
  readonly ageMs: number;
  /** What the shield noted for the caller, to be named in a timeless answer. */
  readonly shows: LedgerMark | null;
  /** Nothing that the response gives away is unknown to the caller's object. */
  readonly isNoted: boolean;
  readonly attempts: readonly Attempt[];
}

const NOT_NOTED = { shows: null, isNoted: false, attempts: [] } as const;

const DOWN_MESSAGE = "No chain node answers at the moment.";
/** The data centre's cache is asked alone for this long; then the shield is called beside it. */
const CACHE_HEAD_START_MS = 5;
const LAG_PATIENCE_MS = 1_000;
const LAG_PAUSE_MS = 100;
const WATCH_EVERY_MS = 20_000;
/** Another isolate may have shown the caller more than this one knew; the shield then looks again, so often at most. */
const MAX_ROUNDS = 3;

/**
 * The caches of one isolate before the region's shields. Shares values between requests, never promises. Why no caller
 * sees the chain go back is in docs/decisions.md, under "One round trip".
 */
export class Gateway {
  readonly #ports: GatewayPorts;
  /** The newest that this isolate has heard of, whoever said it. */
  #tip: KnownTip | null = null;
  #watchedAtMs = 0;

  constructor(ports: GatewayPorts) {
    this.#ports = ports;
  }

  async answer(request: NodeRequest, context: GatewayContext): Promise<GatewayResult | Failure> {
    const denied = context.admission.knownRefusal();
    if (denied !== null) return denied;
    if (request.mode === "submit" || isTimelessRequest(request)) return this.#timeless(request, context);
    const cached = this.#fromMemory(request, context);
    if (cached === undefined) return this.#miss(request, context, null);
    const timeless = isTimeless(cached.value, request);
    const candidate = timeless ? this.#tipMark() : markOfResponse(cached.value);
    const admitted = await context.admission.admit(candidate, timeless || mayBeTimeless(request));
    if (admitted.refusal !== null) return admitted.refusal;
    const isVoid = admitted.floor !== null && admitted.floor.epoch > cached.value.epoch;
    if (timeless && !isVoid) {
      this.#watchChain(context);
      return this.#result(request, cached, this.#label(candidate, admitted.floor));
    }
    if (admitted.floor === null) return this.#result(request, cached, null);
    return this.#miss(request, context, admitted);
  }

  /** What memory has and may give out, as far as this isolate knows. */
  #fromMemory(request: NodeRequest, { admission, minVersion }: GatewayContext): Candidate | undefined {
    const value = this.#ports.memory.get(cacheKeyOf(request));
    const nowMs = this.#ports.now();
    if (value === undefined || !isFresh(value, this.#tip, nowMs)) return undefined;
    const mark = isTimeless(value, request) ? this.#tipMark() : markOfResponse(value);
    if (minVersion !== null && (mark === null || mark.version < minVersion)) return undefined;
    if (!isTimeless(value, request) && (mark === null || !isAtLeast(mark, admission.seenHere()))) return undefined;
    return { value, source: "memory", ageMs: ageMs(value, this.#tip, nowMs), ...NOT_NOTED };
  }

  /** Submits, and what says nothing about the chain: sent by this isolate, once the limiter has admitted it. */
  async #timeless(request: NodeRequest, context: GatewayContext): Promise<GatewayResult | Failure> {
    const candidate = this.#tipMark();
    const { refusal, floor } = await context.admission.admit(candidate, true);
    if (refusal !== null) return refusal;
    const found = await this.#direct(request, context, null);
    if ("kind" in found) return found;
    const label = this.#label(candidate, floor);
    // Its own ledger was not noted for the caller: without another one to name it names none.
    return this.#result(request, label === null ? withoutLedger(found) : found, label);
  }

  /** `late`: the limiter was asked already, with something that turned out to be too old. */
  async #miss(request: NodeRequest, context: GatewayContext, late: Admitted | null): Promise<GatewayResult | Failure> {
    const noted = late === null && mayBeTimeless(request) ? this.#tipMark() : null;
    const admitting = late ?? context.admission.admit(noted, mayBeTimeless(request));
    return request.mode === "read"
      ? this.#read(request, context, noted, admitting)
      : this.#wait(request, context, noted, await admitting);
  }

  /** A long poll or a simulation: sent by this isolate over its own connections, once it is admitted. */
  async #wait(
    request: NodeRequest,
    context: GatewayContext,
    noted: LedgerMark | null,
    admitted: Admitted,
  ): Promise<GatewayResult | Failure> {
    if (admitted.refusal !== null) return admitted.refusal;
    const { minVersion } = context;
    const required = minVersion === null ? null : { epoch: this.#tip?.epoch ?? 0, version: minVersion };
    const found = await this.#direct(request, context, laterOf(laterOf(admitted.floor, noted), required));
    if ("kind" in found) return found;
    this.#store(cacheKeyOf(request), found.value, context);
    return this.#finish(request, context, found, noted, admitted);
  }

  /** Limiter and shield side by side; the answer waits for both. What was refused is dropped. */
  async #read(
    request: NodeRequest,
    context: GatewayContext,
    noted: LedgerMark | null,
    admitting: Admitted | Promise<Admitted>,
  ): Promise<GatewayResult | Failure> {
    const known = laterOf(noted, "then" in admitting ? null : admitting.floor);
    let floor: LedgerPoint | null = laterOf(known, context.admission.seenHere());
    for (let round = 1; ; round += 1) {
      const [admitted, found] = await Promise.all([admitting, this.#find(request, context, floor, noted, round)]);
      if (admitted.refusal !== null) return admitted.refusal;
      if (found === null) return this.#withoutShield(request, context, noted, admitted);
      if ("kind" in found) return found;
      const mark = markOfResponse(found.value);
      const needed = laterOf(admitted.floor, noted);
      if (isTimeless(found.value, request) || mark === null || isAtLeast(mark, needed))
        return this.#finish(request, context, found, noted, admitted);
      if (round === MAX_ROUNDS) return unavailable(DOWN_MESSAGE, 1);
      floor = needed;
    }
  }

  /** What an answer shows is noted before it leaves, here if the shield has not done it. */
  async #finish(
    request: NodeRequest,
    { admission, minVersion }: GatewayContext,
    found: Candidate,
    noted: LedgerMark | null,
    { floor }: Admitted,
  ): Promise<GatewayResult | Failure> {
    const mark = markOfResponse(found.value);
    const isOwn = !isTimeless(found.value, request);
    const label = isOwn ? mark : laterOf(laterOf(noted, floor), found.shows);
    const isCovered = mark === null || found.isNoted || (!isOwn && label !== null && isAtLeast(label, mark));
    if (!isCovered) await admission.note(mark);
    const shown = isCovered ? label : mark;
    if (minVersion !== null && (shown === null || shown.version < minVersion)) return notHere(minVersion);
    const ledger = isOwn ? null : this.#label(shown, null);
    if (isOwn || ledger !== null || mark === null || isAtLeast(mark, shown))
      return this.#result(request, found, ledger);
    // The caller has seen more than this answer was made at, and nobody here can name what: it names nothing.
    return this.#result(request, withoutLedger(found), null);
  }

  /** From the data centre's cache if it is quick, else from the shield; null when that does not answer. */
  async #find(
    request: NodeRequest,
    context: GatewayContext,
    floor: LedgerPoint | null,
    noted: LedgerPoint | null,
    round: number,
  ): Promise<Candidate | Failure | null> {
    const cached = round === 1 && mayBeImmutable(request) ? await this.#cachedNearby(request) : undefined;
    // An isolate that knows no tip cannot tell the epoch: the shield can, and while it is down the cache will do.
    if (cached !== undefined && this.#tip !== null) return cached;
    const { admission, minVersion } = context;
    const epoch = this.#tip?.epoch ?? 0;
    const read = { request, epoch, floor, minVersion, noted, noteTarget: admission.noteTarget() };
    const sentAtMs = this.#ports.now();
    const result = await this.#shielded(read, context);
    if (result === null) return cached ?? null;
    const nowMs = this.#ports.now();
    // What the shield did not spend itself was the way, all of which may have been the way back.
    const wayMs = Math.max(0, nowMs - sentAtMs - result.elapsedMs);
    if (result.tip !== null) this.#learn({ ...result.tip, confirmedAtMs: nowMs - result.tipAgeMs - wayMs });
    this.#ports.learnAttempts(result.attempts);
    this.#report(request, result.attempts, context);
    if (result.kind === "down") return cached ?? this.#down(request, result, context);
    return this.#received(request, result, context, nowMs - wayMs);
  }

  /** What the data centre's cache has, if it is quick. */
  async #cachedNearby(request: NodeRequest): Promise<Candidate | undefined> {
    const value = await this.#quickly(this.#ports.cached(this.#cacheKey(request)));
    if (value === undefined || !isFresh(value, this.#tip, this.#ports.now())) return undefined;
    if (this.#tip !== null) {
      this.#ports.memory.put(cacheKeyOf(request), value);
      const { epoch, ledger } = value;
      if (ledger !== null) this.#learn({ epoch, ledger, confirmedAtMs: Number.NEGATIVE_INFINITY });
    }
    return { value, source: "cache", ageMs: ageMs(value, this.#tip, this.#ports.now()), ...NOT_NOTED };
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
    else this.#store(cacheKeyOf(request), value, context);
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

  /** A read is sent once more when its object was just replaced. */
  async #shielded(read: ShieldRequest, { region, requestId }: GatewayContext): Promise<ShieldResult | null> {
    for (let left = 2; left > 0; left -= 1) {
      try {
        return await this.#ports.shield(region, read);
      } catch (cause) {
        this.#ports.log("shield_fault", { requestId, endpoint: read.request.endpoint, cause: String(cause) });
      }
    }
    return null;
  }

  /** Calls the upstreams from here. */
  async #direct(
    request: NodeRequest,
    context: GatewayContext,
    floor: LedgerPoint | null,
  ): Promise<Candidate | Failure> {
    const epoch = this.#tip?.epoch ?? 0;
    const version = floor !== null && floor.epoch === epoch ? floor.version : 0n;
    const result = await this.#called(request, version, context);
    this.#report(request, result.attempts, context);
    if (result.kind === "down") return this.#down(request, result, context);
    const value = await responseOf(request, result, epoch, this.#ports.now());
    return { ...NOT_NOTED, value, source: "upstream", ageMs: 0, attempts: result.attempts };
  }

  /** Upstreams that are all behind may have some time to catch up. */
  async #called(request: NodeRequest, floor: bigint, { waitUntil }: GatewayContext): Promise<FailoverResult> {
    const { now, sleep, call } = this.#ports;
    const untilMs = now() + LAG_PATIENCE_MS;
    for (;;) {
      const result = await call(request, floor, this.#tip, waitUntil);
      if (result.kind === "response" || !result.lagging || now() >= untilMs) return result;
      await sleep(LAG_PAUSE_MS);
    }
  }

  #report(request: NodeRequest, attempts: readonly Attempt[], { requestId }: GatewayContext): void {
    for (const { upstream, result, milliseconds, detail } of attempts) {
      this.#ports.count?.({ kind: "upstream", route: request.endpoint, upstream, result, milliseconds });
      if (result !== "ok") this.#ports.log("upstream_fault", { requestId, upstream, result, milliseconds, detail });
    }
  }

  #store(key: string, value: CachedResponse, { waitUntil }: GatewayContext): void {
    if (value.retention === "no-store") return;
    this.#ports.memory.put(key, value);
    if (value.retention === "immutable") waitUntil(this.#ports.cache(`${value.epoch} ${key}`, value));
  }

  #cacheKey(request: NodeRequest): string {
    return `${this.#tip?.epoch ?? 0} ${cacheKeyOf(request)}`;
  }

  /** The shield does not answer: what memory has, if it is young enough and not below what the caller was shown. */
  async #withoutShield(
    request: NodeRequest,
    context: GatewayContext,
    noted: LedgerMark | null,
    admitted: Admitted,
  ): Promise<GatewayResult | Failure> {
    const value = this.#ports.memory.get(cacheKeyOf(request));
    if (value === undefined || !canServeStale(value)) return unavailable(DOWN_MESSAGE, 1);
    const age = ageMs(value, this.#tip, this.#ports.now());
    const mark = markOfResponse(value);
    const floor = laterOf(admitted.floor, context.admission.seenHere());
    const isBelow = !isTimeless(value, request) && mark !== null && !isAtLeast(mark, floor);
    if (isBelow || age > this.#ports.staleIfErrorSeconds * 1_000) return unavailable(DOWN_MESSAGE, 1);
    this.#ports.log("stale_served", { requestId: context.requestId, endpoint: request.endpoint });
    const found = { ...NOT_NOTED, value, source: "stale", ageMs: age } as const;
    return this.#finish(request, context, found, noted, admitted);
  }

  #down(
    { endpoint }: NodeRequest,
    result: { readonly retryAfterSeconds: number; readonly maybeSent?: boolean },
    { requestId, minVersion }: GatewayContext,
  ): Failure {
    const { retryAfterSeconds, maybeSent } = result;
    if ("isBehind" in result && result.isBehind === true && minVersion !== null) return notHere(minVersion);
    this.#ports.log("upstreams_down", { requestId, endpoint, retryAfterSeconds });
    return maybeSent === true ? answerLost() : unavailable(DOWN_MESSAGE, retryAfterSeconds);
  }

  #result(target: NodeRequest, { value, source, ageMs: age, attempts }: Candidate, tip: Ledger | null): GatewayResult {
    const upstreamMs = attempts.reduce((total, attempt) => total + attempt.milliseconds, 0);
    return { kind: "served", target, value, source, ageMs: Math.max(0, age), tip, upstreamMs };
  }

  /** The ledger that a timeless answer names: the later one of what this isolate offered and the limiter's own. */
  #label(offered: LedgerMark | null, floor: LedgerMark | null): Ledger | null {
    const mark = laterOf(offered, floor);
    if (mark === null) return null;
    const ledger = ledgerOf(mark);
    if (ledger !== null) this.#learn({ epoch: mark.epoch, ledger, confirmedAtMs: Number.NEGATIVE_INFINITY });
    return ledger;
  }

  /** Timeless hits ask nobody for anything: now and then the shield is asked whether it is the same chain still. */
  #watchChain(context: GatewayContext): void {
    const nowMs = this.#ports.now();
    const sinceMs = nowMs - Math.max(this.#watchedAtMs, this.#tip?.confirmedAtMs ?? 0);
    if (sinceMs >= 0 && sinceMs < WATCH_EVERY_MS) return;
    this.#watchedAtMs = nowMs;
    const [epoch, admission] = [this.#tip?.epoch ?? 0, NO_CALLER];
    context.waitUntil(
      this.#find(LEDGER_INFO, { ...context, admission, minVersion: null }, { epoch, version: 0n }, null, 1),
    );
  }

  #learn(tip: KnownTip): void {
    const known = this.#tip;
    if (known === null || !isAtLeast(pointOf(known), pointOf(tip))) this.#tip = tip;
    else if (isAtLeast(pointOf(tip), pointOf(known)) && tip.confirmedAtMs > known.confirmedAtMs) this.#tip = tip;
  }

  #tipMark(): LedgerMark | null {
    return this.#tip === null ? null : markOfTip(this.#tip);
  }
}

function withoutLedger(found: Candidate): Candidate {
  return { ...found, value: { ...found.value, ledger: null } };
}

function pointOf({ epoch, ledger }: KnownTip): LedgerPoint {
  return { epoch, version: ledger.version };
}

function notHere(version: bigint): NodeFailure {
  return unavailable(`Ledger version ${version} is not here yet.`, 1);
}

function unavailable(message: string, retryAfterSeconds: number): NodeFailure {
  return { kind: "node", status: 503, errorCode: "internal_error", message, vmErrorCode: null, retryAfterSeconds };
}

function answerLost(): NodeFailure {
  const message = "The node's answer was lost. The transaction may have been accepted: look it up by its hash.";
  return {
    kind: "node",
    status: 502,
    errorCode: "internal_error",
    message,
    vmErrorCode: null,
    retryAfterSeconds: null,
  };
}
