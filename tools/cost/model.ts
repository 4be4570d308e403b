import { SHARDS } from "../../src/gateway/shield/routing.ts";
import { type Line, OBJECT_GB, PLAN_DOLLARS, PRICES } from "./prices.ts";

/** A month's traffic and the settings that determine its cost. */
export interface Load {
  readonly requests: number;
  /** Share of `/v1`; the rest is `/api`. */
  readonly nodeShare: number;
  /** Share of `/v1` requests served from the isolate's memory. */
  readonly hitRate: number;
  readonly regions: number;
  /** Limiter objects per region and policy, the setting `LIMITER_SHARDS`. */
  readonly shards: number;
  /** Share of requests recorded as data points; 0 when no dataset is bound. */
  readonly metricsRate: number;
  /** Log lines per request; one per failure class, so few. */
  readonly logRate: number;
}

/**
 * The cost of one request. The first three values are counted by the benchmark and the tests, the others are assumed.
 */
export const PER_REQUEST = {
  limiterCalls: 1,
  /** For a miss, in addition to the limiter's. */
  shieldCalls: 1,
  /** The shield records what a miss at the tip reveals at the caller's limiter object. */
  noteCalls: 1,
  /** A shield object in use requests the chain from the head of its region, at most this often per second. */
  chainCallsPerSecond: 0.1,
  /** Maximum rows an object writes per second: one flush of the journal. */
  rowsPerObjectSecond: 1,
  /** The benchmark measures 0.22 to 0.29 ms of processor time per request (bench/results.md); the rest is margin. */
  cpuMs: 0.5,
  /** A single admission is written at once, without a timer. */
  loneSeconds: 0.01,
  /** An admission soon after another waits for the flush. */
  flushSeconds: 1,
  /** A miss keeps its shield object in memory for the duration of the upstream call. */
  missSeconds: 0.25,
} as const;

export const DEFAULT_LOAD: Load = {
  requests: 100e6,
  nodeShare: 0,
  hitRate: 0.9,
  regions: 4,
  shards: 1,
  metricsRate: 0.01,
  logRate: 0.001,
};

const MONTH_SECONDS = 30.44 * 86_400;
/** Each region has about half the traffic of the previous one, as in measured traffic. */
const NEXT_REGION = 0.55;

export interface Cost {
  readonly total: number;
  readonly perMillion: number;
  readonly lines: Readonly<Record<Line, { readonly amount: number; readonly dollars: number }>>;
}

/** Dollars per month at list price. */
export function costOf(load: Load): Cost {
  const misses = load.requests * load.nodeShare * (1 - load.hitRate);
  const { activeSeconds, chainCalls, rows } = objectUse(load, misses);
  const amounts: Readonly<Record<Line, number>> = {
    workerRequests: load.requests,
    workerCpu: load.requests * PER_REQUEST.cpuMs,
    objectRequests:
      load.requests * PER_REQUEST.limiterCalls +
      misses * (PER_REQUEST.shieldCalls + PER_REQUEST.noteCalls) +
      chainCalls,
    objectDuration: activeSeconds * OBJECT_GB,
    rowsWritten: rows,
    dataPoints: load.requests * load.metricsRate,
    logLines: load.requests * load.logRate,
  };
  const lines = mapLines((line) => ({ amount: amounts[line], dollars: dollarsOf(line, amounts[line]) }));
  const total = PLAN_DOLLARS + Object.values(lines).reduce((sum, { dollars }) => sum + dollars, 0);
  return { total, perMillion: load.requests === 0 ? 0 : (total / load.requests) * 1e6, lines };
}

function mapLines<T>(of: (line: Line) => T): Record<Line, T> {
  const entries = (Object.keys(PRICES) as Line[]).map((line) => [line, of(line)]);
  return Object.fromEntries(entries) as Record<Line, T>;
}

function dollarsOf(line: Line, amount: number): number {
  const { included, perMillion } = PRICES[line];
  return (Math.max(0, amount - included) / 1e6) * perMillion;
}

/** Billed seconds, written rows and calls of objects to one another, from the request rate of one object. */
function objectUse(load: Load, misses: number): { activeSeconds: number; chainCalls: number; rows: number } {
  const { requests, nodeShare, shards } = load;
  let [activeSeconds, chainCalls, rows] = [0, 0, 0];
  for (const weight of regionWeights(load.regions)) {
    for (const share of [1 - nodeShare, nodeShare]) {
      const rate = (requests * share * weight) / MONTH_SECONDS / shards;
      // The probability of another admission within the previous second.
      const close = 1 - Math.exp(-rate);
      const active = rate * (PER_REQUEST.loneSeconds + close * PER_REQUEST.flushSeconds);
      activeSeconds += Math.min(1, active) * MONTH_SECONDS * shards;
      rows += Math.min(rate, PER_REQUEST.rowsPerObjectSecond) * MONTH_SECONDS * shards;
    }
    const missRate = (misses * weight) / MONTH_SECONDS / SHARDS;
    activeSeconds += Math.min(1, missRate * PER_REQUEST.missSeconds) * MONTH_SECONDS * SHARDS;
    chainCalls += Math.min(missRate, PER_REQUEST.chainCallsPerSecond) * MONTH_SECONDS * SHARDS;
  }
  return { activeSeconds, chainCalls, rows };
}

function regionWeights(regions: number): number[] {
  const raw = Array.from({ length: regions }, (_, index) => NEXT_REGION ** index);
  const sum = raw.reduce((total, weight) => total + weight, 0);
  return raw.map((weight) => weight / sum);
}
