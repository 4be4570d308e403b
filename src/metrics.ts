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

/** As the analytics dataset stores it; `docs/operations.md` names the columns. */
export function dataPoint(counted: MetricsEvent): DataPoint {
  const { kind, route, milliseconds } = counted;
  const [blobs, status] =
    counted.kind === "request"
      ? [[kind, route, counted.method, counted.cache, counted.limiter], counted.status]
      : [[kind, route, counted.upstream, counted.result], 0];
  return { indexes: [route], blobs, doubles: [milliseconds, status] };
}
