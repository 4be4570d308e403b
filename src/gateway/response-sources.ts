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
    const { admission, minVersion } = context;
    const epoch = this.#known.epoch;
    const recent = this.#known.recent(this.#ports.now());
    const read = { request, epoch, recent, floor, minVersion, noted, noteTarget: admission.noteTarget() };
    const sentAtMs = this.#ports.now();
    const result = await this.#shielded(read, context);
    if (result === null) return cached ?? null;
    const nowMs = this.#ports.now();
    // Everything but the shield's own time was network, all of which may have been the way back.
    const wayMs = Math.max(0, nowMs - sentAtMs - result.elapsedMs);
    if (result.tip !== null) this.#known.learn({ ...result.tip, confirmedAtMs: nowMs - result.tipAgeMs - wayMs });
    this.#ports.learnUpstreams(result);
    reportAttempts(this.#ports, request, result.attempts, context);
    if (result.kind === "down") return cached ?? failureOf(this.#ports, request, result, context);
    // A lagging node may report a committed transaction as pending: prefer the immutable cached response.
    const isFinal = result.value.retention === "immutable";
    if (!isFinal && cached !== undefined && isFresh(cached.value, this.#known.tip, nowMs)) return cached;
    return this.#received(request, result, context, nowMs - wayMs);
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
    else this.#nearby.store(cacheKeyOf(request), value, context);
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
