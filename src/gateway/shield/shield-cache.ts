import type { LedgerPoint } from "../../chain/ledger-point.ts";
import {
  ageMs,
  cacheKeyOf,
  canServeStale,
  isAtTip,
  isFresh,
  isNotBelow,
  isStorable,
  isTimeless,
} from "../cache/freshness.ts";
import type { ResponseMemory } from "../cache/lru.ts";
import type { CachedResponse, NodeRequest } from "../node-types.ts";
import type { TipWatch } from "./tip-watch.ts";

export interface ShieldCachePorts {
  readonly now: () => number;
  readonly watch: TipWatch;
  readonly memory: ResponseMemory;
  readonly staleIfErrorSeconds: number;
  /** Responses that outlive the object's memory; bounded. */
  readonly recall: (key: string) => CachedResponse | undefined;
  readonly keep: (key: string, value: CachedResponse) => void;
}

/** A chain that moved this recently has probably moved again: a tip check would only cost time. */
const MOVING_MS = 5_000;

/** The responses of one object. Nothing of another epoch is ever served. */
export class ShieldCache {
  readonly #ports: ShieldCachePorts;

  constructor(ports: ShieldCachePorts) {
    this.#ports = ports;
  }

  /** A response that may be served as current. On a quiet chain, one check of the tip serves all keys. */
  async current(request: NodeRequest, floor: LedgerPoint | null): Promise<CachedResponse | undefined> {
    const { now, watch } = this.#ports;
    const value = this.#stored(request);
    if (value === undefined || isTimeless(value, request)) return this.#ifFresh(value);
    if (!isNotBelow(value, request, floor)) return undefined;
    const isResting = isAtTip(value, watch.tip) && now() - watch.changedAtMs > MOVING_MS;
    if (isResting && this.#ifFresh(value) === undefined) await watch.confirm();
    return this.#ifFresh(value);
  }

  /** The last good response, if it is young enough and not below the floor. */
  lastGood(request: NodeRequest, floor: LedgerPoint | null): CachedResponse | undefined {
    const { now, recall, staleIfErrorSeconds, watch } = this.#ports;
    const value = this.#stored(request) ?? recall(cacheKeyOf(request));
    if (value === undefined || value.epoch !== watch.epoch || !canServeStale(value)) return undefined;
    if (ageMs(value, watch.tip, now()) > staleIfErrorSeconds * 1_000) return undefined;
    return isNotBelow(value, request, floor) ? value : undefined;
  }

  /**
   * Stores a new response. Returns a final one that was stored meanwhile instead, which an older pending one must not
   * replace. Persisted only from the second time on: keys read once would evict those in regular use.
   */
  store(request: NodeRequest, value: CachedResponse): CachedResponse {
    const { memory, keep, watch } = this.#ports;
    const isFinal = value.retention === "immutable";
    const final = isFinal ? undefined : this.#ifFresh(this.#stored(request));
    if (final?.retention === "immutable") return final;
    if (!isStorable(value) || value.epoch !== watch.epoch) return value;
    const key = cacheKeyOf(request);
    const isReadAgain = memory.get(key) !== undefined;
    memory.set(key, value);
    if (!isFinal && isReadAgain) keep(key, value);
    return value;
  }

  /** Until the tip of a new epoch is known, the epoch alone separates the chains. */
  #stored(request: NodeRequest): CachedResponse | undefined {
    const value = this.#ports.memory.get(cacheKeyOf(request));
    return value?.epoch === this.#ports.watch.epoch ? value : undefined;
  }

  #ifFresh(value: CachedResponse | undefined): CachedResponse | undefined {
    const { now, watch } = this.#ports;
    return value !== undefined && isFresh(value, watch.tip, now()) ? value : undefined;
  }
}
