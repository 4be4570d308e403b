import { fnv1a } from "../base/hash/fnv1a.ts";
import type { Log } from "../base/log.ts";
import { isWithin } from "../base/utc.ts";
import { type Config, LOCATION_HINTS, type Revision } from "../config.ts";
import type { Region } from "../placement/location-hint.ts";
import { isReset } from "../placement/objects.ts";
import { sharedNetworkOf } from "./caller.ts";
import type { LimiterShard } from "./limiter-object.ts";
import { type PackedDecision, packRefused } from "./sliding-window-log.ts";

/** Calls of a limiter object, with plain results instead of RPC types. */
type CallsOf<Names extends "take" | "peek" | "recordSeen" | "revision"> = {
  readonly [Name in Names]: (
    ...args: Parameters<LimiterShard[Name]>
  ) => Promise<Awaited<ReturnType<LimiterShard[Name]>>>;
};

/** Calls on behalf of callers. */
export type ShardCalls = CallsOf<"take" | "peek" | "recordSeen">;

/** Calls for the health report. */
export type ShardHealthCalls = CallsOf<"revision">;

export interface LimiterPorts {
  /**
   * Resolves an object by name. The returned function is called for each request, because each request needs its own
   * stub.
   */
  readonly shardStub: (name: string, region: Region) => () => ShardCalls;
  /** Number of objects for each region and policy. */
  readonly shards: number;
  /** Generation in the objects' names; see {@link shardName}. */
  readonly generation: number;
  /**
   * Secret part of the hash that assigns callers to objects, so that outsiders cannot compute which callers share an
   * object.
   */
  readonly salt: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls `run` after a delay, unless the request has ended by then. */
  readonly later: (run: () => void, delayMs: number) => void;
  readonly log: Log;
}

/**
 * Time after which a call counts as failed. The first call to an object takes hundreds of milliseconds; a caller should
 * not wait much longer.
 */
export const DEADLINE_MS = 1_000;
/** Failures in a row after which an object is called only once a second, so that not every caller waits for it. */
const FAILURES_BEFORE_REST = 3;
const REST_MS = 1_000;
/** Failures closer together than this are one outage, and give one log line. */
export const OUTAGE_GAP_MS = 60_000;
/** Failure reason when the object was replaced during the call, for example by a deployment. */
const RESET = "the object was reset";

/**
 * Name of a limiter object. A new generation (`OBJECT_GENERATION`) names new objects, which start empty and are placed
 * anew.
 */
export function shardName(generation: number, policy: string, region: Region, shard: number): string {
  return `v${generation}:${policy}:${region}:${shard}`;
}

/**
 * Index of the object that stores a caller's log: a hash of salt and key, with the high bits folded into the low ones.
 * Without the salt, an attacker could pick addresses that share one object.
 */
export function shardOf(key: string, shards: number, salt: string): number {
  const hash = fnv1a(salt + key);
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 8) % shards;
}

/**
 * Returns a call's result, or the reason why it failed or was too slow. The timer is not cleared, because letting it
 * expire costs less.
 */
function callWithDeadline<T>(
  later: LimiterPorts["later"],
  call: () => Promise<T>,
): Promise<{ readonly value: T } | string> {
  return new Promise((resolve) => {
    later(() => resolve("deadline"), DEADLINE_MS);
    call().then(
      (value) => resolve({ value }),
      (cause) => resolve(isReset(cause) ? RESET : String(cause)),
    );
  });
}

