import type { LedgerPoint } from "../chain/ledger-point.ts";
import type { Failure } from "../http/failure.ts";
import { cacheKeyOf, isFresh, mayBeImmutable } from "./cache/freshness.ts";
import type { Candidate, GatewayContext, GatewayPorts } from "./gateway-ports.ts";
import type { NearbyCache } from "./nearby-cache.ts";
import type { NodeRequest } from "./node-types.ts";
import type { ShieldRequest, ShieldResult } from "./shield/messages.ts";
import type { TipMemory } from "./tip/tip-memory.ts";
import { failureOf, reportAttempts } from "./upstream-outcome.ts";

/** After this time a failed shield call was slow, not replaced: a retry would only add load. */
const RETRY_WITHIN_MS = 2_000;

/** Where an isolate gets a read that is not in its memory: the data centre's cache, the shield. */
export class ResponseSources {
  readonly #ports: GatewayPorts;
  readonly #known: TipMemory;
  readonly #nearby: NearbyCache;

  constructor(ports: GatewayPorts, known: TipMemory, nearby: NearbyCache) {
    this.#ports = ports;
    this.#known = known;
    this.#nearby = nearby;
  }

  /** From the data centre's cache if it is fast, else from the shield; null when that does not respond. */
  async find(
    request: NodeRequest,
    context: GatewayContext,
    floor: LedgerPoint | null,
    noted: LedgerPoint | null,
    round: number,
  ): Promise<Candidate | Failure | null> {
    const cached = round === 1 && mayBeImmutable(request) ? await this.#nearby.find(request) : undefined;
    // Without a known tip the isolate does not know the epoch; the shield does, and the cache is the fallback.
    if (cached !== undefined && this.#known.tip !== null) return cached;
    const found = await this.#fromShield(request, context, { floor, noted, polled: null });
    if (found === null || "kind" in found) return cached ?? found;
    // A lagging node may report a committed transaction as pending: prefer the immutable cached response.
    const isFinal = found.value.retention === "immutable";
    if (!isFinal && cached !== undefined && isFresh(cached.value, this.#known.tip, this.#ports.now())) return cached;
    return found;
  }

  /**
   * The result of a long poll once the shield has stored and recorded it; unchanged when the shield does not respond.
   */
  async settle(request: NodeRequest, polled: Candidate, context: GatewayContext): Promise<Candidate> {
    if (polled.value.large !== undefined) return polled;
    const found = await this.#fromShield(request, context, { floor: null, noted: null, polled: polled.value });
    return found === null || "kind" in found ? polled : { ...found, attempts: polled.attempts };
  }

  async #fromShield(
    request: NodeRequest,
    context: GatewayContext,
    more: Pick<ShieldRequest, "floor" | "noted" | "polled">,
  ): Promise<Candidate | Failure | null> {
    const { admission, minVersion, requestId } = context;
    const sentAtMs = this.#ports.now();
    const about = { request, epoch: this.#known.epoch, recent: this.#known.recent(sentAtMs), minVersion };
    const result = await this.#shielded({ ...about, ...more, noteTarget: admission.noteTarget() }, context);
    if (result === null) return null;
    const nowMs = this.#ports.now();
    // Everything but the shield's own time was network, all of which may have been the way back.
    const leftAtMs = nowMs - Math.max(0, nowMs - sentAtMs - result.elapsedMs);
    if (result.tip !== null) this.#known.learn({ ...result.tip, confirmedAtMs: leftAtMs - result.tipAgeMs });
    this.#ports.learnUpstreams(result);
    reportAttempts(this.#ports, request, result.attempts, context);
    if (result.kind === "down") return failureOf(this.#ports, request, result, context);
    const { source, isNoted, attempts } = result;
    const shows = isNoted ? result.shows : null;
    const value = { ...result.value, storedAtMs: leftAtMs - result.ageMs };
    if (shows !== null) admission.noteHere(shows);
    if (source === "stale") this.#ports.log("stale_served", { requestId, endpoint: request.endpoint });
    else this.#nearby.store(cacheKeyOf(request), value, context);
    return { value, source, ageMs: nowMs - value.storedAtMs, shows, isNoted, attempts };
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
}
