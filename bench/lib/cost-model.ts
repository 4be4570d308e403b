/** List prices in dollars, in force from 2026-12-01, and what the paid plan includes each month. */
export const PRICES = {
  workerRequests: { included: 10e6, dollars: 0.3, per: 1e6 },
  workerMilliseconds: { included: 30e6, dollars: 0.02, per: 1e6 },
  objectCalls: { included: 1e6, dollars: 0.15, per: 1e6 },
  objectGbSeconds: { included: 400e3, dollars: 12.5, per: 1e6 },
  rowsWritten: { included: 50e6, dollars: 1, per: 1e6 },
  dataPoints: { included: 10e6, dollars: 0.25, per: 1e6 },
  logGigabytes: { included: 50, dollars: 0.25, per: 1 },
  logGigabyteMonths: { included: 12, dollars: 0.1, per: 1 },
} as const;
type Line = keyof typeof PRICES;

export const PLAN_DOLLARS = 5;
/** Limits of the free plan per day. */
export const FREE_DAY = { requests: 100e3, objectCalls: 100e3, rowsWritten: 100e3, objectGbSeconds: 13e3 } as const;

/**
 * Object calls per request, as counted: the first three by the section "Distance" of bench/results.md, the last by a
 * test.
 */
export const CALLS = {
  /** The limiter, for every request. */
  limiter: 1,
  /** Calls of the region's shield, for a read of `/v1` that no isolate has cached. */
  shield: 1,
  /** Calls of the caller's limiter from the shield, if that read is of the newest ledger. */
  note: 1,
  /**
   * Calls of the home object from an isolate that renews its copy of the chain's figures: a first call, and one that
   * waits.
   */
  renewal: 2,
} as const;

/** Assumptions that no test or benchmark counts. */
export const ASSUMED = {
  chainFigures: 0.3,
  cpuMs: 0.5,
  regions: 4,
  /** Traffic of a region as a share of the next larger one's. */
  nextRegion: 0.5,
  dataCentres: 25,
  requestsPerShard: 500,
  nodeSeconds: 0.25,
  /** A reading of the chain takes two rounds of calls at its nodes. */
  readingSeconds: 0.5,
  wakeSeconds: 0.1,
  admissionSeconds: 0.01,
  blocksPerSecond: 4,
  dataPointShare: 0.01,
  logKilobytes: 1,
} as const;

const SHIELDS = 6;
const FRESH_SECONDS = 30;
const HIBERNATES_AFTER_SECONDS = 10;
const OBJECT_GB = 0.128;
const DAY_SECONDS = 86_400;
export const MONTH_DAYS = 30;
const LOGS_KEPT_DAYS = 7;

export interface Load {
  readonly requestsPerDay: number;
  /** Share of `/v1`; the other requests are for `/api`. */
  readonly nodeShare: number;
  /** Share of `/v1` that isolates serve from their cache. */
  readonly hits: number;
  readonly regions: number;
  readonly dataCentres: number;
}

/** Use of a day, without data points and logs. */
export interface Use {
  readonly requests: number;
  readonly objectCalls: number;
  readonly objectGbSeconds: number;
  readonly rowsWritten: number;
}

/** Computes what a day's requests use. */
export function useOfDay({ requestsPerDay, nodeShare, hits, regions, dataCentres }: Load): Use {
  const rate = requestsPerDay / DAY_SECONDS;
  const weights = Array.from({ length: regions }, (_, index) => ASSUMED.nextRegion ** index);
  const busiest = (rate * Math.max(nodeShare, 1 - nodeShare)) / sum(weights);
  const shards = 1 + Math.floor(busiest / ASSUMED.requestsPerShard);
  const parts = weights.map((weight) => {
    const regionRate = (rate * weight) / sum(weights);
    const [apiRate, nodeRate] = [regionRate * (1 - nodeShare), regionRate * nodeShare];
    return regionUse({ apiRate, nodeRate, hits, dataCentres, shards });
  });
  const figureRate = rate * (1 - nodeShare) * ASSUMED.chainFigures;
  const readings = figureRate / (1 + figureRate * FRESH_SECONDS);
  const awake = sum(parts.map((part) => part.awake)) + awakeShare(readings, ASSUMED.readingSeconds);
  return {
    requests: requestsPerDay,
    objectCalls: DAY_SECONDS * sum(parts.map(({ calls }) => calls)),
    objectGbSeconds: DAY_SECONDS * OBJECT_GB * awake,
    rowsWritten: DAY_SECONDS * sum(parts.map(({ rows }) => rows)),
  };
}

