import type { Failure, NodeFailure } from "../http/failure.ts";
import type { Log } from "../log.ts";
import type { RecordMetric } from "../metrics.ts";
import { ageMs, cacheKeyOf, canServeStale, isFresh } from "./cache/freshness.ts";
import type { ResponseLru } from "./cache/lru.ts";
import type { CachedResponse, NodeRequest } from "./node-types.ts";
import type { CacheSource, GatewayResult } from "./response-headers.ts";
import type { ShieldRequest, ShieldResult } from "./shield/coalescer.ts";
import { type Ledger, later } from "./tip/ledger-headers.ts";
import { LEASE_MS, type Lease } from "./tip/tip-lease.ts";
import type { Attempt } from "./upstream/failover.ts";

/** What the gateway in an isolate needs of the platform. None rejects but `shield`. */
export interface GatewayPorts {
  readonly now: () => number;
  readonly memory: ResponseLru;
  readonly cached: (key: string) => Promise<CachedResponse | undefined>;
  readonly cache: (key: string, value: CachedResponse) => Promise<void>;
  /** Asks the object that owns this key in this region. May reject: the object may be gone for a moment. */
  readonly shield: (region: string, question: ShieldRequest) => Promise<ShieldResult>;
  /** The region's tip. `reach`: waits up to a second for it to come to this version. Null when it does not answer. */
  readonly lease: (region: string, reach: bigint | null) => Promise<Lease | null>;
  readonly log: Log;
  readonly count: RecordMetric | null;
  readonly staleIfErrorSeconds: number;
}

/** What one request adds to a target. */
export interface GatewayContext {
  readonly region: string;
  /** `X-Min-Ledger-Version`. */
  readonly atLeast: bigint | null;
  readonly requestId: string;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

interface Held {
  readonly lease: Lease;
  readonly untilMs: number;
}

const DOWN_MESSAGE = "No chain node answers at the moment.";

/** The caches of one isolate before the region's shields. Shares values between requests, never promises. */
export class Gateway {
  readonly #ports: GatewayPorts;
  /** The published tip as this isolate knows it, by region. */
  readonly #tips = new Map<string, Held>();
  #renewingSinceMs = 0;

  constructor(ports: GatewayPorts) {
    this.#ports = ports;
  }

  async answer(target: NodeRequest, circumstances: GatewayContext): Promise<GatewayResult | Failure> {
    const unreached = await this.#reach(circumstances);
    if (unreached !== null) return unreached;
    const served = await this.#answer(target, circumstances);
    // The tip was there, but all that is left to be shown is of before: that is not what was asked for.
    const { atLeast } = circumstances;
    if (atLeast === null || served.kind !== "served" || served.source !== "stale") return served;
    return (served.value.ledger?.version ?? -1n) >= atLeast ? served : unavailable(notHere(atLeast), 1);
  }

  async #answer(target: NodeRequest, circumstances: GatewayContext): Promise<GatewayResult | Failure> {
    if (target.mode === "submit" || target.mode === "compute") return this.#ask(target, circumstances);
    const key = cacheKeyOf(target);
    const held = this.#ports.memory.get(key);
    const hit = held === undefined ? undefined : await this.#hit(target, held, "memory", circumstances);
    if (hit !== undefined) return hit;
    if (mayBePinned(target)) {
      const cached = await this.#ports.cached(key);
      const found = cached === undefined ? undefined : await this.#hit(target, cached, "cache", circumstances);
      if (found !== undefined) {
        this.#ports.memory.put(key, found.value);
        return found;
      }
    }
    return this.#ask(target, circumstances);
  }

