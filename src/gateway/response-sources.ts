import { type LedgerPoint, laterOf } from "../chain/ledger-point.ts";
import type { Failure } from "../http/failure.ts";
import { cacheKeyOf, isFresh, isTimelessRequest, mayBeImmutable } from "./cache/freshness.ts";
import { responseOf } from "./cache/policy.ts";
import { type Candidate, type GatewayContext, type GatewayPorts, NOT_NOTED } from "./gateway-ports.ts";
import type { IsolateCache } from "./isolate-cache.ts";
import { NO_CALLER } from "./no-caller.ts";
import type { NodeRequest } from "./node-types.ts";
import { answerLost, nodesDown, versionNotHere } from "./request/node-errors.ts";
import type { ShieldRequest, ShieldResult } from "./shield/messages.ts";
import type { TipMemory } from "./tip/known-tip.ts";
import type { Attempt, FailoverResult, UpstreamsDown } from "./upstream/failover.ts";
import { LEDGER_INFO } from "./upstream/pool.ts";

/** After this time a failed shield call was slow, not replaced: a retry would only add load. */
const RETRY_WITHIN_MS = 2_000;

/** Where an isolate gets what is not in its memory: the data centre's cache, the shield, the upstreams themselves. */
export class ResponseSources {
  readonly #ports: GatewayPorts;
  readonly #known: TipMemory;
  readonly #cache: IsolateCache;

  constructor(ports: GatewayPorts, known: TipMemory, cache: IsolateCache) {
    this.#ports = ports;
    this.#known = known;
    this.#cache = cache;
  }

  /** A read, from the data centre's cache if it is fast, else from the shield; null when that does not respond. */
  async find(
    request: NodeRequest,
    context: GatewayContext,
    floor: LedgerPoint | null,
    noted: LedgerPoint | null = null,
  ): Promise<Candidate | Failure | null> {
    const cached = mayBeImmutable(request) ? await this.#cache.find(request) : undefined;
    // Without a known tip the isolate does not know the epoch; the shield does, and the cache is the fallback.
    if (cached !== undefined && this.#known.tip !== null) return cached;
    const found = await this.fromShield(request, context, floor, noted);
    if (found === null || "kind" in found) return cached ?? found;
    // A lagging node may report a committed transaction as pending: prefer the immutable cached response.
    const isFinal = found.value.retention === "immutable";
    if (!isFinal && cached !== undefined && isFresh(cached.value, this.#known.tip, this.#ports.now())) return cached;
    return found;
  }

  /** Null when the shield does not respond. With `polled` it stores that response instead of sending the request. */
  async fromShield(
    request: NodeRequest,
    context: GatewayContext,
    floor: LedgerPoint | null,
    noted: LedgerPoint | null,
    polled: Candidate["value"] | null = null,
  ): Promise<Candidate | Failure | null> {
    const { admission, minVersion, requestId } = context;
    const sentAtMs = this.#ports.now();
    const known = { epoch: this.#known.epoch, recent: this.#known.recent(sentAtMs) };
    const read = { ...known, request, floor, minVersion, noted, noteTarget: admission.noteTarget(), polled };
    const result = await this.#shielded(read, context);
    if (result === null) return null;
    const nowMs = this.#ports.now();
    // Everything but the shield's own time was network, all of which may have been the way back.
    const leftAtMs = nowMs - Math.max(0, nowMs - sentAtMs - result.elapsedMs);
    if (result.tip !== null) this.#known.learn({ ...result.tip, confirmedAtMs: leftAtMs - result.tipAgeMs });
    this.#ports.learnUpstreams(result);
    this.#report(request, result.attempts, context);
    if (result.kind === "down") return this.#failureOf(request, result, context);
    const { source, isNoted, attempts } = result;
    const shows = isNoted ? result.shows : null;
    const value = { ...result.value, storedAtMs: leftAtMs - result.ageMs };
    if (shows !== null) admission.noteHere(shows);
    if (source === "stale") this.#ports.log("stale_served", { requestId, endpoint: request.endpoint });
    else this.#cache.store(cacheKeyOf(request), value, context);
    return { value, source, ageMs: nowMs - value.storedAtMs, shows, isNoted, attempts };
  }

  /**
   * The result of a long poll once the shield has stored and recorded it; unchanged when the shield does not respond.
   */
  async settle(request: NodeRequest, polled: Candidate, context: GatewayContext): Promise<Candidate> {
    if (polled.value.large !== undefined) return polled;
    const settled = await this.fromShield(request, context, null, null, polled.value);
    if (settled !== null && !("kind" in settled)) return { ...settled, attempts: polled.attempts };
    this.#cache.store(cacheKeyOf(request), polled.value, context);
    return polled;
  }

  /** A submit, simulation or long poll, from the upstreams over this isolate's own connections. */
  async call(request: NodeRequest, context: GatewayContext, floor: LedgerPoint | null): Promise<Candidate | Failure> {
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
    if (result.kind === "down") return this.#failureOf(request, result, context);
    const value = await responseOf(request, result, epoch, this.#ports.now());
    return { ...NOT_NOTED, value, source: "upstream", ageMs: 0, attempts: result.attempts };
  }

  /** Retries once when the object was just replaced, which fails at once. */
  async #shielded(read: ShieldRequest, { region, requestId }: GatewayContext): Promise<ShieldResult | null> {
    const startedAtMs = this.#ports.now();
    for (let left = 2; left > 0 && this.#ports.now() - startedAtMs < RETRY_WITHIN_MS; left -= 1) {
      try {
        return await this.#ports.shield(region, read);
      } catch (cause) {
        this.#ports.log("shield_error", { requestId, endpoint: read.request.endpoint, cause: String(cause) });
      }
    }
    return null;
  }

  async #called(request: NodeRequest, floor: bigint, context: GatewayContext): Promise<FailoverResult> {
    const result = await this.#ports.call(request, floor, this.#known.tip, context.waitUntil);
    this.#report(request, result.attempts, context);
    return result;
  }

  /**
   * Whether some upstream has the required version. An isolate that does not know the chain's epoch learns it: a
   * response of an epoch that is over would bind no later one.
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
    const found = await this.find(LEDGER_INFO, { ...context, admission: NO_CALLER, minVersion }, floor);
    // Without a response of the shield the upstreams are called anyway.
    return found === null || !("kind" in found);
  }

  #report({ endpoint }: NodeRequest, attempts: readonly Attempt[], { requestId }: GatewayContext): void {
    const { count, log } = this.#ports;
    for (const { upstream, result, milliseconds, detail } of attempts) {
      count?.({ kind: "upstream", route: endpoint, upstream, result, milliseconds });
      if (result !== "ok") log("upstream_error", { requestId, upstream, result, milliseconds, detail });
    }
  }

  /** The caller's result when no upstream had a usable response. */
  #failureOf({ endpoint }: NodeRequest, down: UpstreamsDown, { requestId, minVersion }: GatewayContext): Failure {
    const { retryAfterSeconds, maybeSent, lagging } = down;
    if (lagging && minVersion !== null) return versionNotHere(minVersion);
    this.#ports.log("upstreams_down", { requestId, endpoint, retryAfterSeconds });
    return maybeSent ? answerLost() : nodesDown(retryAfterSeconds);
  }
}
