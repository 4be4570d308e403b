import { type Line, OBJECT_GB, PLAN_DOLLARS, PRICES } from "./prices.ts";

/** A month's traffic and the settings that determine its cost. */
export interface Load {
  readonly requests: number;
  /** Share of `/v1`; the rest is `/api`. */
  readonly nodeShare: number;
  /** Share of `/api` requests that read a figure of the chain. */
  readonly onChainShare: number;
  /** Share of `/v1` requests served from the isolate's memory; it grows with the traffic of a data centre. */
  readonly hitRate: number;
  readonly regions: number;
  /** Limiter objects per region and policy, the setting `LIMITER_SHARDS`. */
  readonly shards: number;
  /** Shield objects per region. */
  readonly shields: number;
  /** Share of requests recorded as data points; 0 when no dataset is bound. */
  readonly metricsRate: number;
  /** Log lines per request; one per failure class, so few. */
  readonly logRate: number;
  /** Share of requests traced; the configuration traces none. */
  readonly traceRate: number;
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
  /** A shield object that wakes calls the home object once; it sleeps after ten seconds without a call. */
  wakesPerSecond: 0.1,
  /** The benchmark measures 0.22 to 0.29 ms of processor time per request (bench/results.md); the rest is margin. */
  cpuMs: 0.5,
  /** An admission that is written at once, without a timer. */
  loneSeconds: 0.01,
  /** Between the write of an admission and that of those which follow it; so also the least time between two rows. */
  flushSeconds: 1,
  /** A miss keeps its shield object in memory for the duration of the upstream call. */
  missSeconds: 0.25,
  /** A call that wakes a hibernated object takes this much longer, after this long without a call. */
  wakeSeconds: 0.1,
  hibernatesAfterSeconds: 10,
  /** New versions of the ledger per second: each is one row in a limiter object of `/v1` that is shown it. */
  blocksPerSecond: 4,
  /** Data centres of a region, each of which reads a figure of the chain at most this often. */
  dataCentres: 25,
  figureSeconds: 1,
  logKilobytes: 1,
  /** Five spans of about 1 KB. */
  traceKilobytes: 5,
} as const;

export const DEFAULT_LOAD: Load = {
  requests: 100e6,
  nodeShare: 0.4,
  onChainShare: 0.3,
  hitRate: 0.6,
  regions: 4,
  shards: 1,
  shields: 6,
  metricsRate: 0.01,
  logRate: 0.001,
  traceRate: 0,
};

/**
 * A load with the hit rate that its traffic allows (a copy of a tip read lives for a second, in one data centre of a
 * hundred) and the shards that docs/operations.md advises: one more from each 500 requests a second of a policy in the
 * busiest region.
 */
export function usualLoad(requests: number, nodeShare: number): Load {
  const hitRate = HIT_RATES.findLast(([from]) => requests >= from)?.[1] ?? 0;
  const [busiest = 0] = regionWeights(DEFAULT_LOAD.regions);
  const rate = (requests * busiest * Math.max(nodeShare, 1 - nodeShare)) / MONTH_SECONDS;
  return { ...DEFAULT_LOAD, requests, nodeShare, hitRate, shards: 1 + Math.floor(rate / 500) };
}

/** From so many requests a month; from 10 billion every data centre has the newest version of what is read. */
const HIT_RATES = [
  [0, 0.3],
  [100e6, 0.6],
  [1e9, 0.85],
  [10e9, 0.95],
] as const;

const MONTH_SECONDS = 30.44 * 86_400;
/** Logs and traces are kept for a week. */
const KEPT_MONTHS = 7 / 30.44;
/** Each region has about half the traffic of the previous one, as in measured traffic. */
const NEXT_REGION = 0.55;

export interface Cost {
  readonly total: number;
  readonly perMillion: number;
  readonly lines: Readonly<Record<Line, { readonly amount: number; readonly dollars: number }>>;
}

