import { isAtLeast, type LedgerPoint } from "../chain/ledger-point.ts";

export interface SeenVersionsLimits {
  /** A caller that was noted nothing for this long loses its own entry, at the earliest. */
  readonly keepMs: number;
  /** Twice as many callers are kept at most. */
  readonly maxCallers: number;
}

/**
 * The newest ledger point that each caller was shown. Bounded, and never too low: a caller without an entry has the
 * highest point that any dropped entry had. Entries are dropped half a table at a time.
 */
export class SeenVersions {
  readonly #limits: SeenVersionsLimits;
  #epoch = 0;
  #current = new Map<string, bigint>();
  #previous = new Map<string, bigint>();
  #currentMax = -1n;
  #previousMax = -1n;
  #base = -1n;
  #rotatedAtMs = 0;

  /** `base` is a point that any caller may have been shown. */
  constructor(limits: SeenVersionsLimits, base: LedgerPoint | null) {
    this.#limits = limits;
    if (base === null) return;
    this.#epoch = base.epoch;
    this.#base = base.version;
  }

  get size(): number {
    return this.#current.size + this.#previous.size;
  }

  /** What an answer to this caller must be at or above; null when anything will do. */
  floorOf(key: string): LedgerPoint | null {
    const version = this.#current.get(key) ?? this.#previous.get(key) ?? this.#base;
    return version < 0n && this.#epoch === 0 ? null : { epoch: this.#epoch, version };
  }

  /** Notes what a caller is about to be shown. A point of a new epoch frees all callers of the old one. */
  note(key: string, { epoch, version }: LedgerPoint, nowMs: number): void {
    if (epoch < this.#epoch) return;
    if (epoch > this.#epoch) this.#enter(epoch);
    this.#rotate(nowMs);
    const known = this.floorOf(key);
    if (known !== null && isAtLeast(known, { epoch, version }) && this.#current.has(key)) return;
    const newest = known !== null && known.version > version ? known.version : version;
    this.#current.set(key, newest);
    if (newest > this.#currentMax) this.#currentMax = newest;
  }

  #enter(epoch: number): void {
    this.#epoch = epoch;
    this.#current.clear();
    this.#previous.clear();
    this.#currentMax = this.#previousMax = this.#base = -1n;
  }

  #rotate(nowMs: number): void {
    const ageMs = nowMs - this.#rotatedAtMs;
    if (ageMs >= 0 && ageMs < this.#limits.keepMs && this.#current.size < this.#limits.maxCallers) return;
    if (this.#previousMax > this.#base) this.#base = this.#previousMax;
    this.#previous = this.#current;
    this.#previousMax = this.#currentMax;
    this.#current = new Map();
    this.#currentMax = -1n;
    this.#rotatedAtMs = nowMs;
  }
}