/** A limiter object as seen by an isolate: how to call it, and whether recent calls succeeded. Contains values only. */
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

  /** Whether the object has failed so often that only one request a second calls it. */
  get isAway(): boolean {
    return this.#failures >= FAILURES_BEFORE_REST;
  }

  /**
   * Calls the object, or its successor if it was just replaced. null: the call failed, was too slow, or was not made
   * because the object rests.
   */
  async call<T>(call: (stub: ShardCalls) => Promise<T>): Promise<T | null> {
    if (this.#isResting()) return null;
    const once = () => callWithDeadline(this.#ports.later, async () => call(this.#stub()));
    const first = await once();
    // If the first call has counted the request, it is counted twice; it never stays uncounted.
    const result = first === RESET ? await once() : first;
    if (typeof result === "string") this.#recordFailure(result);
    else this.#failures = 0;
    return typeof result === "string" ? null : result.value;
  }

  /** Whether the object is not called now. After each pause one request probes it. */
  #isResting(): boolean {
    if (!this.isAway) return false;
    const nowMs = this.#ports.now();
    if (nowMs < this.#restUntilMs) return true;
    this.#restUntilMs = nowMs + REST_MS;
    return false;
  }

  #recordFailure(cause: string): void {
    const nowMs = this.#ports.now();
    this.#failures++;
    if (nowMs >= this.#outageUntilMs) this.#ports.log("limiter_unreachable", { shard: this.name, cause });
    this.#outageUntilMs = nowMs + OUTAGE_GAP_MS;
  }
}

/** The platform's rate limiting binding, which counts approximately, for each location, without a network hop. */
export interface CoarseLimit {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** Coarse limits that are bound, each far above every quota; null: not bound. */
export interface FloodLimits {
  /** Limit for each caller: ten times the larger quota. */
  readonly caller: CoarseLimit | null;
  /** Limit for each IPv6 /48: ten times the limit for a caller, because many legitimate callers share one. */
  readonly network: CoarseLimit | null;
}

/** Period of the bindings, after which a flood is checked again. */
const RETRY_MS = 10_000;

/**
 * Refuses floods before they reach a limiter object, whose other callers would otherwise suffer. A call below the
 * coarse limits passes, and so does a call for which the check fails.
 */
export function guardedShardStub(
  stubOf: LimiterPorts["shardStub"],
  { caller, network }: FloodLimits,
): LimiterPorts["shardStub"] {
  if (caller === null && network === null) return stubOf;
  const isFlood = async (key: string): Promise<boolean> => {
    const shared = sharedNetworkOf(key);
    const checks = [isExceeded(caller, key), shared !== null && isExceeded(network, shared)];
    return (await Promise.all(checks)).includes(true);
  };
  return (name, region) => {
    const stub = stubOf(name, region);
    return () => guardedCalls(stub, isFlood);
  };
}

function guardedCalls(stub: () => ShardCalls, isFlood: (key: string) => Promise<boolean>): ShardCalls {
  const refused: PackedDecision = packRefused(RETRY_MS);
  return {
    take: async (key, ...rest) => ((await isFlood(key)) ? refused : stub().take(key, ...rest)),
    // A peek counts against no quota, so preflights have a coarse limit of their own.
    peek: async (key, ...rest) => ((await isFlood(`peek ${key}`)) ? refused : stub().peek(key, ...rest)),
    // `recordSeen` needs no check, because it only follows an admitted request.
    recordSeen: (...all) => stub().recordSeen(...all),
  };
}

async function isExceeded(coarse: CoarseLimit | null, key: string): Promise<boolean> {
  try {
    return coarse !== null && !(await coarse.limit({ key })).success;
  } catch {
    return false;
  }
}

const MEASURE_EVERY_MS = 10_000;

/** State of a region's object, as health reports it. */
export interface RegionHealth {
  readonly region: Region;
  readonly responds: boolean;
  /** Revision that the object runs; null: not known. */
  readonly revision: Revision | null;
}

/** State of the limiter, as health reports it. */
export interface LimiterHealth {
  readonly limiterObjects: readonly RegionHealth[];
  /** Names of the objects whose tables are full. */
  readonly fullLimiters: readonly string[];
}

interface ProbePorts extends Pick<LimiterPorts, "later" | "now"> {
  readonly shardStub: (name: string, region: Region) => () => ShardHealthCalls;
  /** Names of the objects whose tables are full. Never rejects. */
  readonly fullLimiters: () => Promise<readonly string[]>;
}

/**
 * Measures for health whether each region's object answers within its deadline, what it runs, and which objects are
 * full. Measures at most every ten seconds: meanwhile, and while a measurement runs, callers get the previous one;
 * before the first, no objects. Counts nothing and never rejects. `shardStub` must call the objects directly, because
 * the flood guard would answer without a call.
 */
export function limiterProbe(ports: ProbePorts, config: Config): () => Promise<LimiterHealth> {
  const { environment, objectGeneration } = config;
  // A local runtime has no geography, so all its callers are in one region.
  const regions: readonly Region[] = environment === "local" ? ["world"] : ["world", ...LOCATION_HINTS];
  const stateOf = async (region: Region): Promise<RegionHealth> => {
    // The first shard of the policy of `/api` stands for its region.
    const stub = ports.shardStub(shardName(objectGeneration, "default", region, 0), region);
    const callOnce = () => callWithDeadline(ports.later, async () => stub().revision());
    let result = await callOnce();
    // Try a second time, because a cold object far away may be slow.
    if (typeof result === "string") result = await callOnce();
    const responds = typeof result !== "string";
    return { region, responds, revision: typeof result === "string" ? null : result.value };
  };
  let latest: LimiterHealth = { limiterObjects: [], fullLimiters: [] };
  let measuredAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = ports.now();
    if (isWithin(measuredAtMs, MEASURE_EVERY_MS, nowMs)) return latest;
    measuredAtMs = nowMs;
    const [limiterObjects, fullLimiters] = await Promise.all([Promise.all(regions.map(stateOf)), ports.fullLimiters()]);
    latest = { limiterObjects, fullLimiters };
    return latest;
  };
}
