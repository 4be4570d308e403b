import type { Policy } from "../config.ts";
import { callWithDeadline, type LimiterPorts, shardName } from "./shard-link.ts";

const MEASURE_EVERY_MS = 1_000;

/**
 * Whether the counting objects answer within their deadline, measured at most once a second, for any number of callers.
 * Counts nothing. `shardStub` calls the object directly, because the flood guard would answer without a call.
 */
export class LimiterProbe {
  readonly #ports: Pick<LimiterPorts, "shardStub" | "later" | "now">;
  readonly #policy: Policy;
  #latest: boolean | null = null;
  #measuredAtMs = Number.NEGATIVE_INFINITY;

  /** `policy` is that of the object's callers: with a longer window it would keep their admissions longer. */
  constructor(ports: Pick<LimiterPorts, "shardStub" | "later" | "now">, policy: Policy) {
    this.#ports = ports;
    this.#policy = policy;
  }

  /** Never rejects. While one request measures, others are given the measurement before. */
  async isReachable(): Promise<boolean> {
    const nowMs = this.#ports.now();
    const sinceMs = nowMs - this.#measuredAtMs;
    if (this.#latest !== null && sinceMs >= 0 && sinceMs < MEASURE_EVERY_MS) return this.#latest;
    this.#measuredAtMs = nowMs;
    this.#latest = await this.#measure();
    return this.#latest;
  }

  async #measure(): Promise<boolean> {
    const { shardStub, later } = this.#ports;
    const { name, quota, windowSeconds } = this.#policy;
    const stub = shardStub(shardName(name, "world", 0), "world");
    return typeof (await callWithDeadline(later, () => stub().peek("health", quota, windowSeconds))) !== "string";
  }
}
