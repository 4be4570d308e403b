import { type Config, LOCATION_HINTS, type Revision } from "../config.ts";
import type { Region } from "../placement/location-hint.ts";
import { isWithin } from "../utc.ts";
import { callWithDeadline, type HealthCalls, type LimiterPorts, probedShard } from "./shard-link.ts";

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
  readonly fullShards: readonly string[];
}

interface ProbePorts extends Pick<LimiterPorts, "later" | "now"> {
  readonly shardStub: (name: string, region: Region) => () => HealthCalls;
  /** Names of the objects whose tables are full. Never rejects. */
  readonly fullLimiters: () => Promise<readonly string[]>;
}

/**
 * Whether the objects that count the callers of each region answer within their deadline, what they run, and which are
 * full. Measured at most every ten seconds, for any number of callers: while one request measures, others are given the
 * measurement before; before the first, no objects. Counts nothing, never rejects. `shardStub` calls the objects directly, because the flood guard
 * would answer without a call.
 */
export function limiterProbe(ports: ProbePorts, config: Config): () => Promise<LimiterState> {
  const { environment, objectGeneration, policies } = config;
  // A local runtime has no geography: all its callers are in one region.
  const regions: readonly Region[] = environment === "local" ? ["world"] : ["world", ...LOCATION_HINTS];
  const { quota, windowSeconds } = policies.default;
  const call = <T>(region: Region, method: (object: HealthCalls) => Promise<T>) => {
    const stub = ports.shardStub(probedShard(objectGeneration, region), region);
    return callWithDeadline(ports.later, () => method(stub()));
  };
  const stateOf = async (region: Region): Promise<RegionState> => {
    const found = await call(region, (object) => object.revision());
    if (typeof found !== "string") return { region, responds: true, revision: found.value };
    // Once more: a cold object far away may be slow, and one of the version before may not have that call. The policy is
    // that of the object's callers: with a longer window it would keep their admissions longer.
    const peeked = await call(region, (object) => object.peek("health", quota, windowSeconds, ports.now()));
    return { region, responds: typeof peeked !== "string", revision: null };
  };
  let latest: LimiterState = { limiterObjects: [], fullShards: [] };
  let measuredAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = ports.now();
    if (isWithin(measuredAtMs, MEASURE_EVERY_MS, nowMs)) return latest;
    measuredAtMs = nowMs;
    const [limiterObjects, fullShards] = await Promise.all([Promise.all(regions.map(stateOf)), ports.fullLimiters()]);
    latest = { limiterObjects, fullShards };
    return latest;
  };
}
