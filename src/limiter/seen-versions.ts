import { isWithin } from "../base/utc.ts";
import { type LedgerPoint, laterPoint } from "../chain/ledger-point.ts";

export interface SeenVersionsLimits {
  /** Least time for which a caller's entry is kept after its last update. */
  readonly keepMs: number;
  /** Number of callers to remember; up to twice as many entries are stored. */
  readonly maxCallers: number;
}

/** Limits of an object, and of one policy in an isolate. */
const LIMITS: SeenVersionsLimits = { keepMs: 60_000, maxCallers: 10_000 };

/**
 * The newest ledger point that each caller has seen. Bounded, and never too low: a caller without an entry gets a point
 * at or above every dropped entry. Half of the table is dropped at a time.
 */
export class SeenVersions {
  readonly #limits: SeenVersionsLimits;
  #current = new Map<string, LedgerPoint>();
  #previous = new Map<string, LedgerPoint>();
  /** Point at or above every dropped entry. */
  #base: LedgerPoint | null;
  /** Point at or above every entry of `#previous`. */
  #previousNewest: LedgerPoint | null;
  #newest: LedgerPoint | null;
  #rotatedAtMs = 0;

  /** `base` is a point that any caller may have seen. */
  constructor(base: LedgerPoint | null, limits = LIMITS) {
    this.#limits = limits;
    this.#base = this.#previousNewest = this.#newest = base;
  }

  get size(): number {
    return this.#current.size + this.#previous.size;
  }

  /** Returns the least point that a response to this caller may show; null: it may show any point. */
  floorOf(key: string): LedgerPoint | null {
    return this.#current.get(key) ?? this.#previous.get(key) ?? this.#base;
  }

  /** Records a point that a caller is about to see. A point of a new era drops all entries of the old era. */
  record(key: string, { era, version }: LedgerPoint, nowMs: number): void {
    const newestEra = this.#newest?.era ?? 0;
    if (era < newestEra) return;
    if (era > newestEra) this.#begin(era);
    this.#rotate(nowMs);
    // Most callers are shown the same point again by their next request.
    const previous = this.#current.get(key);
    if (previous !== undefined && previous.era === era && previous.version >= version) return;
    const seen = laterPoint(this.floorOf(key), { era, version });
    if (seen !== null) this.#current.set(key, seen);
    this.#newest = laterPoint(this.#newest, seen);
  }

  #begin(era: number): void {
    this.#current.clear();
    this.#previous.clear();
    this.#base = this.#previousNewest = this.#newest = { era, version: -1n };
  }

  #rotate(nowMs: number): void {
    const { keepMs, maxCallers } = this.#limits;
    if (isWithin(this.#rotatedAtMs, keepMs, nowMs) && this.#current.size < maxCallers) return;
    this.#base = this.#previousNewest;
    this.#previousNewest = this.#newest;
    this.#previous = this.#current;
    this.#current = new Map();
    this.#rotatedAtMs = nowMs;
  }
}
