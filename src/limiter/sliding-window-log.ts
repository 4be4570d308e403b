import { CROWD_KEY, isSharedKey, sharedKeyOf } from "./caller.ts";
import { type PackedDecision, packAdmitted, packRefused } from "./packed-decision.ts";
import { LATEST, NEWER, OLDER, TimestampQueues } from "./timestamp-queues.ts";

export interface LogLimits {
  readonly quota: number;
  readonly windowMs: number;
  /** Callers with a log of their own; beyond it new IPv6 callers share their /48. */
  readonly maxCallers: number;
}

const NONE = 0xffff_ffff;

/**
 * The exact rule, for many callers: in any half-open window of `windowMs` a caller is admitted at most `quota` times,
 * and never refused when fewer were admitted in the last `windowMs`. A sliding log is the only common scheme that
 * keeps both. `timeMs` must never go back (see {@link ForwardClock}). Every step is constant time on average.
 * Stamps are times modulo 2^32; none lives for longer than two windows, so differences are exact.
 */
export class SlidingWindowLog {
  readonly #limits: LogLimits;
  readonly #callers = new Map<string, number>();
  readonly #keys: string[] = [];
  readonly #stamps = new TimestampQueues();
  // Callers form a line in the order of their latest admission, so that the expired ones are always in front.
  #oldest = NONE;
  #newest = NONE;
  #sharedLogs = 0;
  #latestMs = Number.NEGATIVE_INFINITY;

  constructor(limits: LogLimits) {
    this.#limits = limits;
  }

  /** Callers held: those with an admission in the window before the last call. */
  get size(): number {
    return this.#callers.size;
  }

  /** The key whose log counts this caller: its own, unless the table was full when it came. */
  chargedKey(key: string, timeMs: number): string {
    this.#sweep(timeMs);
    const { maxCallers } = this.#limits;
    const size = this.#callers.size;
    if ((size < maxCallers && this.#sharedLogs === 0) || this.#callers.has(key)) return key;
    const shared = sharedKeyOf(key);
    // A shared log that lives still counts its callers, even when there is room again: else they would begin afresh.
    if (shared !== null && this.#callers.has(shared)) return shared;
    if (this.#callers.has(CROWD_KEY)) return CROWD_KEY;
    if (size < maxCallers) return key;
    return size < 2 * maxCallers ? (shared ?? key) : CROWD_KEY;
  }

  /** Counts one request of a charged key if it may pass. */
  take(key: string, timeMs: number): PackedDecision {
    this.#sweep(timeMs);
    const caller = this.#callers.get(key) ?? this.#add(key);
    const count = this.#dropExpired(caller, timeMs);
    if (count >= this.#limits.quota) return packRefused(this.#untilMoreMs(caller, timeMs));
    this.#push(caller, timeMs);
    return packAdmitted(this.#limits.quota - count - 1, this.#untilMoreMs(caller, timeMs));
  }

  /** How a charged key stands; counts nothing. */
  peek(key: string, timeMs: number): PackedDecision {
    this.#sweep(timeMs);
    const caller = this.#callers.get(key);
    if (caller === undefined) return packAdmitted(this.#limits.quota, 0);
    const left = this.#limits.quota - this.#dropExpired(caller, timeMs);
    const untilMoreMs = this.#untilMoreMs(caller, timeMs);
    return left > 0 ? packAdmitted(left, untilMoreMs) : packRefused(untilMoreMs);
  }

  /** Counts an admission that was decided elsewhere, or before a restart. */
  record(key: string, timeMs: number): void {
    this.#sweep(timeMs);
    const caller = this.#callers.get(key) ?? this.#add(key);
    if (this.#dropExpired(caller, timeMs) >= this.#limits.quota) this.#stamps.shift(caller);
    this.#push(caller, timeMs);
  }

  #isExpired(stamp: number, timeMs: number): boolean {
    return (timeMs - stamp) >>> 0 >= this.#limits.windowMs;
  }

  #untilMoreMs(caller: number, timeMs: number): number {
    return this.#limits.windowMs - ((timeMs - this.#stamps.first(caller)) >>> 0);
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

  /** Forgets the callers whose latest admission is a window old. */
  #sweep(timeMs: number): void {
    if (timeMs - this.#latestMs >= this.#limits.windowMs) {
      if (this.#callers.size > 0) this.#forgetAll();
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

  #forgetAll(): void {
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
