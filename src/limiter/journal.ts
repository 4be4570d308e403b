import type { ClockState } from "./clock.ts";
import type { SlidingWindowLog } from "./sliding-window-log.ts";

/** Part of an object's storage that the journal uses. A write must not delay responses until it is on disk. */
export interface RecordStore {
  readonly kv: {
    list(of: { readonly prefix: string }): Iterable<readonly [key: string, value: unknown]>;
    get(key: string): unknown;
  };
  readonly put: (key: string, value: unknown) => void;
  readonly delete: (key: string) => void;
}

/** Head of a record, which is kept in memory. */
interface RecordHead extends ClockState {
  /** Version of the record's format, raised when its meaning changes. Records of other versions count as expired. */
  readonly format: number;
  readonly number: number;
  /** Age at which everything in the record has expired. */
  readonly retentionMs: number;
}

/** A record: the admissions since the previous record, and the state of the clock. */
interface JournalRecord extends RecordHead {
  /**
   * Callers of the admissions; the time of each has the same index in `timesMs`. Two arrays take half as long to write
   * as an array of objects.
   */
  readonly callers: readonly string[];
  readonly timesMs: readonly number[];
}

const FORMAT = 4;
const PREFIX = "admissions/";

/**
 * Journal of admissions on disk. An expired record is overwritten or deleted by the next write, or deleted by the
 * replay. Memory holds the heads of records only. Times are those of the monotonic clock.
 */
export class Journal {
  readonly #store: RecordStore;
  /** Records on disk, oldest first. */
  #written: { readonly key: string; readonly head: RecordHead }[] = [];
  #nextIndex = 0;
  #callers: string[] = [];
  #timesMs: number[] = [];

  constructor(store: RecordStore) {
    this.#store = store;
    for (const [key, value] of store.kv.list({ prefix: PREFIX })) {
      this.#nextIndex = Math.max(this.#nextIndex, Number(key.slice(PREFIX.length)) + 1);
      // The cast is safe because only this class writes these records.
      const { callers: _callers, timesMs: _timesMs, ...head } = value as JournalRecord;
      this.#written.push({ key, head });
    }
    this.#written.sort((left, right) => left.head.number - right.head.number);
  }

  /** Last state of the clock; undefined if nothing was written in this format. */
  get clock(): ClockState | undefined {
    return this.#written.findLast(({ head }) => head.format === FORMAT)?.head;
  }

  /** Replays the unexpired admissions on disk into a log, oldest first, reading one record at a time. */
  replay(nowMs: number, log: Pick<SlidingWindowLog, "record" | "retentionMs">): void {
    for (const key of this.#takeExpired(nowMs, log.retentionMs)) this.#store.delete(key);
    for (const { key, head } of this.#written) {
      const { callers, timesMs } = this.#store.kv.get(key) as JournalRecord;
      for (const [index, caller] of callers.entries()) log.record(caller, timesMs[index] ?? head.timeMs);
    }
  }

  record(caller: string, timeMs: number): void {
    this.#callers.push(caller);
    this.#timesMs.push(timeMs);
  }

  /** Writes the admissions recorded since the last call, if any. */
  flush(clock: ClockState, retentionMs: number): void {
    if (this.#callers.length > 0) this.write(clock, retentionMs);
  }

  /** Writes a record even without admissions, to persist the clock. */
  write(clock: ClockState, retentionMs: number): void {
    const number = (this.#written.at(-1)?.head.number ?? 0) + 1;
    const [reused, ...expired] = this.#takeExpired(clock.timeMs, retentionMs);
    for (const key of expired) this.#store.delete(key);
    const key = reused ?? `${PREFIX}${this.#nextIndex++}`;
    const head: RecordHead = { ...clock, format: FORMAT, number, retentionMs };
    this.#store.put(key, { ...head, callers: this.#callers, timesMs: this.#timesMs } satisfies JournalRecord);
    this.#written.push({ key, head });
    [this.#callers, this.#timesMs] = [[], []];
  }

  /** Removes expired records, and records of other formats, from memory and returns their keys. */
  #takeExpired(nowMs: number, retentionMs: number): string[] {
    const expired: string[] = [];
    this.#written = this.#written.filter(({ key, head }) => {
      const isExpired = head.format !== FORMAT || nowMs - head.timeMs >= Math.max(head.retentionMs, retentionMs);
      if (isExpired) expired.push(key);
      return !isExpired;
    });
    return expired;
  }
}
