import type { Policy } from "../config.ts";
import { callWithDeadline, type LimiterPorts, shardName } from "./shard-link.ts";

const MEASURE_EVERY_MS = 1_000;

/**
 * Whether the counting objects answer within their deadline, measured at most once a second, for any number of callers:
 * while one request measures, others are given the measurement before. Counts nothing, never rejects. `shardStub` calls
 * the object directly, because the flood guard would answer without a call. `policy` is that of the object's callers:
 * with a longer window it would keep their admissions longer.
 */
export function limiterProbe(
  { shardStub, later, now }: Pick<LimiterPorts, "shardStub" | "later" | "now">,
  { name, quota, windowSeconds }: Policy,
): () => Promise<boolean> {
  let latest: boolean | null = null;
  let measuredAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = now();
    const sinceMs = nowMs - measuredAtMs;
    if (latest !== null && sinceMs >= 0 && sinceMs < MEASURE_EVERY_MS) return latest;
    measuredAtMs = nowMs;
    const stub = shardStub(shardName(name, "world", 0), "world");
    const result = await callWithDeadline(later, () => stub().peek("health", quota, windowSeconds));
    latest = typeof result !== "string";
    return latest;
  };
}
