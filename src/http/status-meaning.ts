/** Meaning of an upstream's status that is not one of the interface's own responses. */
export type UnexpectedStatusMeaning = "invalid" | "refused" | "throttled" | "unavailable" | "failed" | "silent";

const MEANINGS: readonly (readonly [from: number, to: number, reading: UnexpectedStatusMeaning])[] = [
  [200, 299, "invalid"],
  // A server has looked at the request and does not accept it.
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
 * Returns the meaning of a status. A status outside the table counts as `silent`, because it says nothing about the
 * request. Examples are 408, 425 and 499 about time (RFC 9110 section 15.5.9), and 444 and 52x about a connection. A
 * 503 with a Retry-After is a rate limit, as 429 is.
 */
export function meaningOfStatus(status: number, retryAfterMs: number | null): UnexpectedStatusMeaning {
  if (status === 503 && retryAfterMs !== null) return "throttled";
  return MEANINGS.find(([from, to]) => from <= status && status <= to)?.[2] ?? "silent";
}

/** Whether the same request may get an answer a moment later. */
export function isTransient(reading: UnexpectedStatusMeaning): boolean {
  return reading === "silent" || reading === "failed";
}
