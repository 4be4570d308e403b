import { type Admission, type Admitted, type AdmittedContext, NO_CALLER } from "../admission.ts";
import { isAtLeast, type LedgerPoint, laterOf } from "../chain/ledger-point.ts";
import type { Failure } from "../http/failure.ts";
import type { RequestContext } from "../http/handler.ts";
import type { Log } from "../log.ts";
import type { RecordMetric } from "../metrics.ts";
import {
  ageMs,
  cacheKeyOf,
  isFresh,
  isLastGood,
  isNotBelow,
  isStorable,
  isTimelessRequest,
  mayBeImmutable,
  mayBeTimeless,
} from "./cache/freshness.ts";
import { responseOf } from "./cache/policy.ts";
import type { ResponseMemory, SharedCache } from "./cache/store.ts";
import { isWithin, type Ledger, newerTip, pointOf, type Tip } from "./model/ledger.ts";
import type { Attempt, CachedResponse, Found, NodeRequest, Source, UpstreamsDown } from "./model/node-types.ts";
import { answerLost, nodesDown } from "./request/node-errors.ts";
import type { ShieldRequest, ShieldResult } from "./shield/messages.ts";
import type { FailoverResult } from "./upstream/failover.ts";
import { LEDGER_INFO } from "./upstream/upstreams.ts";

/** What an isolate needs of the platform. Only `shield` may reject. */
export interface GatewayPorts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly memory: ResponseMemory;
  /** The data centre's cache. */
  readonly shared: SharedCache;
  /** Calls the object that owns this key in this region. Rejects while the object is being replaced. */
  readonly shield: (region: string, read: ShieldRequest) => Promise<ShieldResult>;
  /** Calls the upstreams over this isolate's own connections. */
  readonly call: (
    request: NodeRequest,
    floor: bigint,
    tip: Tip | null,
    waitUntil: WaitUntil,
  ) => Promise<FailoverResult>;
  /** Tells this isolate's upstreams what the shield found out about them. */
  readonly noteAttempts: (attempts: readonly Attempt[]) => void;
  readonly log: Log;
  readonly count: RecordMetric | null;
  readonly staleIfErrorSeconds: number;
}

type WaitUntil = RequestContext["waitUntil"];

/** What a caller's request adds to a node request. */
export interface GatewayContext extends Pick<AdmittedContext, "admission" | "requestId" | "waitUntil"> {
  readonly region: string;
}

/** The limiter's decision, and the tip that was offered with it: without a floor it is recorded as seen. */
export interface Offer extends Admitted {
  readonly tip: Tip | null;
}

/** A response for its caller. */
export interface GatewayResult extends Found {
  readonly target: NodeRequest;
  /** The ledger that its headers name; null for none. */
  readonly ledger: Ledger | null;
}

type Answer = Promise<GatewayResult | Failure>;
type Need = Pick<ShieldRequest, "floor" | "offered">;

/** Head start of the data centre's cache before the next source is asked. */
const CACHE_HEAD_START_MS = 5;
/** A tip confirmed this recently spares a woken object its first look-up. */
const RECENT_MS = 5_000;
/** Timeless hits make no call, so the shield is called this often to learn of a replaced chain. */
const WATCH_EVERY_MS = 10_000;
/** Another isolate may have served the caller a newer version; the shield is then called again, at most this often. */
const MAX_ROUNDS = 3;
/** After this time a failed shield call was slow, not replaced: a retry would only add load. */
const RETRY_WITHIN_MS = 2_000;

/**
 * One isolate's side of the gateway: its memory in front of the region's shields. Shares values between requests, never
 * promises. Why no caller sees the chain go back is explained in docs/consistency.md.
 */
export class Gateway {
  readonly #ports: GatewayPorts;
  #tip: Tip | null = null;
  /** When the shield was last called. */
  #calledAtMs: number | null = null;

  constructor(ports: GatewayPorts) {
    this.#ports = ports;
  }

  /**
   * Counts a request. Offers the tip where the response may be timeless: then only its headers name a ledger, and no
   * further call is needed to record it.
   */
  async admit(request: Pick<NodeRequest, "mode" | "endpoint" | "params">, admission: Admission): Promise<Offer> {
    const tip = isTimelessRequest(request) || mayBeTimeless(request) ? this.#tip : null;
    return { tip, ...(await admission.admit(tip === null ? null : pointOf(tip))) };
  }

