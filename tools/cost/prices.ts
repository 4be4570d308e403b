/** A list price: what the plan includes each month, and the price of a million beyond that, in dollars. */
export interface Price {
  readonly included: number;
  readonly perMillion: number;
  readonly unit: string;
}

/** When these were read from the platform's price pages (Workers, Durable Objects, Analytics Engine, Workers Logs). */
export const PRICES_READ_ON = "2026-11-21";
export const PLAN_DOLLARS = 5;

export const PRICES = {
  workerRequests: { included: 10e6, perMillion: 0.3, unit: "requests" },
  workerCpu: { included: 30e6, perMillion: 0.02, unit: "CPU milliseconds" },
  objectRequests: { included: 1e6, perMillion: 0.15, unit: "calls" },
  objectDuration: { included: 400e3, perMillion: 12.5, unit: "GB-seconds" },
  rowsWritten: { included: 50e6, perMillion: 1, unit: "rows" },
  dataPoints: { included: 10e6, perMillion: 0.25, unit: "data points" },
  logLines: { included: 20e6, perMillion: 0.6, unit: "lines" },
} as const satisfies Record<string, Price>;

export type Line = keyof typeof PRICES;

/** An object is billed for this much memory, regardless of its use. */
export const OBJECT_GB = 0.128;
