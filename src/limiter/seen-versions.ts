import { isAtLeast, type LedgerPoint } from "../chain/ledger-point.ts";

export interface SeenVersionsLimits {
  /** A caller's entry is kept at least this long after its last update. */
  readonly keepMs: number;
  /** At most twice this many entries are stored. */
  readonly maxCallers: number;
}

/**
 * The newest ledger point that each caller has seen. Bounded and never too low: a caller without an entry gets the
 * highest point of any dropped entry. Entries are dropped half a table at a time.
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

  /** `base` is a point that any caller may have seen. */
  constructor(limits: SeenVersionsLimits, base: LedgerPoint | null) {
    this.#limits = limits;
    if (base === null) return;
    this.#epoch = base.epoch;
    this.#base = base.version;
  }

  get size(): number {
    return this.#current.size + this.#previous.size;
  }

  /** The minimum point of a response to this caller; null when there is none. */
  floorOf(key: string): LedgerPoint | null {
    const version = this.#current.get(key) ?? this.#previous.get(key) ?? this.#base;
    return version < 0n && this.#epoch === 0 ? null : { epoch: this.#epoch, version };
  }

  /** Records what a caller is about to see. A point of a new epoch drops all entries of the old one. */
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
