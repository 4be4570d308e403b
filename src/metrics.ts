/**
 * Who decided: the caller's object (`exact`), this isolate because the object did not answer (`local`), or this isolate
 * because it remembers the object's refusal (`memory`).
 */
export type DecisionMode = "exact" | "local" | "memory";

/** How a request was decided, for metrics and `Server-Timing`. Names no caller. */
export interface DecisionTrace {
  /** Milliseconds until the decision was known. */
  readonly milliseconds: number;
  readonly mode: DecisionMode;
  /** The location hint of the object. */
  readonly region: string;
}

/** What is counted, when a dataset for it is bound. Nothing in it tells callers apart. */
export type MetricsEvent =
  | {
      readonly kind: "request";
      /** The route's pattern, never a path as it was asked. */
      readonly route: string;
      readonly method: string;
      readonly status: number;
      /** First words of `Cache-Status`, or none. */
      readonly cache: string;
      readonly limiter: "admitted" | "refused" | "peeked";
      /** How the limiter decided; null when it was not called. */
      readonly decision: DecisionTrace | null;
      /** Data centre of the request; "" when unknown. */
      readonly dataCenter: string;
      readonly milliseconds: number;
    }
  | {
      readonly kind: "upstream";
      readonly route: string;
      /** A label, never an address. */
      readonly upstream: string;
      readonly result: string;
      readonly milliseconds: number;
    };

/** Counts one event; costs the caller of it nothing and never throws. */
export type RecordMetric = (counted: MetricsEvent) => void;

export interface DataPoint {
  readonly indexes: [string];
  readonly blobs: string[];
  readonly doubles: number[];
}

/** As the analytics dataset stores it; `docs/operations.md` names the columns. A point stands for `weight` events. */
export function dataPoint(counted: MetricsEvent, weight: number): DataPoint {
  const { kind, route, milliseconds } = counted;
  if (counted.kind === "upstream")
    return {
      indexes: [route],
      blobs: [kind, route, counted.upstream, counted.result],
      doubles: [milliseconds, 0, 0, weight],
    };
  const { method, cache, limiter, decision, dataCenter, status } = counted;
  const placed = [decision?.region ?? "", dataCenter, decision?.mode ?? ""];
  return {
    indexes: [route],
    blobs: [kind, route, method, cache, limiter, ...placed],
    doubles: [milliseconds, status, decision?.milliseconds ?? 0, weight],
  };
}

/** Writes a share of the events, each with the number of events that it stands for. `random` is from 0 to below 1. */
export function sampledMetrics(
  write: (point: DataPoint) => void,
  rate: number,
  random: () => number,
): RecordMetric | null {
  if (rate === 0) return null;
  return (event) => {
    if (rate === 1 || random() < rate) write(dataPoint(event, 1 / rate));
  };
}
