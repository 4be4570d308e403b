export interface Keeping {
  /** Up to this age a value is answered without a question asked. */
  readonly freshSeconds: number;
  /** Up to this age it is answered at once and renewed behind the answer. At most keepSeconds. */
  readonly revalidateSeconds: number;
  /** Up to this age it stands in while the upstream fails. */
  readonly keepSeconds: number;
  /** How long callers and shared caches may hold an answer, counted from the reading: `max-age`. */
  readonly sharedSeconds: number;
}

/** A value that may be answered, with its true age. */
export interface Reading<T> {
  readonly kind: "reading";
  readonly value: T;
  readonly observedAtMs: number;
  readonly ageSeconds: number;
  readonly how: "fetched" | "fresh" | "revalidating" | "upstream_failed";
  /** Why the upstream failed when it was last asked, seconds ago; null when it did not. */
  readonly fault: string | null;
  readonly keeping: Keeping;
}

export interface Missing {
  readonly kind: "missing";
  readonly reason: string;
  readonly retryAfterSeconds: number;
}

/** Age and Cache-Status (RFC 9211) of an answer made from a reading. */
export function agedFields(reading: Reading<unknown>): Record<string, string> {
  const { ageSeconds, keeping } = reading;
  return { Age: String(ageSeconds), "Cache-Status": `edge; ${cacheState(reading, keeping.freshSeconds - ageSeconds)}` };
}

/** The same, and how long the answer may be held. */
export function heldFields(reading: Reading<unknown>): Record<string, string> {
  return { ...agedFields(reading), "Cache-Control": `public, max-age=${reading.keeping.sharedSeconds}` };
}

function cacheState({ how }: Reading<unknown>, ttlSeconds: number): string {
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
