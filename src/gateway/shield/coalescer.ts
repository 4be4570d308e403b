import { ageMs, cacheKeyOf, canServeStale, isFresh } from "../cache/freshness.ts";
import type { ResponseLru } from "../cache/lru.ts";
import { cacheRuleFor } from "../cache/policy.ts";
import type { CachedResponse, NodeRequest } from "../node-types.ts";
import { sha256 } from "../request/canonical-request.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import type { Lease } from "../tip/tip-lease.ts";
import type { Head } from "../tip/tip-publisher.ts";
import type { Floor } from "../upstream/accept-response.ts";
import { type Attempt, callUpstreams, type FailoverResult } from "../upstream/failover.ts";
import type { UpstreamPool, UpstreamPorts } from "../upstream/pool.ts";

/** One request of an isolate. */
export interface ShieldRequest {
  readonly target: NodeRequest;
  /** The newest version that the asker has already shown; nothing older may come back as fresh. */
  readonly shown: bigint;
}

export type ShieldResult =
  | {
      readonly kind: "value";
      readonly value: CachedResponse;
      readonly source: "asked" | "joined" | "kept" | "stale";
      readonly ageMs: number;
      readonly lease: Lease;
      readonly attempts: readonly Attempt[];
    }
  | {
      readonly kind: "down";
      readonly maybeSent: boolean;
      readonly retryAfterSeconds: number;
      readonly lease: Lease;
      readonly attempts: readonly Attempt[];
    };

export interface ShieldPorts extends UpstreamPorts {
  /** How long upstreams that are all behind may take to catch up. */
  readonly lagPatienceMs: number;
  readonly head: Head;
  readonly pool: UpstreamPool;
  readonly memory: ResponseLru;
  readonly staleIfErrorSeconds: number;
  /** Values that outlive the object's memory; bounded. */
  readonly recall: (key: string) => CachedResponse | undefined;
  readonly keep: (key: string, value: CachedResponse) => void;
}

type Landed =
  | { readonly kind: "value"; readonly value: CachedResponse; readonly attempts: readonly Attempt[] }
  | Extract<FailoverResult, { kind: "down" }>;

/** Beyond this many long polls at once a wait is answered like a plain look-up, as the node does. */
const MAX_WAITS = 100;
const LAG_PAUSE_MS = 100;
/** A joined answer may be older than what its joiner has seen; it then asks anew, so often at most. */
const MAX_ROUNDS = 4;

/**
 * Coalesces equal reads into one upstream call and keeps their answers. Lives in one object: only there may one
 * request wait on another's promise, and the reset of a leader's client hurts nobody.
 */
export class ShieldCore {
  readonly #ports: ShieldPorts;
  readonly #flights = new Map<string, Promise<Landed>>();
  #lease: Lease | null = null;
  #leaseUntilMs = 0;
  #waits = 0;

  constructor(ports: ShieldPorts) {
    this.#ports = ports;
  }

