import type { LedgerMark, LedgerPoint } from "../chain/ledger-point.ts";
import type { Log } from "../log.ts";
import type { Region } from "../placement/location-hint.ts";
import type { PackedDecision } from "./packed-decision.ts";

/** Admitted, but the candidate may not be the answer. */
export interface AdmittedBelow {
  readonly decision: PackedDecision;
  readonly floor: LedgerMark;
}

/** What an object answers. See {@link LimiterShard}. */
export interface ShardCalls {
  take(key: string, quota: number, windowSeconds: number): Promise<PackedDecision>;
  peek(key: string, quota: number, windowSeconds: number): Promise<PackedDecision>;
  admit(
    key: string,
    quota: number,
    windowSeconds: number,
    candidate: LedgerMark | null,
    timeless: boolean,
  ): Promise<PackedDecision | AdmittedBelow>;
  note(key: string, mark: LedgerMark): Promise<LedgerPoint>;
}

export interface LimiterPorts {
  /** How to reach the object of that name; what comes back is called once for each request, which needs its own stub. */
  readonly shardStub: (name: string, region: Region) => () => ShardCalls;
  /** Objects per region and policy. */
  readonly shards: number;
  /** A secret: which callers share an object. */
  readonly salt: string;
  readonly now: () => number;
  /** Runs something after that many milliseconds, unless the request is over by then. */
  readonly later: (run: () => void, delayMs: number) => void;
  readonly log: Log;
}

/** A first use of an object takes hundreds of milliseconds; a caller should not wait much longer than that. */
export const DEADLINE_MS = 1_000;
/** After so many failures in a row an object is called once a second, so that its callers do not all wait. */
const FAILURES_BEFORE_REST = 3;
const REST_MS = 1_000;
/** Failures closer together than this are one outage, and one log line. */
export const OUTAGE_GAP_MS = 60_000;
/** The version in a name is raised when objects are to begin afresh, elsewhere or with another storage. */
export function shardName(policy: string, region: Region, shard: number): string {
  return `v1:${policy}:${region}:${shard}`;
}

/** One object as an isolate sees it: how to call it, and whether that has worked lately. Holds values only. */
export class ShardLink {
  readonly name: string;
  readonly region: Region;
  readonly #ports: LimiterPorts;
  readonly #now: () => number;
  readonly #stub: () => ShardCalls;
  #failures = 0;
  #restUntilMs = 0;
  #outageUntilMs = 0;

  /** `now` never goes back. */
  constructor(ports: LimiterPorts, now: () => number, name: string, region: Region) {
    this.name = name;
    this.region = region;
    this.#ports = ports;
    this.#now = now;
    this.#stub = ports.shardStub(name, region);
  }

  /** Whether the latest call brought a result. */
  get isAnswering(): boolean {
    return this.#failures === 0;
  }

  /** Whether to decide without a call. When the rest is over, the one request that finds out calls for all. */
  isResting(nowMs: number): boolean {
    if (this.#failures < FAILURES_BEFORE_REST) return false;
    if (nowMs < this.#restUntilMs) return true;
    this.#restUntilMs = nowMs + REST_MS;
    return false;
  }

  /** The object's result; null when it failed or was too slow. The timer is left to run out: clearing it costs more. */
  async call<T>(call: (stub: ShardCalls) => Promise<T>): Promise<T | null> {
    const result = await new Promise<{ readonly value: T } | string>((resolve) => {
      this.#ports.later(() => resolve("deadline"), DEADLINE_MS);
      const fail = (cause: unknown) => resolve(String(cause));
      try {
        call(this.#stub()).then((value) => resolve({ value }), fail);
      } catch (cause) {
        fail(cause);
      }
    });
    if (typeof result === "string") {
      this.#failed(result, this.#now());
      return null;
    }
    this.#failures = 0;
    return result.value;
  }

  #failed(cause: string, nowMs: number): void {
    this.#failures++;
    if (nowMs >= this.#outageUntilMs) this.#ports.log("limiter_unreachable", { shard: this.name, cause });
    this.#outageUntilMs = nowMs + OUTAGE_GAP_MS;
  }
}