interface RegionLoad extends Pick<Load, "hits" | "dataCentres"> {
  readonly apiRate: number;
  readonly nodeRate: number;
  /** `LIMITER_SHARDS`: every region has as many as the busiest one needs. */
  readonly shards: number;
}

/** Computes calls, objects awake and rows written in a region, per second. */
function regionUse({ apiRate, nodeRate, hits, dataCentres, shards }: RegionLoad) {
  const misses = nodeRate * (1 - hits);
  const figureRate = (apiRate * ASSUMED.chainFigures) / dataCentres;
  const renewals = (figureRate / (1 + figureRate * FRESH_SECONDS)) * dataCentres;
  const wakes = Math.min(misses / SHIELDS, 1 / HIBERNATES_AFTER_SECONDS) * SHIELDS;
  const limiters = [apiRate, nodeRate].map((rate) => {
    const { awake, rows } = limiterUse(rate / shards);
    return { awake: awake * shards, rows: rows * shards };
  });
  return {
    calls:
      (apiRate + nodeRate) * CALLS.limiter + renewals * CALLS.renewal + misses * (CALLS.shield + CALLS.note) + wakes,
    awake: sum(limiters.map(({ awake }) => awake)) + awakeShare(misses / SHIELDS, ASSUMED.nodeSeconds) * SHIELDS,
    rows: sum(limiters.map(({ rows }) => rows)) + Math.min(misses / shards, ASSUMED.blocksPerSecond) * shards,
  };
}

/**
 * Computes one limiter object's use for admissions at random. It writes an admission at once, and those of the next
 * second together at that second's end. A timer keeps it awake until then. So the mean time between writes is 1 +
 * e^-rate/rate seconds. The timer is pending for 1 - (1 - e^-rate)/rate of them.
 */
function limiterUse(rate: number): { readonly awake: number; readonly rows: number } {
  if (rate === 0) return { awake: 0, rows: 0 };
  const between = 1 + Math.exp(-rate) / rate;
  const pending = (1 + Math.expm1(-rate) / rate) / between;
  return { awake: pending + (1 - pending) * Math.min(1, rate * ASSUMED.admissionSeconds), rows: 1 / between };
}

/** Computes the share of time in which an object has at least one call in progress, for calls at random. */
function awakeShare(rate: number, seconds: number): number {
  const wakes = Math.exp(-rate * HIBERNATES_AFTER_SECONDS);
  return -Math.expm1(-rate * (seconds + wakes * ASSUMED.wakeSeconds));
}

/** The bill's lines of a month on the paid plan, in dollars. Logs fit into the plan. */
export type Month = Readonly<Record<Exclude<Line, "logGigabytes" | "logGigabyteMonths">, number>>;

export function monthOf(use: Use): Month {
  return {
    workerRequests: dollarsOf("workerRequests", use.requests * MONTH_DAYS),
    workerMilliseconds: dollarsOf("workerMilliseconds", use.requests * MONTH_DAYS * ASSUMED.cpuMs),
    objectCalls: dollarsOf("objectCalls", use.objectCalls * MONTH_DAYS),
    objectGbSeconds: dollarsOf("objectGbSeconds", use.objectGbSeconds * MONTH_DAYS),
    rowsWritten: dollarsOf("rowsWritten", use.rowsWritten * MONTH_DAYS),
    dataPoints: dollarsOf("dataPoints", use.requests * MONTH_DAYS * ASSUMED.dataPointShare),
  };
}

export const totalOf = (month: Month): number => PLAN_DOLLARS + sum(Object.values(month));

/** Computes what a data point, and a log line, for every request of a month would cost. */
export function unsampled(requests: number): { readonly dataPoints: number; readonly logs: number } {
  const gigabytes = (requests * ASSUMED.logKilobytes) / 1e6;
  return {
    dataPoints: dollarsOf("dataPoints", requests),
    logs:
      dollarsOf("logGigabytes", gigabytes) + dollarsOf("logGigabyteMonths", (gigabytes * LOGS_KEPT_DAYS) / MONTH_DAYS),
  };
}

/** Dollars of an object that never sleeps, a month. */
export const AWAKE_DOLLARS =
  (MONTH_DAYS * DAY_SECONDS * OBJECT_GB * PRICES.objectGbSeconds.dollars) / PRICES.objectGbSeconds.per;

function dollarsOf(line: Line, amount: number): number {
  const { included, dollars, per } = PRICES[line];
  return (Math.max(0, amount - included) / per) * dollars;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
