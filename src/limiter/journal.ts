import type { ClockState } from "./monotonic-clock.ts";

/** What the journal uses of an object's storage. */
export interface RecordStore {
  readonly list: (prefix: string) => Iterable<readonly [key: string, value: unknown]>;
  /** Must not delay responses until the write is on disk. */
  readonly put: (key: string, value: unknown) => void;
}

export interface RecordedAdmission {
  readonly key: string;
  readonly timeMs: number;
}

/** One record: the admissions since the previous one, and the state of the clock. */
interface JournalRecord extends ClockState {
  /** Raised when a record changes its meaning; records of other formats are ignored. */
  readonly format: number;
  readonly number: number;
  readonly keys: readonly string[];
  /** Milliseconds before `timeMs`, for each key. */
  readonly agesMs: readonly number[];
}

/** What memory keeps of a record. */
interface Slot {
  readonly slot: number;
  readonly timeMs: number;
}

const FORMAT = 1;
const PREFIX = "admissions/";

/**
 * Admissions on disk, in records that are reused once everything in them has expired, so that their number is bounded
 * by the window. Times are those of the monotonic clock, whose state is in the newest record.
 */
export class Journal {
  readonly #store: RecordStore;
  /** Oldest first. */
  readonly #slots: Slot[] = [];
  #lastNumber = 0;
  #keys: string[] = [];
  #times: number[] = [];

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /** All admissions on disk, oldest first, and the last state of the clock; null when nothing was written. */
  load(): { readonly clock: ClockState | null; readonly admissions: readonly RecordedAdmission[] } {
    const records: { readonly slot: number; readonly record: JournalRecord }[] = [];
    for (const [key, value] of this.#store.list(PREFIX)) {
      const record = value as JournalRecord; // written by this class alone, in this format
      if (record.format === FORMAT) records.push({ slot: Number(key.slice(PREFIX.length)), record });
    }
    records.sort((left, right) => left.record.number - right.record.number);
    const admissions: RecordedAdmission[] = [];
    for (const { slot, record } of records) {
      const { timeMs, keys, agesMs, number } = record;
      this.#slots.push({ slot, timeMs });
      this.#lastNumber = number;
      for (const [index, key] of keys.entries()) admissions.push({ key, timeMs: timeMs - (agesMs[index] ?? 0) });
    }
    return { clock: records.at(-1)?.record ?? null, admissions };
  }

  note(key: string, timeMs: number): void {
    this.#keys.push(key);
    this.#times.push(timeMs);
  }

  /** Writes what was noted since the last call, if anything. */
  flush(clock: ClockState, retentionMs: number): void {
    if (this.#keys.length > 0) this.write(clock, retentionMs);
  }

  /** Writes a record even without admissions, to persist the clock. */
  write({ timeMs, lastReadingMs, highestReadingMs }: ClockState, retentionMs: number): void {
    const oldest = this.#slots[0];
    const isReused = oldest !== undefined && timeMs - oldest.timeMs >= retentionMs;
    const slot = isReused ? oldest.slot : this.#slots.length;
    const agesMs = this.#times.map((time) => timeMs - time);
    const number = ++this.#lastNumber;
    const record = { format: FORMAT, number, timeMs, lastReadingMs, highestReadingMs, keys: this.#keys, agesMs };
    this.#store.put(`${PREFIX}${slot}`, record satisfies JournalRecord);
    if (isReused) this.#slots.shift();
    this.#slots.push({ slot, timeMs });
    this.#keys = [];
    this.#times = [];
  }
}
