import { fnv1a } from "../base/hash/fnv1a.ts";
import type { Log } from "../base/log.ts";
import { isWithin } from "../base/utc.ts";
import { type Config, LOCATION_HINTS, type Revision } from "../config.ts";
import type { Region } from "../placement/location-hint.ts";
import { isReset } from "../placement/objects.ts";
import { sharedKeyOf } from "./caller.ts";
import type { LimiterShard } from "./limiter-object.ts";
import { type PackedDecision, packRefused } from "./sliding-window-log.ts";

/** Calls of a limiter object, with plain results instead of RPC types. */
type CallsOf<Names extends "take" | "peek" | "note" | "revision"> = {
  readonly [Name in Names]: (
    ...args: Parameters<LimiterShard[Name]>
  ) => Promise<Awaited<ReturnType<LimiterShard[Name]>>>;
};

/** Those for callers. */
export type ShardCalls = CallsOf<"take" | "peek" | "note">;

/** Those for the health report. */
export type HealthCalls = CallsOf<"revision">;

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

/**
 * The index of the object that stores a caller's log: a hash of salt and key, with the high bits folded into the low
 * ones. Without the salt, an attacker cannot pick addresses that share one object.
 */
export function shardOf(key: string, shards: number, salt: string): number {
  const hash = fnv1a(salt + key);
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 8) % shards;
}

/**
 * A call's result, or the reason why it failed or was too slow. The timer is not cleared: that would cost more than
 * letting it expire.
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
    const once = () => callWithDeadline(this.#ports.later, async () => call(this.#stub()));
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

/** The platform's rate limiting binding: approximate counts per location, without a network hop. */
export interface CoarseLimit {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** The bound limits, each far above every quota; null when not bound. */
export interface FloodLimits {
  /** Per caller, ten times the larger quota. */
  readonly caller: CoarseLimit | null;
  /** Per IPv6 /48, ten times that: many legitimate callers share one. */
  readonly network: CoarseLimit | null;
}

/** The period of the bindings, after which a flood is checked again. */
const RETRY_MS = 10_000;

/**
 * Refuses floods before they reach a limiter object, whose other callers would otherwise suffer. Below the coarse
 * limits every call passes through; if a limit fails, the call passes.
 */
export function guardedShardStub(
  stubOf: LimiterPorts["shardStub"],
  { caller, network }: FloodLimits,
): LimiterPorts["shardStub"] {
  if (caller === null && network === null) return stubOf;
  const isFlood = async (key: string): Promise<boolean> => {
    const shared = sharedKeyOf(key);
    const checks = [exceeds(caller, key), shared !== null && exceeds(network, shared)];
    return (await Promise.all(checks)).includes(true);
  };
  return (name, region) => {
    const stub = stubOf(name, region);
    return () => guarded(stub, isFlood);
  };
}

function guarded(stub: () => ShardCalls, isFlood: (key: string) => Promise<boolean>): ShardCalls {
  const refused: PackedDecision = packRefused(RETRY_MS);
  return {
    take: async (key, ...rest) => ((await isFlood(key)) ? refused : stub().take(key, ...rest)),
    // A peek counts against no quota, so preflights have their own coarse limit.
    peek: async (key, ...rest) => ((await isFlood(`peek ${key}`)) ? refused : stub().peek(key, ...rest)),
    // Only follows an admitted request.
    note: (...all) => stub().note(...all),
  };
}

async function exceeds(coarse: CoarseLimit | null, key: string): Promise<boolean> {
  try {
    return coarse !== null && !(await coarse.limit({ key })).success;
  } catch {
    return false;
  }
}

const MEASURE_EVERY_MS = 10_000;

/** A region's object as health reports it. */
export interface RegionState {
  readonly region: Region;
  readonly responds: boolean;
  /** What the object runs; null: unknown. */
  readonly revision: Revision | null;
}

/** What health reports of the limiter. */
export interface LimiterState {
  readonly limiterObjects: readonly RegionState[];
  /** Names of the objects whose tables are full. */
  readonly fullLimiters: readonly string[];
}

interface ProbePorts extends Pick<LimiterPorts, "later" | "now"> {
  readonly shardStub: (name: string, region: Region) => () => HealthCalls;
  /** Names of the objects whose tables are full. Never rejects. */
  readonly fullLimiters: () => Promise<readonly string[]>;
}

/**
 * Whether the objects that count the callers of each region answer within their deadline, what they run, and which are
 * full. Measured at most every ten seconds, for any number of callers: while one request measures, others are given the
 * measurement before; before the first, no objects. Counts nothing, never rejects. `shardStub` calls the objects
 * directly, because the flood guard would answer without a call.
 */
export function limiterProbe(ports: ProbePorts, config: Config): () => Promise<LimiterState> {
  const { environment, objectGeneration } = config;
  // A local runtime has no geography: all its callers are in one region.
  const regions: readonly Region[] = environment === "local" ? ["world"] : ["world", ...LOCATION_HINTS];
  const stateOf = async (region: Region): Promise<RegionState> => {
    // Callers of `/api` are counted there.
    const stub = ports.shardStub(shardName(objectGeneration, "default", region, 0), region);
    const ask = () => callWithDeadline(ports.later, async () => stub().revision());
    let found = await ask();
    // Once more: a cold object far away may be slow.
    if (typeof found === "string") found = await ask();
    const responds = typeof found !== "string";
    return { region, responds, revision: typeof found === "string" ? null : found.value };
  };
  let latest: LimiterState = { limiterObjects: [], fullLimiters: [] };
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
