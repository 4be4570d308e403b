import { memoByObject } from "../base/memo.ts";
import type { Policy } from "../config.ts";

/** The limiter's decision about one request. */
export interface Decision {
  readonly admitted: boolean;
  /** Admissions left in the current window. */
  readonly remaining: number;
  /** Whole seconds until more quota is available, rounded up; at least 1 when refused. */
  readonly resetSeconds: number;
}

/**
 * A decision as one number, because returning an object over RPC takes a twentieth of a request's CPU time. Negative:
 * refused, for that many milliseconds. Otherwise: admissions left times 2^22, plus the milliseconds until more are
 * available. A window is at most 3,600,000 ms, less than 2^22.
 */
export type PackedDecision = number;

const UNIT = 2 ** 22;

export function packAdmitted(remaining: number, resetMs: number): PackedDecision {
  return remaining * UNIT + resetMs;
}

export function packRefused(retryMs: number): PackedDecision {
  return -retryMs;
}

/** Unpacks a decision. Seconds are rounded up, so that a retry after exactly that time succeeds. */
export function unpackDecision(packed: PackedDecision): Decision {
  if (packed < 0) return { admitted: false, remaining: 0, resetSeconds: Math.ceil(-packed / 1000) };
  const remaining = Math.floor(packed / UNIT);
  return { admitted: true, remaining, resetSeconds: Math.ceil((packed - remaining * UNIT) / 1000) };
}

/** The header `RateLimit-Policy: default;q=60;w=60` in the specification's notation: a token, not a quoted string. */
export const policyHeaders = memoByObject(
  ({ name, quota, windowSeconds }: Policy): Readonly<Record<string, string>> => ({
    "RateLimit-Policy": `${name};q=${quota};w=${windowSeconds}`,
  }),
);

/** Value of the header `RateLimit`: `default;r=59;t=60`. */
export function rateLimitValue(
  policy: Policy,
  { remaining, resetSeconds }: Pick<Decision, "remaining" | "resetSeconds">,
): string {
  return `${policy.name};r=${remaining};t=${resetSeconds}`;
}

export interface LogLimits {
  /** Quota until {@link SlidingWindowLog.setPolicy} is called. */
  readonly quota: number;
  readonly windowMs: number;
  /** Heap that the table may use. */
  readonly maxBytes: number;
}

/** Largest quota of any policy. */
const MAX_QUOTA = 10_000;
/**
 * Upper bounds of heap: for a caller its key, array and table entry; for an admission, the room that V8 reserves in an
 * array included.
 */
const CALLER_BYTES = 200;
const ADMISSION_BYTES = 6;
/**
 * Mask of stored times. Times are stored modulo 2^30, because V8 keeps those in an array as 4 bytes each and a whole
 * time as 8. No admission outlives two windows, so differences are exact.
 */
const STAMP_MASK = 2 ** 30 - 1;
/**
 * Interval of sweeps. Finding a map's oldest entry takes time, so expired callers are dropped once a second, and from a
 * full table the oldest hundredth at once.
 */
const SWEEP_EVERY_MS = 1_000;
const SHARE_AFTER_SWEEP = 0.99;

/**
 * Sliding log of many callers. In any half-open window of `windowMs` a caller is admitted at most `quota` times, and is
 * never refused when fewer were admitted in the last `windowMs`. Among the common schemes only a sliding log guarantees
 * both.
 * `timeMs` must not decrease (see {@link MonotonicClock}). Admissions are kept for the longest window seen and counted
 * by the current policy. A full table drops the callers whose last admissions are oldest: each of them gains at most
 * one quota, and other callers are not affected.
 */
export class SlidingWindowLog {
  readonly #maxBytes: number;
  #quota: number;
  #windowMs: number;
  #retentionMs: number;
  /** Stamps of each caller's admissions, oldest first; callers in the order of their last admission. */
  readonly #callers = new Map<string, number[]>();
  #bytes = 0;
  #dropped = 0;
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  #lastCallAtMs = Number.NEGATIVE_INFINITY;

  constructor({ quota, windowMs, maxBytes }: LogLimits) {
    this.#maxBytes = maxBytes;
    this.#quota = quota;
    this.#windowMs = this.#retentionMs = windowMs;
  }