  /** `X-Min-Ledger-Version`: the caller knows of a commit; it is waited for, or it is said that it is not there. */
  async #reach({ region, atLeast }: GatewayContext): Promise<NodeFailure | null> {
    if (atLeast === null) return null;
    const known = this.#tips.get(region)?.lease.ledger?.version ?? -1n;
    if (known >= atLeast) return null;
    const lease = await this.#lease(region, atLeast);
    return (lease?.ledger?.version ?? -1n) >= atLeast ? null : unavailable(notHere(atLeast), 1);
  }

  async #hit(
    target: NodeRequest,
    value: CachedResponse,
    source: CacheSource,
    circumstances: GatewayContext,
  ): Promise<GatewayResult | undefined> {
    const nowMs = this.#ports.now();
    if (value.retention !== "until-tip" && !isFresh(value, 0n, nowMs)) return undefined;
    const lease = await this.#tip(circumstances);
    const tipVersion = lease?.ledger?.version ?? 0n;
    if (value.retention === "until-tip" && (lease?.confirmed !== true || !isFresh(value, tipVersion, nowMs)))
      return undefined;
    const age = ageMs(value, tipVersion, lease?.unconfirmedMs ?? null, nowMs);
    return { kind: "served", target, value, source, ageMs: age, tip: lease?.ledger ?? null, upstreamMs: 0 };
  }

  async #ask(target: NodeRequest, circumstances: GatewayContext): Promise<GatewayResult | Failure> {
    const { region } = circumstances;
    const askedAtMs = this.#ports.now();
    const shown = this.#tips.get(region)?.lease.ledger?.version ?? 0n;
    const told = await this.#told(target, { target, shown }, circumstances);
    if (told === null) return this.#withoutShield(target, circumstances);
    this.#learn(region, told.lease, askedAtMs);
    this.#report(target, told.attempts, circumstances);
    if (told.kind === "down") return this.#down(target, told, circumstances);
    const { value, source } = told;
    if (source === "stale")
      this.#ports.log("stale_served", { requestId: circumstances.requestId, endpoint: target.endpoint });
    else this.#store(cacheKeyOf(target), value, circumstances);
    const tip = this.#tips.get(region)?.lease.ledger ?? null;
    const upstreamMs = told.attempts.reduce((total, attempt) => total + attempt.milliseconds, 0);
    return { kind: "served", target, value, source, ageMs: told.ageMs, tip, upstreamMs };
  }

  #report(target: NodeRequest, attempts: readonly Attempt[], { requestId }: GatewayContext): void {
    for (const { upstream, result, milliseconds, detail } of attempts) {
      this.#ports.count?.({ kind: "upstream", route: target.endpoint, upstream, result, milliseconds });
      if (result !== "ok") this.#ports.log("upstream_fault", { requestId, upstream, result, milliseconds, detail });
    }
  }

  /** A read is asked once more when its object was just replaced; a submit never. */
  async #told(
    target: NodeRequest,
    question: ShieldRequest,
    { region, requestId }: GatewayContext,
  ): Promise<ShieldResult | null> {
    for (let left = target.mode === "submit" ? 1 : 2; left > 0; left -= 1) {
      try {
        return await this.#ports.shield(region, question);
      } catch (cause) {
        this.#ports.log("shield_fault", { requestId, endpoint: target.endpoint, cause: String(cause) });
      }
    }
    return null;
  }

  #store(key: string, value: CachedResponse, { waitUntil }: GatewayContext): void {
    if (value.retention === "no-store") return;
    this.#ports.memory.put(key, value);
    if (value.retention === "immutable") waitUntil(this.#ports.cache(key, value));
  }

  #withoutShield(target: NodeRequest, { requestId }: GatewayContext): GatewayResult | Failure {
    if (target.mode === "submit") return maybeSent();
    const value = this.#ports.memory.get(cacheKeyOf(target));
    const age = value === undefined ? Number.POSITIVE_INFINITY : this.#ports.now() - value.storedAtMs;
    if (value === undefined || !canServeStale(value) || age > this.#ports.staleIfErrorSeconds * 1_000)
      return unavailable(DOWN_MESSAGE, 1);
    this.#ports.log("stale_served", { requestId, endpoint: target.endpoint });
    return { kind: "served", target, value, source: "stale", ageMs: age, tip: null, upstreamMs: 0 };
  }

  #down(target: NodeRequest, told: Extract<ShieldResult, { kind: "down" }>, { requestId }: GatewayContext): Failure {
    this.#ports.log("upstreams_down", {
      requestId,
      endpoint: target.endpoint,
      retryAfterSeconds: told.retryAfterSeconds,
    });
    if (told.maybeSent) return maybeSent();
    return unavailable(DOWN_MESSAGE, told.retryAfterSeconds);
  }

  /** Under a live lease at no cost. One that is half over is renewed beside the answer, so that load never waits. */
  async #tip({ region, waitUntil }: GatewayContext): Promise<Lease | null> {
    const nowMs = this.#ports.now();
    const held = this.#tips.get(region);
    if (held === undefined || nowMs >= held.untilMs) return this.#lease(region, null);
    if (held.untilMs - nowMs < LEASE_MS / 2 && nowMs - this.#renewingSinceMs > LEASE_MS) {
      this.#renewingSinceMs = nowMs;
      waitUntil(this.#lease(region, null));
    }
    return held.lease;
  }

  async #lease(region: string, reach: bigint | null): Promise<Lease | null> {
    const askedAtMs = this.#ports.now();
    const lease = await this.#ports.lease(region, reach);
    if (lease !== null) this.#learn(region, lease, askedAtMs);
    return lease ?? unconfirmed(this.#tips.get(region)?.lease.ledger ?? null);
  }

  /** The newest word counts; an older tip only when the lease on it is alive, which after a chain's reset it is. */
  #learn(region: string, lease: Lease, askedAtMs: number): void {
    const untilMs = askedAtMs + lease.milliseconds;
    const held = this.#tips.get(region);
    const level = held !== undefined && held.lease.ledger?.version === lease.ledger?.version;
    if (level && held.untilMs > untilMs) return;
    const older = later(held?.lease.ledger ?? null, lease.ledger) !== lease.ledger;
    const alive = lease.confirmed && untilMs > this.#ports.now();
    if (held === undefined || !older || alive) this.#tips.set(region, { lease, untilMs });
  }
}

function unconfirmed(ledger: Ledger | null): Lease {
  return { ledger, milliseconds: 0, confirmed: false, unconfirmedMs: null };
}

/** Tip bodies are not laid into the shared cache: the next commit would make each of them a write for nothing. */
function mayBePinned(target: NodeRequest): boolean {
  const { ledger_version, start, txn_hash, txn_version, version, block_height } = target.params;
  return [ledger_version, start, txn_hash, txn_version, version, block_height].some((value) => value !== undefined);
}

function notHere(version: bigint): string {
  return `Ledger version ${version} is not here yet.`;
}

function unavailable(message: string, retryAfterSeconds: number): NodeFailure {
  return { kind: "node", status: 503, errorCode: "internal_error", message, vmErrorCode: null, retryAfterSeconds };
}

function maybeSent(): NodeFailure {
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