  /** `early`: from {@link admit}, for a request that was counted before its body was read. */
  async answer(request: NodeRequest, context: GatewayContext, early?: Offer): Answer {
    if (request.mode !== "read") {
      const offer = early ?? (await this.admit(request, context.admission));
      if (offer.refusal !== null) return offer.refusal;
      return isTimelessRequest(request) ? this.#send(request, context, offer) : this.#poll(request, context, offer);
    }
    const known = this.#fromMemory(request, context);
    const hit = known ?? (mayBeTimeless(request) ? null : await this.#fromShared(request, context));
    return hit === null ? this.#miss(request, context) : this.#hit(request, context, hit);
  }

  /** One call: the limiter compares the point that the response shows with what the caller has seen. */
  async #hit(request: NodeRequest, context: GatewayContext, hit: Found): Answer {
    const { value } = hit;
    const tip = value.timeless ? this.#tip : null;
    const { refusal, floor } = await context.admission.admit(tip === null ? value.point : pointOf(tip));
    if (refusal !== null) return refusal;
    if (value.timeless && (floor === null || floor.era <= value.era)) {
      this.#watchChain(context);
      return { ...hit, target: request, ledger: floor === null ? (tip?.ledger ?? null) : null };
    }
    if (floor === null) return { ...hit, target: request, ledger: value.ledger };
    return this.#read(request, context, { tip: null, refusal, floor });
  }

