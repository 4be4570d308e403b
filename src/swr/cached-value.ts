export interface FreshnessPolicy {
  /** Up to this age a value is answered without a question asked. */
  readonly freshSeconds: number;
  /** Up to this age it is answered at once and renewed behind the answer. At most keepSeconds. */
  readonly revalidateSeconds: number;
  /** Up to this age it stands in while the upstream fails. */
  readonly maxStaleSeconds: number;
  /** How long callers and shared caches may hold an answer, counted from the reading: `max-age`. */
  readonly sharedSeconds: number;
}

/** A value that may be answered, with its true age. */
export interface CachedValue<T> {
  readonly kind: "reading";
  readonly value: T;
  readonly observedAtMs: number;
  readonly ageSeconds: number;
  readonly origin: "fetched" | "fresh" | "revalidating" | "upstream_failed";
  /** Why the upstream failed when it was last asked, seconds ago; null when it did not. */
  readonly error: string | null;
  readonly policy: FreshnessPolicy;
}

export interface Unavailable {
  readonly kind: "missing";
  readonly reason: string;
  readonly retryAfterSeconds: number;
}

/** Age and Cache-Status (RFC 9211) of an answer made from a reading. */
export function ageHeaders(reading: CachedValue<unknown>): Record<string, string> {
  const { ageSeconds, policy } = reading;
  return { Age: String(ageSeconds), "Cache-Status": `edge; ${cacheState(reading, policy.freshSeconds - ageSeconds)}` };
}

/** The same, and how long the answer may be held. */
export function cacheHeaders(reading: CachedValue<unknown>): Record<string, string> {
  return { ...ageHeaders(reading), "Cache-Control": `public, max-age=${reading.policy.sharedSeconds}` };
}

function cacheState({ origin: how }: CachedValue<unknown>, ttlSeconds: number): string {
  switch (how) {
    case "fetched":
      return "fwd=miss; stored";
    case "fresh":
      return `hit; ttl=${ttlSeconds}`;
    case "revalidating":
      return `hit; ttl=${ttlSeconds}; detail=revalidating`;
    case "upstream_failed":
      return `hit; ttl=${ttlSeconds}; detail=upstream-failed`;
  }
}
