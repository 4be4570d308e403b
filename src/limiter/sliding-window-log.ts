import { isSharedKey, OVERFLOW_KEY, sharedKeyOf } from "./caller.ts";
import { type PackedDecision, packAdmitted, packRefused } from "./packed-decision.ts";
import { LATEST, NEWER, OLDER, TimestampQueues } from "./timestamp-queues.ts";

export interface LogLimits {
  /** In force until {@link SlidingWindowLog.setPolicy} is called. */
  readonly quota: number;
  readonly windowMs: number;
  /** Callers with their own log; beyond it new IPv6 callers share their /48's log. */
  readonly maxCallers: number;
}

const NONE = 0xffff_ffff;
/** No policy has a greater quota. */
const MAX_QUOTA = 10_000;

/**
 * The exact rule for many callers: in any half-open window of `windowMs` a caller is admitted at most `quota` times,
 * and never refused when fewer were admitted in the last `windowMs`. Among the common schemes only a sliding log
 * guarantees both. `timeMs` must not decrease (see {@link MonotonicClock}). Every operation takes amortized constant
 * time. Stamps are times modulo 2^32; none outlives two windows, so differences are exact. Admissions are kept for the
 * longest window seen and counted by the current policy.
 */
export class SlidingWindowLog {
  readonly #maxCallers: number;
  #quota: number;
  #windowMs: number;
  #retentionMs: number;
  readonly #callers = new Map<string, number>();
  readonly #keys: string[] = [];
  readonly #stamps = new TimestampQueues();
  // A linked list of callers by latest admission, so that expired ones are at its head.
  #oldest = NONE;
  #newest = NONE;
  #sharedLogs = 0;
  #latestMs = Number.NEGATIVE_INFINITY;

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
    if (windowMs > this.#retentionMs) this.#retentionMs = windowMs;
  }

  /** Callers with an admission in the window before the last call. */
  get size(): number {
    return this.#callers.size;
  }

  /** The key whose log counts this caller: its own, unless the table was full at its first request. */
  chargedKey(key: string, timeMs: number): string {
    this.#sweep(timeMs);
    const maxCallers = this.#maxCallers;
    const size = this.#callers.size;
    if ((size < maxCallers && this.#sharedLogs === 0) || this.#callers.has(key)) return key;
    const shared = sharedKeyOf(key);
    // A live shared log keeps counting its callers, even when there is room again: otherwise they would get a fresh
    // quota.
    if (shared !== null && this.#callers.has(shared)) return shared;
    if (this.#callers.has(OVERFLOW_KEY)) return OVERFLOW_KEY;
    if (size < maxCallers) return key;
    return size < 2 * maxCallers ? (shared ?? key) : OVERFLOW_KEY;
  }

  /** Counts one request of a charged key if it is admitted. */
  take(key: string, timeMs: number): PackedDecision {
    this.#sweep(timeMs);
    const caller = this.#callers.get(key) ?? this.#add(key);
    const count = this.#dropExpired(caller, timeMs);
    const expired = this.#expiredBefore(caller, count, timeMs);
    const used = count - expired;
    if (used >= this.#quota) return packRefused(this.#untilExpiryMs(caller, count - this.#quota, timeMs));
    this.#push(caller, timeMs);
    return packAdmitted(this.#quota - used - 1, this.#untilExpiryMs(caller, expired, timeMs));
  }

  /** The decision about a charged key without counting a request. */
  peek(key: string, timeMs: number): PackedDecision {
    this.#sweep(timeMs);
    const caller = this.#callers.get(key);
    if (caller === undefined) return packAdmitted(this.#quota, 0);
    const count = this.#dropExpired(caller, timeMs);
    const expired = this.#expiredBefore(caller, count, timeMs);
    const left = this.#quota - (count - expired);
    if (left <= 0) return packRefused(this.#untilExpiryMs(caller, count - this.#quota, timeMs));
    return packAdmitted(left, expired === count ? 0 : this.#untilExpiryMs(caller, expired, timeMs));
  }

  /** Counts an admission decided elsewhere or before a restart. */
  record(key: string, timeMs: number): void {
    this.#sweep(timeMs);
    const caller = this.#callers.get(key) ?? this.#add(key);
    if (this.#dropExpired(caller, timeMs) > MAX_QUOTA) this.#stamps.shift(caller);
    this.#push(caller, timeMs);
  }

  /** Milliseconds until an admission leaves the current window. */
  #untilExpiryMs(caller: number, index: number, timeMs: number): number {
    return this.#windowMs - ((timeMs - this.#stamps.at(caller, index)) >>> 0);
  }

  /** How many of a caller's stored admissions precede the current window: none unless an earlier window was longer. */
  #expiredBefore(caller: number, count: number, timeMs: number): number {
    let expired = 0;
    if (this.#windowMs === this.#retentionMs) return expired;
    while (expired < count && (timeMs - this.#stamps.at(caller, expired)) >>> 0 >= this.#windowMs) expired++;
    return expired;
  }

  #isExpired(stamp: number, timeMs: number): boolean {
    return (timeMs - stamp) >>> 0 >= this.#retentionMs;
  }

  #dropExpired(caller: number, timeMs: number): number {
    let count = this.#stamps.count(caller);
    while (count > 0 && this.#isExpired(this.#stamps.first(caller), timeMs)) {
      this.#stamps.shift(caller);
      count--;
    }
    return count;
  }

  #push(caller: number, timeMs: number): void {
    this.#stamps.push(caller, timeMs);
    this.#stamps.records.set(caller, LATEST, timeMs);
    this.#latestMs = timeMs;
    if (caller === this.#newest) return;
    this.#leaveLine(caller);
    this.#joinLine(caller);
  }

  #add(key: string): number {
    const caller = this.#stamps.open();
    this.#callers.set(key, caller);
    this.#keys[caller] = key;
    if (isSharedKey(key)) this.#sharedLogs++;
    this.#joinLine(caller);
    return caller;
  }

  /** Drops callers whose latest admission has expired. */
  #sweep(timeMs: number): void {
    if (timeMs - this.#latestMs >= this.#retentionMs) {
      if (this.#callers.size > 0) this.#evictAll();
      return;
    }
    const { records } = this.#stamps;
    while (this.#oldest !== NONE && this.#isExpired(records.get(this.#oldest, LATEST), timeMs)) {
      const key = this.#keys[this.#oldest] ?? "";
      this.#callers.delete(key);
      if (isSharedKey(key)) this.#sharedLogs--;
      const caller = this.#oldest;
      this.#leaveLine(caller);
      this.#stamps.close(caller);
    }
  }

  #evictAll(): void {
    this.#callers.clear();
    this.#sharedLogs = 0;
    this.#keys.length = 0;
    this.#stamps.clear();
    this.#oldest = NONE;
    this.#newest = NONE;
  }

  #joinLine(caller: number): void {
    const { records } = this.#stamps;
    records.set(caller, OLDER, this.#newest);
    records.set(caller, NEWER, NONE);
    if (this.#newest === NONE) this.#oldest = caller;
    else records.set(this.#newest, NEWER, caller);
    this.#newest = caller;
  }

  #leaveLine(caller: number): void {
    const { records } = this.#stamps;
    const [older, newer] = [records.get(caller, OLDER), records.get(caller, NEWER)];
    if (older === NONE) this.#oldest = newer;
    else records.set(older, NEWER, newer);
    if (newer === NONE) this.#newest = older;
    else records.set(newer, OLDER, older);
  }
}
