import { OVERFLOW_KEY, sharedKeyOf } from "./caller.ts";
import { type PackedDecision, packAdmitted, packRefused } from "./decision.ts";

export interface LogLimits {
  /** In force until {@link SlidingWindowLog.setPolicy} is called. */
  readonly quota: number;
  readonly windowMs: number;
  /** Callers with their own log; beyond it new IPv6 callers share their /48's log. */
  readonly maxCallers: number;
}

/** No policy has a greater quota. */
const MAX_QUOTA = 10_000;
/** Expired callers are dropped once a window, and this often while they take the place of new ones. */
const SWEEP_FULL_MS = 1_000;
/**
 * Admissions are stored as times modulo 2^30, which V8 keeps in an array as 4 bytes each, a whole time as 8. None
 * outlives two windows, so differences are exact.
 */
const STAMP_MASK = 2 ** 30 - 1;

/**
 * The exact rule for many callers: in any half-open window of `windowMs` a caller is admitted at most `quota` times,
 * and never refused when fewer were admitted in the last `windowMs`. Among the common schemes only a sliding log
 * guarantees both. `timeMs` must not decrease (see {@link MonotonicClock}). Admissions are kept for the longest window
 * seen and counted by the current policy.
 */
export class SlidingWindowLog {
  readonly #maxCallers: number;
  #quota: number;
  #windowMs: number;
  #retentionMs: number;
  /** The stamps of each caller's admissions, oldest first. */
  readonly #callers = new Map<string, number[]>();
  #sweptAtMs = Number.NEGATIVE_INFINITY;

  constructor({ quota, windowMs, maxCallers }: LogLimits) {
    this.#maxCallers = maxCallers;
    this.#quota = quota;
    this.#windowMs = this.#retentionMs = windowMs;
  }

  /** How long admissions are kept. */
  get retentionMs(): number {
    return this.#retentionMs;
  }

  /** Changes the policy. When the window grows beyond all earlier ones, older admissions are no longer known. */
  setPolicy(quota: number, windowMs: number): void {
    this.#quota = quota;
    this.#windowMs = windowMs;
    this.#retentionMs = Math.max(this.#retentionMs, windowMs);
  }

  /** Callers with an admission in the window before the last sweep, or since. */
  get size(): number {
    return this.#callers.size;
  }

  /** The key whose log counts this caller: its own, unless the table was full at its first request. */
  chargedKey(key: string, timeMs: number): string {
    if (this.#callers.has(key)) return key;
    const shared = sharedKeyOf(key);
    // A live shared log keeps counting its callers, even when there is room again: otherwise they would get a fresh
    // quota.
    if (shared !== null && this.#isLive(shared, timeMs)) return shared;
    if (this.#isLive(OVERFLOW_KEY, timeMs)) return OVERFLOW_KEY;
    if (this.#callers.size < this.#maxCallers) return key;
    return this.#callers.size < 2 * this.#maxCallers ? (shared ?? key) : OVERFLOW_KEY;
  }

  /** Counts one request if it is admitted. */
  take(key: string, timeMs: number): PackedDecision {
    return this.#decide(this.#open(key, timeMs), 1, timeMs);
  }

  /** The decision without counting a request. */
  peek(key: string, timeMs: number): PackedDecision {
    return this.#decide(this.#find(key, timeMs) ?? [], 0, timeMs);
  }

  /** Counts an admission decided elsewhere or before a restart. */
  record(key: string, timeMs: number): void {
    const stamps = this.#open(key, timeMs);
    if (stamps.length > MAX_QUOTA) stamps.shift();
    stamps.push(timeMs & STAMP_MASK);
  }

  #decide(stamps: number[], requests: 0 | 1, timeMs: number): PackedDecision {
    // Stamps that precede the current window are kept only if an earlier window was longer.
    let first = 0;
    while (first < stamps.length && this.#ageMs(stamps, first, timeMs) >= this.#windowMs) first++;
    const left = this.#quota - (stamps.length - first);
    if (left <= 0) return packRefused(this.#windowMs - this.#ageMs(stamps, stamps.length - this.#quota, timeMs));
    if (requests === 1) stamps.push(timeMs & STAMP_MASK);
    return packAdmitted(
      left - requests,
      first === stamps.length ? 0 : this.#windowMs - this.#ageMs(stamps, first, timeMs),
    );
  }

  #ageMs(stamps: readonly number[], index: number, timeMs: number): number {
    return (timeMs - (stamps[index] ?? 0)) & STAMP_MASK;
  }

  #open(key: string, timeMs: number): number[] {
    const known = this.#find(key, timeMs);
    if (known !== undefined) return known;
    const stamps: number[] = [];
    this.#callers.set(this.chargedKey(key, timeMs), stamps);
    return stamps;
  }

  /** Whether an admission of this log has not expired. */
  #isLive(key: string, timeMs: number): boolean {
    const latest = this.#callers.get(key)?.at(-1);
    return latest !== undefined && ((timeMs - latest) & STAMP_MASK) < this.#retentionMs;
  }

  /** A caller's stamps without the expired ones. */
  #find(key: string, timeMs: number): number[] | undefined {
    this.#sweep(timeMs);
    const stamps = this.#callers.get(key) ?? this.#callers.get(this.chargedKey(key, timeMs));
    if (stamps === undefined) return undefined;
    while (stamps.length > 0 && this.#ageMs(stamps, 0, timeMs) >= this.#retentionMs) stamps.shift();
    return stamps;
  }

  /** Drops callers whose latest admission has expired. */
  #sweep(timeMs: number): void {
    const sinceMs = timeMs - this.#sweptAtMs;
    if (sinceMs < (this.#callers.size < this.#maxCallers ? this.#retentionMs : SWEEP_FULL_MS)) return;
    this.#sweptAtMs = timeMs;
    // The last call was at most a window after the last sweep. Stamps may be too old to compare.
    const isAllExpired = sinceMs >= 2 * this.#retentionMs;
    for (const key of this.#callers.keys()) if (isAllExpired || !this.#isLive(key, timeMs)) this.#callers.delete(key);
  }
}