/** Dollars per month at list price. */
export function costOf(load: Load): Cost {
  const { requests, metricsRate, logRate, traceRate } = load;
  const objects = regionWeights(load.regions).map((weight) => regionUse(load, (requests * weight) / MONTH_SECONDS));
  const aMonth = (of: keyof ObjectUse) => MONTH_SECONDS * objects.reduce((sum, use) => sum + use[of], 0);
  const kilobytes = logRate * PER_REQUEST.logKilobytes + traceRate * PER_REQUEST.traceKilobytes;
  const telemetry = (requests * kilobytes) / 1e6;
  const amounts: Readonly<Record<Line, number>> = {
    workerRequests: requests,
    workerCpu: requests * PER_REQUEST.cpuMs,
    objectRequests: aMonth("calls"),
    objectDuration: aMonth("awake") * OBJECT_GB,
    rowsWritten: aMonth("rows"),
    dataPoints: requests * metricsRate,
    telemetry,
    telemetryKept: telemetry * KEPT_MONTHS,
  };
  const lines = mapLines((line) => ({ amount: amounts[line], dollars: dollarsOf(line, amounts[line]) }));
  const total = PLAN_DOLLARS + Object.values(lines).reduce((sum, { dollars }) => sum + dollars, 0);
  return { total, perMillion: requests === 0 ? 0 : (total / requests) * 1e6, lines };
}

function mapLines<T>(of: (line: Line) => T): Record<Line, T> {
  const entries = (Object.keys(PRICES) as Line[]).map((line) => [line, of(line)]);
  return Object.fromEntries(entries) as Record<Line, T>;
}

function dollarsOf(line: Line, amount: number): number {
  const { included, dollars, per } = PRICES[line];
  return (Math.max(0, amount - included) / per) * dollars;
}

/** A region's objects, per second: calls, objects awake on average, rows written. */
interface ObjectUse {
  readonly calls: number;
  readonly awake: number;
  readonly rows: number;
}

/** `rate`: the region's requests per second. */
function regionUse(load: Load, rate: number): ObjectUse {
  const { nodeShare, shards, shields } = load;
  const [apiRate, nodeRate] = [rate * (1 - nodeShare), rate * nodeShare];
  const counting = [apiRate, nodeRate].map((each) => limiterUse(each / shards));
  const misses = nodeRate * (1 - load.hitRate);
  const reads = misses + figureReads(apiRate * load.onChainShare);
  const wakes = Math.min(reads / shields, PER_REQUEST.wakesPerSecond) * shields;
  const marks = Math.min(misses / shards, PER_REQUEST.blocksPerSecond) * shards;
  return {
    calls: rate * PER_REQUEST.limiterCalls + reads * PER_REQUEST.shieldCalls + misses * PER_REQUEST.noteCalls + wakes,
    awake: sum(counting.map(({ awake }) => awake)) * shards + shieldAwake(reads / shields) * shields,
    rows: sum(counting.map(({ rows }) => rows)) * shards + marks,
  };
}

/**
 * One limiter object at a rate of admissions per second, exactly, for arrivals at random. After a write the next
 * admission is either within the interval, and is written at its end by a timer, or later, and is written at once: the
 * mean time between writes is 1 + e^-x/x intervals, of which the timer is pending for 1 - (1 - e^-x)/x.
 */
export function limiterUse(rate: number): { readonly awake: number; readonly rows: number } {
  if (rate === 0) return { awake: 0, rows: 0 };
  const perInterval = rate * PER_REQUEST.flushSeconds;
  const between = 1 + Math.exp(-perInterval) / perInterval;
  const pending = (1 + Math.expm1(-perInterval) / perInterval) / between;
  const lone = Math.min(1, rate * PER_REQUEST.loneSeconds);
  return { awake: pending + (1 - pending) * lone, rows: 1 / (between * PER_REQUEST.flushSeconds) };
}

/** Calls for figures of the chain, per second: in each data centre one renewal, and then none for a while. */
function figureReads(rate: number): number {
  const each = rate / PER_REQUEST.dataCentres;
  return (each / (1 + each * PER_REQUEST.figureSeconds)) * PER_REQUEST.dataCentres;
}

/** The share of time in which at least one call is in progress, for calls at random. */
function shieldAwake(rate: number): number {
  const isCold = Math.exp(-rate * PER_REQUEST.hibernatesAfterSeconds);
  return -Math.expm1(-rate * (PER_REQUEST.missSeconds + isCold * PER_REQUEST.wakeSeconds));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function regionWeights(regions: number): number[] {
  const raw = Array.from({ length: regions }, (_, index) => NEXT_REGION ** index);
  const total = sum(raw);
  return raw.map((weight) => weight / total);
}