  /** Time for which admissions are kept. */
  get retentionMs(): number {
    return this.#retentionMs;
  }

  /** Changes the policy. When the window grows beyond all earlier ones, older admissions are no longer known. */
  setPolicy(quota: number, windowMs: number): void {
    this.#quota = quota;
    this.#windowMs = windowMs;
    this.#retentionMs = Math.max(this.#retentionMs, windowMs);
  }

  /** Number of callers with an admission in the window before the last sweep, or since. */
  get size(): number {
    return this.#callers.size;
  }

  /** Number of callers dropped with unexpired admissions since the start, because the table was full. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Counts one request if it is admitted. */
  take(key: string, timeMs: number): PackedDecision {
    const stamps = this.#find(key, timeMs);
    const decision = this.#decide(stamps ?? [], 1, timeMs);
    if (decision >= 0) this.#add(key, stamps, timeMs);
    return decision;
  }

  /** The decision without counting a request. */
  peek(key: string, timeMs: number): PackedDecision {
    return this.#decide(this.#find(key, timeMs) ?? [], 0, timeMs);
  }

  /** Counts an admission that was decided elsewhere or before a restart. */
  record(key: string, timeMs: number): void {
    this.#add(key, this.#find(key, timeMs), timeMs);
  }

  #decide(stamps: readonly number[], requests: 0 | 1, timeMs: number): PackedDecision {
    // Stamps before the current window exist only if an earlier window was longer.
    let first = 0;
    while (first < stamps.length && ageMs(stamps[first], timeMs) >= this.#windowMs) first++;
    const remaining = this.#quota - (stamps.length - first);
    if (remaining <= 0) return packRefused(this.#windowMs - ageMs(stamps[stamps.length - this.#quota], timeMs));
    return packAdmitted(
      remaining - requests,
      first === stamps.length ? requests * this.#windowMs : this.#windowMs - ageMs(stamps[first], timeMs),
    );
  }

  /** A caller's stamps without the expired ones. */
  #find(key: string, timeMs: number): number[] | undefined {
    this.#sweep(timeMs);
    const stamps = this.#callers.get(key);
    while (stamps !== undefined && stamps.length > 0 && ageMs(stamps[0], timeMs) >= this.#retentionMs)
      this.#dropFirst(stamps);
    return stamps;
  }

  /** Adds an admission, and makes its caller the last in the table. */
  #add(key: string, existing: number[] | undefined, timeMs: number): void {
    const stamps = existing ?? [];
    if (existing === undefined) this.#bytes += CALLER_BYTES;
    else this.#callers.delete(key);
    if (stamps.length > MAX_QUOTA) this.#dropFirst(stamps);
    stamps.push(timeMs & STAMP_MASK);
    this.#bytes += ADMISSION_BYTES;
    this.#callers.set(key, stamps);
  }

  /** Drops callers whose last admission has expired and, from a full table, those whose last admission is oldest. */
  #sweep(timeMs: number): void {
    const isFull = this.#bytes > this.#maxBytes;
    const isDue = timeMs - this.#sweptAtMs >= SWEEP_EVERY_MS;
    // After so long a pause, stamps may be too old to compare.
    const isAllExpired = timeMs - this.#lastCallAtMs >= this.#retentionMs;
    this.#lastCallAtMs = timeMs;
    if (!isFull && !isDue) return;
    this.#sweptAtMs = timeMs;
    const targetBytes = isFull ? this.#maxBytes * SHARE_AFTER_SWEEP : this.#maxBytes;
    for (const [key, stamps] of this.#callers) {
      const isExpired = isAllExpired || ageMs(stamps.at(-1), timeMs) >= this.#retentionMs;
      if (!isExpired && this.#bytes <= targetBytes) return;
      if (!isExpired) this.#dropped++;
      this.#callers.delete(key);
      this.#bytes -= CALLER_BYTES + ADMISSION_BYTES * stamps.length;
    }
  }

  #dropFirst(stamps: number[]): void {
    stamps.shift();
    this.#bytes -= ADMISSION_BYTES;
  }
}

function ageMs(stamp: number | undefined, timeMs: number): number {
  return (timeMs - (stamp ?? 0)) & STAMP_MASK;
}