  /** Limiter and shield in parallel, unless the caller may have no quota left. */
  async #miss(request: NodeRequest, context: GatewayContext): Answer {
    const offering = this.admit(request, context.admission);
    if (context.admission.mayReadAhead()) return this.#read(request, context, offering);
    const offer = await offering;
    return offer.refusal ?? this.#read(request, context, offer);
  }

  async #read(request: NodeRequest, context: GatewayContext, offering: Offer | Promise<Offer>): Answer {
    const { admission } = context;
    const isDecided = !("then" in offering);
    const tip = isDecided ? offering.tip : mayBeTimeless(request) ? this.#tip : null;
    const offered = tip === null ? null : pointOf(tip);
    let floor = laterOf(laterOf(offered, isDecided ? offering.floor : null), admission.seenHere());
    for (let round = 1; ; round += 1) {
      const shared = round === 1 && mayBeImmutable(request) ? await this.#fromShared(request, context) : null;
      const finding = shared ?? this.#shielded(request, context, { floor, offered });
      const [offer, found] = await Promise.all([offering, finding]);
      const isFound = found !== null && found.kind === "found";
      const needed = laterOf(offer.floor, offered);
      if (isFound && offer.refusal === null && isNotBelow(found.value, needed))
        return this.#finish(request, context, found, offer);
      if (isFound) await found.value.large?.stream.cancel();
      if (offer.refusal !== null) return offer.refusal;
      if (found === null) return this.#lastGood(request, context, offer);
      if (!isFound) return found;
      if (round === MAX_ROUNDS) return nodesDown(1);
      floor = needed;
    }
  }

  /** A submit, or a request that does not concern the chain's state: sent after admission. */
  async #send(request: NodeRequest, context: GatewayContext, offer: Offer): Answer {
    const found = await this.#call(request, context, null);
    if (found.kind !== "found") return found;
    const { value } = found;
    const isStale = !isNotBelow(value, laterOf(offer.floor, context.admission.seenHere()));
    if (!value.timeless && !isStale) return this.#finish(request, context, found, offer);
    // Its ledger was not recorded for the caller, or is older than what the caller has seen. One that names none gets none.
    const mayName = offer.floor === null && value.timeless && value.ledger !== null;
    const ledger = mayName ? (offer.tip?.ledger ?? null) : null;
    return { ...found, target: request, ledger };
  }

  /** A long poll or a simulation: sent by this isolate over its own connections after admission. */
  async #poll(request: NodeRequest, context: GatewayContext, offer: Offer): Answer {
    const offered = offer.tip === null ? null : pointOf(offer.tip);
    const found = await this.#call(request, context, laterOf(offer.floor, offered));
    if (found.kind !== "found") return found;
    this.#store(cacheKeyOf(request), found.value, context);
    return this.#finish(request, context, found, offer);
  }

  /** Records what a response reveals before it leaves, unless that was done. */
  async #finish(
    request: NodeRequest,
    { admission }: GatewayContext,
    found: Found,
    { tip, floor }: Offer,
  ): Promise<GatewayResult> {
    const { value } = found;
    const { point, timeless } = value;
    const seen = laterOf(tip === null ? null : pointOf(tip), floor);
    const isCovered = point === null || found.noted !== null || (timeless && seen !== null && isAtLeast(seen, point));
    if (!isCovered) await admission.note(point);
    else if (point !== null && found.noted !== null) admission.noteHere(found.noted);
    const shown = { ...found, target: request };
    if (!timeless) return { ...shown, ledger: value.ledger };
    // Recorded, and nothing newer was seen: the ledger it was read at. Else the one that was offered with the admission.
    const isRecorded = !isCovered || (found.noted !== null && point !== null && isAtLeast(found.noted, point));
    if (isRecorded && point !== null && isAtLeast(point, seen)) return { ...shown, ledger: value.ledger };
    return { ...shown, ledger: floor === null ? (tip?.ledger ?? null) : null };
  }

  /** A response from memory that may be served, as far as this isolate knows. */
  #fromMemory(request: NodeRequest, { admission }: GatewayContext): Found | null {
    const value = this.#ports.memory.get(cacheKeyOf(request));
    if (value === undefined || !isFresh(value, this.#tip, this.#ports.now())) return null;
    return isNotBelow(value, admission.seenHere()) ? this.#found(value, "memory") : null;
  }

  /** The data centre's cached response, if the cache is fast. Without a known tip the isolate does not know the era. */
  async #fromShared(request: NodeRequest, { admission }: GatewayContext): Promise<Found | null> {
    const { shared, sleep, memory, now } = this.#ports;
    if (this.#tip === null) return null;
    const key = cacheKeyOf(request);
    const looking = shared.match(`${this.#tip.era} ${key}`);
    const value = await Promise.race([looking, sleep(CACHE_HEAD_START_MS).then(() => undefined)]);
    if (value === undefined || !isFresh(value, this.#tip, now()) || !isNotBelow(value, admission.seenHere()))
      return null;
    memory.set(key, value);
    const { era, ledger, retention, storedAtMs } = value;
    const confirmedAtMs = retention === "until-tip" ? storedAtMs : Number.NEGATIVE_INFINITY;
    if (ledger !== null) this.#tip = newerTip(this.#tip, { era, ledger, confirmedAtMs });
    return this.#found(value, "cache");
  }

  /** Null when the shield does not respond. Retries once when the object was just replaced, which fails at once. */
  async #shielded(request: NodeRequest, context: GatewayContext, need: Need): Promise<Found | Failure | null> {
    const { now, shield, log } = this.#ports;
    const { admission, region, requestId } = context;
    const startedAtMs = now();
    this.#calledAtMs = startedAtMs;
    const recent = this.#tip !== null && isWithin(this.#tip.confirmedAtMs, RECENT_MS, startedAtMs);
    const known = { era: this.#tip?.era ?? 0, recent: recent ? (this.#tip?.ledger ?? null) : null };
    const read = { request, ...known, ...need, noteTarget: admission.noteTarget() };
    for (let left = 2; left > 0 && now() - startedAtMs < RETRY_WITHIN_MS; left -= 1) {
      try {
        return this.#received(request, context, startedAtMs, await shield(region, read));
      } catch (cause) {
        log("shield_error", { requestId, endpoint: request.endpoint, cause: String(cause) });
      }
    }
    return null;
  }

  #readTip(context: GatewayContext, floor: LedgerPoint | null): Promise<Found | Failure | null> {
    return this.#shielded(LEDGER_INFO, { ...context, admission: NO_CALLER }, { floor, offered: null });
  }

  /** What the shield sent, by this isolate's clock. */
  #received(request: NodeRequest, context: GatewayContext, sentAtMs: number, result: ShieldResult): Found | Failure {
    const { now, log, noteAttempts } = this.#ports;
    const { found, tip } = result;
    const nowMs = now();
    // Everything but the shield's own time was network, all of which may have been the way back.
    const leftAtMs = nowMs - Math.max(0, nowMs - sentAtMs - result.elapsedMs);
    if (tip !== null) this.#tip = newerTip(this.#tip, { ...tip, confirmedAtMs: leftAtMs - result.tipAgeMs });
    noteAttempts(found.attempts);
    this.#report(request, found.attempts, context);
    if (found.kind === "down") return this.#failureOf(request, found, context);
    const value = { ...found.value, storedAtMs: leftAtMs - found.ageMs };
    if (found.source === "stale") log("stale_served", { requestId: context.requestId, endpoint: request.endpoint });
    else this.#store(cacheKeyOf(request), value, context);
    return { ...found, value, ageMs: nowMs - value.storedAtMs };
  }

  /** From the upstreams over this isolate's own connections, never below the floor. */
  async #call(request: NodeRequest, context: GatewayContext, floor: LedgerPoint | null): Promise<Found | Failure> {
    // A response of an era that is over would bind no later one.
    const isEraKnown = this.#tip !== null && this.#tip.era >= (floor?.era ?? 0);
    if (!isEraKnown && !isTimelessRequest(request)) await this.#readTip(context, floor);
    const era = this.#tip?.era ?? 0;
    const version = floor !== null && floor.era === era ? floor.version : 0n;
    let result = await this.#called(request, version, context);
    // Lagging upstreams have as long to catch up as the region's shared look-up of the ledger takes.
    if (result.kind === "down" && result.lagging) {
      const reached = await this.#readTip(context, floor);
      if (reached === null || reached.kind === "found") result = await this.#called(request, version, context);
    }
    if (result.kind === "down") return this.#failureOf(request, result, context);
    const value = await responseOf(request, result, era, this.#ports.now());
    return { kind: "found", value, source: "upstream", ageMs: 0, noted: null, attempts: result.attempts };
  }

  async #called(request: NodeRequest, floor: bigint, context: GatewayContext): Promise<FailoverResult> {
    const result = await this.#ports.call(request, floor, this.#tip, context.waitUntil);
    this.#report(request, result.attempts, context);
    return result;
  }

  /** The shield does not respond: serve from memory if young enough and not below what the caller has seen. */
  async #lastGood(request: NodeRequest, context: GatewayContext, offer: Offer): Answer {
    const { memory, staleIfErrorSeconds, log } = this.#ports;
    const value = memory.get(cacheKeyOf(request));
    const floor = laterOf(offer.floor, context.admission.seenHere());
    if (value === undefined) return nodesDown(1);
    const found = this.#found(value, "stale");
    if (!isLastGood(value, floor, found.ageMs, staleIfErrorSeconds)) return nodesDown(1);
    log("stale_served", { requestId: context.requestId, endpoint: request.endpoint });
    return this.#finish(request, context, found, offer);
  }

  #watchChain(context: GatewayContext): void {
    const nowMs = this.#ports.now();
    if (isWithin(this.#calledAtMs, WATCH_EVERY_MS, nowMs)) return;
    this.#calledAtMs = nowMs;
    context.waitUntil(this.#readTip(context, this.#tip === null ? null : pointOf(this.#tip)));
  }

  #found(value: CachedResponse, source: Source): Found {
    const age = ageMs(value, this.#tip, this.#ports.now());
    return { kind: "found", value, source, ageMs: age, noted: null, attempts: [] };
  }

  #store(key: string, value: CachedResponse, { waitUntil }: GatewayContext): void {
    if (!isStorable(value)) return;
    this.#ports.memory.set(key, value);
    // A "not found yet" lasts half a second: too short to share.
    if (value.seconds >= 1) waitUntil(this.#ports.shared.put(`${value.era} ${key}`, value));
  }

  #report({ endpoint }: NodeRequest, attempts: readonly Attempt[], { requestId }: GatewayContext): void {
    const { count, log } = this.#ports;
    for (const { upstream, result, milliseconds, detail } of attempts) {
      count?.({ kind: "upstream", route: endpoint, upstream, result, milliseconds });
      if (result !== "ok") log("upstream_error", { requestId, upstream, result, milliseconds, detail });
    }
  }

  /** The caller's result when no upstream had a usable response. */
  #failureOf({ endpoint }: NodeRequest, { maybeSent, lagging }: UpstreamsDown, { requestId }: GatewayContext): Failure {
    this.#ports.log("upstreams_down", { requestId, endpoint, lagging });
    return maybeSent ? answerLost() : nodesDown(lagging ? 1 : 2);
  }
}