  async answer(question: ShieldRequest): Promise<ShieldResult> {
    const { target } = question;
    if (target.mode === "submit" || target.mode === "compute") return this.#alone(question);
    if (target.mode === "wait" && this.#waits >= MAX_WAITS)
      return this.answer({ ...question, target: asLookUp(target) });
    const key = cacheKeyOf(target);
    const kept = this.#ports.memory.get(key);
    if (kept !== undefined && kept.retention !== "until-tip" && isFresh(kept, 0n, this.#ports.now()))
      return this.#told(kept, "kept", await this.#leased(), []);
    if (kept !== undefined && kept.retention === "until-tip") {
      const lease = await this.#leased();
      if (lease.confirmed && isFresh(kept, floorOf(lease, question.shown), this.#ports.now()))
        return this.#told(kept, "kept", lease, []);
    }
    return this.#shared(question);
  }

  /** Asks, or joins who already asks. */
  async #shared(question: ShieldRequest): Promise<ShieldResult> {
    const { target, shown } = question;
    for (let round = 1; ; round += 1) {
      const leased = this.#leased();
      const flying = this.#flights.get(target.key);
      const landed = await (flying ?? this.#fly(target, leased, shown));
      const lease = await this.#leased();
      if (landed.kind === "down") return this.#lastGood(target, landed, lease);
      const floor = floorOf(await leased, shown);
      const { value } = landed;
      const newEnough = value.retention === "immutable" || value.ledger === null || value.ledger.version >= floor;
      const source = flying === undefined ? "asked" : "joined";
      if (newEnough || round === MAX_ROUNDS)
        return this.#told(value, source, lease, flying === undefined ? landed.attempts : []);
    }
  }

  #fly(target: NodeRequest, leased: Promise<Lease>, shown: bigint): Promise<Landed> {
    if (target.mode === "wait") this.#waits += 1;
    const flight = this.#land(target, leased, shown).finally(() => {
      this.#flights.delete(target.key);
      if (target.mode === "wait") this.#waits -= 1;
    });
    this.#flights.set(target.key, flight);
    return flight;
  }

  async #land(target: NodeRequest, leased: Promise<Lease>, shown: bigint): Promise<Landed> {
    const result = await this.#call(target, async () => floorOf(await leased, shown));
    if (result.kind === "down") return result;
    const { response, classification, attempts } = result;
    const endpoint =
      target.endpoint === "wait_by_hash" && classification.answer === "committed"
        ? "transaction_by_hash"
        : target.endpoint;
    const { retention, seconds } = cacheRuleFor(endpoint, classification.answer);
    const etag = retention === "no-store" ? "" : `"${(await sha256(response.body)).slice(0, 32)}"`;
    const value: CachedResponse = { ...response, retention, seconds, etag, storedAtMs: this.#ports.now() };
    await this.#publish(response.ledger, classification.revealsVersion);
    if (retention !== "no-store") this.#store(cacheKeyOf(target), value);
    return { kind: "value", value, attempts };
  }

  /** Upstreams that are all behind may have some time to catch up. */
  async #call(target: NodeRequest, floor: Floor): Promise<FailoverResult> {
    const { pool, now, sleep, lagPatienceMs } = this.#ports;
    const startedAtMs = now();
    for (const attempts: Attempt[] = []; ; ) {
      const result = await callUpstreams(target, pool, this.#ports, floor);
      attempts.push(...result.attempts);
      if (result.kind === "response" || !result.lagging || now() - startedAtMs >= lagPatienceMs)
        return { ...result, attempts };
      await sleep(LAG_PAUSE_MS);
    }
  }

  async #alone({ target, shown }: ShieldRequest): Promise<ShieldResult> {
    const landed = await this.#land(target, this.#leased(), shown);
    const lease = await this.#leased();
    return landed.kind === "down" ? { ...landed, lease } : this.#told(landed.value, "asked", lease, landed.attempts);
  }

  /** Nothing newer than the published tip is given away before it is published. */
  async #publish(ledger: Ledger | null, shows: bigint | null): Promise<void> {
    const known = this.#lease?.ledger?.version ?? -1n;
    if (ledger === null || ledger.version <= known) return;
    const advancing = this.#renew((head) => head.advance(ledger));
    if (shows !== null && shows > known) await advancing;
  }

  #store(key: string, value: CachedResponse): void {
    this.#ports.memory.put(key, value);
    if (value.retention !== "immutable") this.#ports.keep(key, value);
  }

  /** Every upstream failed: the last good answer inside its bound, else the bad news. */
  #lastGood(target: NodeRequest, landed: Extract<FailoverResult, { kind: "down" }>, lease: Lease): ShieldResult {
    const key = cacheKeyOf(target);
    const value = this.#ports.memory.get(key) ?? this.#ports.recall(key);
    const age = value === undefined ? Number.POSITIVE_INFINITY : this.#ageOf(value, lease);
    if (value === undefined || !canServeStale(value) || age > this.#ports.staleIfErrorSeconds * 1_000)
      return { ...landed, lease };
    return { kind: "value", value, source: "stale", ageMs: age, lease, attempts: landed.attempts };
  }

  #told(
    value: CachedResponse,
    source: "asked" | "joined" | "kept",
    lease: Lease,
    attempts: readonly Attempt[],
  ): ShieldResult {
    return { kind: "value", value, source, ageMs: this.#ageOf(value, lease), lease, attempts };
  }

  #ageOf(value: CachedResponse, lease: Lease): number {
    return ageMs(value, lease.ledger?.version ?? null, lease.unconfirmedMs, this.#ports.now());
  }

  /** The region's tip, under a lease of ours: asked for anew only when that has run out. */
  async #leased(): Promise<Lease> {
    const nowMs = this.#ports.now();
    if (this.#lease !== null && nowMs < this.#leaseUntilMs)
      return { ...this.#lease, milliseconds: this.#leaseUntilMs - nowMs };
    return this.#renew((head) => head.lease());
  }

  async #renew(how: (head: Head) => Promise<Lease>): Promise<Lease> {
    const askedAtMs = this.#ports.now();
    const lease = await how(this.#ports.head);
    const held = this.#lease;
    const older = held !== null && (lease.ledger?.version ?? -1n) < (held.ledger?.version ?? -1n);
    if (!older || (lease.confirmed && lease.milliseconds > 0)) {
      this.#lease = lease;
      this.#leaseUntilMs = askedAtMs + lease.milliseconds;
    }
    return { ...lease, milliseconds: Math.max(0, askedAtMs + lease.milliseconds - this.#ports.now()) };
  }
}

function floorOf(lease: Lease, shown: bigint): bigint {
  const version = lease.ledger?.version ?? 0n;
  return version > shown ? version : shown;
}

function asLookUp(target: NodeRequest): NodeRequest {
  return {
    ...target,
    endpoint: "transaction_by_hash",
    mode: "read",
    path: target.path.replace("/wait_by_hash/", "/by_hash/"),
    key: cacheKeyOf(target),
  };
}
