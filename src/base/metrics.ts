/**
 * How a request was admitted or refused. `exact`: by the caller's object. `local`: in this isolate, because the object
 * did not respond. `memory`: by a refusal cached in this isolate.
 */
export type DecisionMode = "exact" | "local" | "memory";

/** Trace of the limiter's decision, for metrics and `Server-Timing`. Does not identify the caller. */
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

/** Records one event. Never delays the request and never throws. */
export type RecordMetric = (counted: MetricsEvent) => void;

export interface DataPoint {
  readonly indexes: [string];
  readonly blobs: string[];
  readonly doubles: number[];
}

/**
 * Converts an event to a row of the analytics dataset; docs/operations.md lists the columns. A row represents `weight`
 * events.
 */
export function dataPoint(event: MetricsEvent, weight: number): DataPoint {
  const { kind, route, milliseconds } = event;
  if (event.kind === "upstream")
    return {
      indexes: [route],
      blobs: [kind, route, event.upstream, event.result],
      doubles: [milliseconds, 0, 0, weight],
    };
  const { method, cache, limiter, decision, dataCenter, status } = event;
  const placement = [decision?.region ?? "", dataCenter, decision?.mode ?? ""];
  return {
    indexes: [route],
    blobs: [kind, route, method, cache, limiter, ...placement],
    doubles: [milliseconds, status, decision?.milliseconds ?? 0, weight],
  };
}

/**
 * Returns a function that records a sample of the events, each with the number of events that it represents. `random`
 * returns [0, 1). null: the rate is 0, so nothing is recorded.
 */
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
