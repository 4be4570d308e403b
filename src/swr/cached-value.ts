import type { Failure } from "../http/failure.ts";
import { publicFor } from "../http/reply.ts";

export interface FreshnessPolicy {
  /** Age up to which a value is served without asking the object. */
  readonly freshSeconds: number;
  /** Age up to which a value is served at once and refreshed in the background. At most `maxStaleSeconds`. */
  readonly revalidateSeconds: number;
  /** Age up to which a value is served while the upstream fails. */
  readonly maxStaleSeconds: number;
  /** `max-age` for clients and shared caches, counted from the reading. */
  readonly sharedSeconds: number;
}

/**
 * Policy of values that change hourly and are renewed by the hourly check. The page gets the last value, and starts a
 * refresh if it is older than ten minutes.
 */
export const HOURLY: FreshnessPolicy = {
  freshSeconds: 600,
  revalidateSeconds: 3_900,
  maxStaleSeconds: 86_400,
  sharedSeconds: 60,
};

/** A value that may be served, with its age. */
export interface CachedValue<T> {
  readonly kind: "cached";
  readonly value: T;
  readonly observedAtMs: number;
  readonly ageSeconds: number;
  readonly origin: "fetched" | "fresh" | "revalidating" | "upstream_failed";
  /** Why the last reading, seconds ago, failed; null when it did not fail. */
  readonly error: string | null;
  /** Names of the numbers whose newer readings await confirmation. */
  readonly unconfirmed: readonly string[];
  readonly policy: FreshnessPolicy;
}

/** Lowers a value's time of observation to that of a part that was read earlier. */
export function withOlderPart<T>(value: CachedValue<T>, partReadAtMs: number): CachedValue<T> {
  const observedAtMs = Math.min(value.observedAtMs, partReadAtMs);
  const olderSeconds = Math.ceil((value.observedAtMs - observedAtMs) / 1000);
  return { ...value, observedAtMs, ageSeconds: value.ageSeconds + olderSeconds };
}

/** Gives a value the age of its oldest part; parts that are unavailable are skipped. */
export function agedAsOldestOf<T>(
  value: CachedValue<T>,
  parts: readonly (CachedValue<unknown> | Unavailable)[],
): CachedValue<T> {
  let { observedAtMs, ageSeconds } = value;
  for (const part of parts)
    if (part.kind === "cached" && part.observedAtMs < observedAtMs) ({ observedAtMs, ageSeconds } = part);
  return { ...value, observedAtMs, ageSeconds };
}

export interface Unavailable {
  readonly kind: "unavailable";
  readonly reason: string;
  readonly retryAfterSeconds: number;
}

/** Builds a 503 with the reason; `subject` is a noun with its verb, such as "The total supply is". */
export function unavailable(subject: string, { reason, retryAfterSeconds }: Unavailable): Failure {
  return { kind: "unavailable", message: `${subject} not available: ${reason}.`, retryAfterSeconds };
}

/** `Age` and `Cache-Status` (RFC 9211) of a response with a cached value. */
export function ageHeaders({ ageSeconds, origin, policy }: CachedValue<unknown>): Record<string, string> {
  const hit = `hit; ttl=${policy.freshSeconds - ageSeconds}${DETAILS[origin]}`;
  return { Age: String(ageSeconds), "Cache-Status": `edge; ${origin === "fetched" ? "fwd=miss; stored" : hit}` };
}

const DETAILS: Readonly<Record<CachedValue<unknown>["origin"], string>> = {
  fetched: "",
  fresh: "",
  revalidating: "; detail=revalidating",
  upstream_failed: "; detail=upstream-failed",
};

/** {@link ageHeaders} and `Cache-Control`. */
export function cacheHeaders(
  reading: CachedValue<unknown>,
  seconds = reading.policy.sharedSeconds,
): Record<string, string> {
  return { ...ageHeaders(reading), "Cache-Control": publicFor(seconds) };
}
