/** What the status of an upstream says that is not an answer of its own. */
export type StatusReading = "invalid" | "refused" | "throttled" | "unavailable" | "failed" | "silent";

const READINGS: readonly (readonly [from: number, to: number, reading: StatusReading])[] = [
  [200, 299, "invalid"],
  // Somebody has looked at the request.
  [300, 407, "refused"],
  [413, 415, "refused"],
  [421, 421, "refused"],
  [426, 426, "refused"],
  [429, 429, "throttled"],
  [431, 431, "refused"],
  [451, 451, "refused"],
  [500, 502, "failed"],
  [503, 503, "unavailable"],
  [504, 504, "failed"],
];

/**
 * Every other status is silence, which is no verdict about the request: 408, 425 and 499 speak of time (RFC 9110 section
 * 15.5.9), 444 and 52x of a connection. A 503 that names a time is a limit, as 429 is.
 */
export function readStatus(status: number, retryAfterMs: number | null): StatusReading {
  if (status === 503 && retryAfterMs !== null) return "throttled";
  return READINGS.find(([from, to]) => from <= status && status <= to)?.[2] ?? "silent";
}

/** Whether the same request may get an answer a moment later. */
export function isPassing(reading: StatusReading): boolean {
  return reading === "silent" || reading === "failed";
}
