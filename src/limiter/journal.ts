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
  /** The admissions: key and time have the same index. Two arrays take half the time of one of objects to write. */
  readonly keys: readonly string[];
  readonly timesMs: readonly number[];
}

const FORMAT = 3;
const PREFIX = "admissions/";

/**
 * Admissions on disk, in records that are reused once everything in them has expired, so that their number is bounded
 * by the window. Times are those of the monotonic clock, whose state is in the newest record.
 */
export class Journal {
  readonly #store: RecordStore;
  /** What is on disk, oldest first: the record's key and time. */
  readonly #written: { readonly key: string; readonly timeMs: number }[] = [];
  #lastNumber = 0;
  /** Of the next new record; those of other formats keep theirs. */
  #nextIndex = 0;
  #keys: string[] = [];
  #timesMs: number[] = [];

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /** All admissions on disk, oldest first, and the last state of the clock; null when nothing was written. */
  load(): { readonly clock: ClockState | null; readonly admissions: readonly RecordedAdmission[] } {
    const stored = [...this.#store.list(PREFIX)];
    this.#nextIndex = Math.max(-1, ...stored.map(([key]) => Number(key.slice(PREFIX.length)))) + 1;
    const records = stored
      // Written by this class alone, in this format; before 1.2.0 without `countedMs`.
      .map(([key, value]) => ({ countedMs: 0, ...(value as Omit<JournalRecord, "countedMs">), key }))
      .filter(({ format }) => format === FORMAT)
      .sort((left, right) => left.number - right.number);
    for (const { key, timeMs } of records) this.#written.push({ key, timeMs });
    const newest = records.at(-1) ?? null;
    this.#lastNumber = newest?.number ?? 0;
    return { clock: newest, admissions: records.flatMap(admissionsOf) };
  }

  note(key: string, timeMs: number): void {
    this.#keys.push(key);
    this.#timesMs.push(timeMs);
  }

  /** Writes what was noted since the last call, if anything. */
  flush(clock: ClockState, retentionMs: number): void {
    if (this.#keys.length > 0) this.write(clock, retentionMs);
  }

  /** Writes a record even without admissions, to persist the clock. */
  write(clock: ClockState, retentionMs: number): void {
    const { timeMs } = clock;
    const oldest = this.#written[0];
    const isReused = oldest !== undefined && timeMs - oldest.timeMs >= retentionMs;
    const key = isReused ? oldest.key : `${PREFIX}${this.#nextIndex++}`;
    const [keys, timesMs] = [this.#keys, this.#timesMs];
    const record: JournalRecord = { ...clock, format: FORMAT, number: ++this.#lastNumber, keys, timesMs };
    this.#store.put(key, record);
    if (isReused) this.#written.shift();
    this.#written.push({ key, timeMs });
    [this.#keys, this.#timesMs] = [[], []];
  }
}

function admissionsOf({ keys, timesMs }: JournalRecord): RecordedAdmission[] {
  return keys.flatMap((key, index) => {
    const timeMs = timesMs[index];
    return timeMs === undefined ? [] : [{ key, timeMs }];
  });
}
