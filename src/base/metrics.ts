/**
 * How a request was decided: by the caller's object (`exact`), by this isolate because the object did not respond
 * (`local`), or by a refusal cached in this isolate (`memory`).
 */
export type DecisionMode = "exact" | "local" | "memory";

/** How a request was decided, for metrics and `Server-Timing`. Does not identify the caller. */
export interface DecisionTrace {
  /** Milliseconds until the decision was known. */
  readonly milliseconds: number;
  readonly mode: DecisionMode;
  /** The location hint of the object. */
  readonly region: string;
}

/** A recorded event. No event identifies a caller. */
export type MetricsEvent =
  | {
      readonly kind: "request";
      /** The route's pattern, never the requested path. */
      readonly route: string;
      readonly method: string;
      readonly status: number;
      /** The status part of `Cache-Status`, or `none`. */
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

/** Records one event; never delays the request and never throws. */
export type RecordMetric = (counted: MetricsEvent) => void;

export interface DataPoint {
  readonly indexes: [string];
  readonly blobs: string[];
  readonly doubles: number[];
}

/**
 * An event as a row of the analytics dataset; `docs/operations.md` lists the columns. A row represents `weight` events.
 */
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

/** Records a sample of the events, each with the number of events that it represents. `random` returns [0, 1). */
export function sampledMetrics(
  write: (point: DataPoint) => void,
  rate: number,
  random: () => number,
): RecordMetric | null {
  if (rate === 0) return null;
  return (event) => {
    if (random() < rate) write(dataPoint(event, 1 / rate));
  };
}
