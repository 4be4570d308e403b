import type { Policy } from "../config.ts";
import type { Region } from "../placement/location-hint.ts";
import { callWithDeadline, HEALTH_SHARD, type HealthCalls, type LimiterPorts } from "./shard-link.ts";

const MEASURE_EVERY_MS = 1_000;

/** What health reports of the limiter. */
export interface LimiterState {
  /** `exact`: the limiter's objects respond; `local`: this isolate counts alone because they do not. */
  readonly limiter: "exact" | "local";
  /** Names of the objects whose tables are full. */
  readonly fullShards: readonly string[];
}

interface ProbePorts extends Pick<LimiterPorts, "later" | "now"> {
  readonly shardStub: (name: string, region: Region) => () => HealthCalls;
}

/**
 * Whether the counting objects answer within their deadline, and which are full, measured at most once a second, for any number of callers:
 * while one request measures, others are given the measurement before. Counts nothing, never rejects. `shardStub` calls
 * the object directly, because the flood guard would answer without a call. `policy` is that of the object's callers:
 * with a longer window it would keep their admissions longer.
 */
export function limiterProbe(
  { shardStub, later, now }: ProbePorts,
  { quota, windowSeconds }: Policy,
): () => Promise<LimiterState> {
  let latest: LimiterState | null = null;
  let measuredAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = now();
    const sinceMs = nowMs - measuredAtMs;
    if (latest !== null && sinceMs >= 0 && sinceMs < MEASURE_EVERY_MS) return latest;
    measuredAtMs = nowMs;
    const stub = shardStub(HEALTH_SHARD, "world");
    const [peeked, full] = await Promise.all([
      callWithDeadline(later, () => stub().peek("health", quota, windowSeconds)),
      // After a deployment an object may be one of the version before, without this call.
      callWithDeadline(later, () => stub().fullShards()),
    ]);
    latest = {
      limiter: typeof peeked === "string" ? "local" : "exact",
      fullShards: typeof full === "string" ? [] : full.value,
    };
    return latest;
  };
}
