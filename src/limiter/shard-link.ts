import type { LedgerPoint } from "../chain/ledger-point.ts";
import type { Revision } from "../config.ts";
import type { Log } from "../log.ts";
import type { Region } from "../placement/location-hint.ts";
import { isReset } from "../placement/objects.ts";
import type { PackedDecision } from "./decision.ts";

/** Admitted, but the offered point is below what the caller has seen, or none was offered. */
export interface AdmittedBelow {
  readonly decision: PackedDecision;
  readonly floor: LedgerPoint;
}

/** The calls of a limiter object. See {@link LimiterShard}. */
export interface ShardCalls {
  take(
    key: string,
    quota: number,
    windowSeconds: number,
    nowMs: number,
    offered: LedgerPoint | null,
  ): Promise<PackedDecision | AdmittedBelow>;
  peek(key: string, quota: number, windowSeconds: number, nowMs: number): Promise<PackedDecision>;
  note(key: string, point: LedgerPoint): Promise<LedgerPoint>;
}

/** The calls for the health report. */
export interface HealthCalls extends Pick<ShardCalls, "peek"> {
  revision(): Promise<Revision | null>;
}

export interface LimiterPorts {
  /**
   * Resolves an object by name; the returned function is called per request, because each request needs its own stub.
   */
  readonly shardStub: (name: string, region: Region) => () => ShardCalls;
  /** Objects per region and policy. */
  readonly shards: number;
  /** Of the objects' names. */
  readonly generation: number;
  /** A secret, so that outsiders cannot compute which callers share an object. */
  readonly salt: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls `run` after a delay, unless the request has ended by then. */
  readonly later: (run: () => void, delayMs: number) => void;
  readonly log: Log;
}

/** The first call to an object takes hundreds of milliseconds; a caller should not wait much longer than that. */
export const DEADLINE_MS = 1_000;
/** After this many failures in a row an object is only called once a second, so that not every caller waits. */
const FAILURES_BEFORE_REST = 3;
const REST_MS = 1_000;
/** Failures closer together than this are one outage and one log line. */
export const OUTAGE_GAP_MS = 60_000;
/** Why a call failed whose object was replaced meanwhile, as in a deployment. */
const RESET = "the object was reset";
/** Another generation (`OBJECT_GENERATION`) names other objects, which begin empty and are placed anew. */
export function shardName(generation: number, policy: string, region: Region, shard: number): string {
  return `v${generation}:${policy}:${region}:${shard}`;
}

/** The object of a region that the health report asks: callers of `/api` are counted there. */
export function probedShard(generation: number, region: Region): string {
  return shardName(generation, "default", region, 0);
}

/**
 * A call's result, or the reason why it failed or was too slow. The timer is not cleared: that would cost more than
 * letting it expire.
 */
export function callWithDeadline<T>(
  later: LimiterPorts["later"],
  call: () => Promise<T>,
): Promise<{ readonly value: T } | string> {
  return new Promise((resolve) => {
    later(() => resolve("deadline"), DEADLINE_MS);
    const fail = (cause: unknown) => resolve(isReset(cause) ? RESET : String(cause));
    try {
      call().then((value) => resolve({ value }), fail);
    } catch (cause) {
      fail(cause);
    }
  });
}

/** One object as seen by an isolate: how to call it, and whether recent calls succeeded. Contains values only. */
export class ShardLink {
  readonly name: string;
  readonly region: Region;
  readonly #ports: LimiterPorts;
  readonly #stub: () => ShardCalls;
  #failures = 0;
  #restUntilMs = 0;
  #outageUntilMs = 0;

  constructor(ports: LimiterPorts, name: string, region: Region) {
    this.name = name;
    this.region = region;
    this.#ports = ports;
    this.#stub = ports.shardStub(name, region);
  }

  /** Whether it has failed so often that only one request a second calls it. */
  get isAway(): boolean {
    return this.#failures >= FAILURES_BEFORE_REST;
  }

  /** The object's result, or its successor's; null when it failed, was too slow, or is not to be called now. */
  async call<T>(call: (stub: ShardCalls) => Promise<T>): Promise<T | null> {
    if (this.#isResting()) return null;
    const once = () => callWithDeadline(this.#ports.later, () => call(this.#stub()));
    const first = await once();
    // A request that the first call has counted counts twice, never not at all.
    const result = first === RESET ? await once() : first;
    if (typeof result === "string") this.#failed(result);
    else this.#failures = 0;
    return typeof result === "string" ? null : result.value;
  }

  /** After each pause one request probes the object. */
  #isResting(): boolean {
    if (!this.isAway) return false;
    const nowMs = this.#ports.now();
    if (nowMs < this.#restUntilMs) return true;
    this.#restUntilMs = nowMs + REST_MS;
    return false;
  }

  #failed(cause: string): void {
    const nowMs = this.#ports.now();
    this.#failures++;
    if (nowMs >= this.#outageUntilMs) this.#ports.log("limiter_unreachable", { shard: this.name, cause });
    this.#outageUntilMs = nowMs + OUTAGE_GAP_MS;
  }
}
