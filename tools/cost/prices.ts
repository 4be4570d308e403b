/** A list price: what the plan includes each month, and the price of a unit beyond that, in dollars. */
export interface Price {
  readonly included: number;
  readonly dollars: number;
  /** What `dollars` is the price of: as many of the counted things. */
  readonly per: number;
  readonly unit: string;
}

/** The day from which these prices are in force (logs and traces are billed by volume since then). */
export const PRICES_IN_FORCE_FROM = "2026-12-01";
/** When they were read from the platform's price pages: Workers, Durable Objects, Analytics Engine, observability. */
export const PRICES_READ_ON = "2026-11-22";
const MAX_AGE_DAYS = 90;
export const PLAN_DOLLARS = 5;

const MILLION = 1e6;

export const PRICES = {
  workerRequests: { included: 10e6, dollars: 0.3, per: MILLION, unit: "requests" },
  workerCpu: { included: 30e6, dollars: 0.02, per: MILLION, unit: "CPU milliseconds" },
  objectRequests: { included: 1e6, dollars: 0.15, per: MILLION, unit: "calls" },
  objectDuration: { included: 400e3, dollars: 12.5, per: MILLION, unit: "GB-seconds" },
  rowsWritten: { included: 50e6, dollars: 1, per: MILLION, unit: "rows written" },
  dataPoints: { included: 10e6, dollars: 0.25, per: MILLION, unit: "data points" },
  telemetry: { included: 50, dollars: 0.25, per: 1, unit: "GB of logs and traces" },
  telemetryKept: { included: 12, dollars: 0.1, per: 1, unit: "GB-months of logs and traces" },
} as const satisfies Record<string, Price>;

export type Line = keyof typeof PRICES;

/** An object is billed for this much memory, regardless of its use. */
export const OBJECT_GB = 0.128;

/** What to tell an operator about the age of the prices; null: they are recent. */
export function priceWarning(nowMs: number): string | null {
  const days = Math.floor((nowMs - Date.parse(PRICES_READ_ON)) / 86_400_000);
  if (days <= MAX_AGE_DAYS) return null;
  return `warning: the prices were read ${days} days ago (${PRICES_READ_ON}): compare them with the platform's price pages and correct tools/cost/prices.ts`;
}
