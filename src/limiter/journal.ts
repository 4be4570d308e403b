import type { ClockState } from "./clock.ts";
import type { SlidingWindowLog } from "./sliding-window-log.ts";

/** What the journal uses of an object's storage. Writing must not delay responses until it is on disk. */
export interface RecordStore {
  readonly kv: {
    list(of: { readonly prefix: string }): Iterable<readonly [key: string, value: unknown]>;
    get(key: string): unknown;
  };
  readonly put: (key: string, value: unknown) => void;
  readonly delete: (key: string) => void;
}

/** What is known of a record without reading it. */
interface RecordHead extends ClockState {
  /** Raised when a record changes its meaning; records of other formats count as expired. */
  readonly format: number;
  readonly number: number;
  /** Once its time is this long ago, everything in it has expired. */
  readonly retentionMs: number;
}

/** One record: the admissions since the previous one, and the state of the clock. */
interface JournalRecord extends RecordHead {
  /** The admissions: caller and time have the same index. Two arrays take half the time of one of objects to write. */
  readonly callers: readonly string[];
  readonly timesMs: readonly number[];
}

const FORMAT = 4;
const PREFIX = "admissions/";

/**
 * Admissions on disk, in records that are overwritten or deleted once everything in them has expired, with the first one
 * written after that, or read. In memory are only their heads. Times are those of the monotonic clock.
 */
export class Journal {
  readonly #store: RecordStore;
  /** What is on disk, oldest first. */
  #written: { readonly key: string; readonly head: RecordHead }[] = [];
  #nextIndex = 0;
  #callers: string[] = [];
  #timesMs: number[] = [];

  constructor(store: RecordStore) {
    this.#store = store;
    for (const [key, value] of store.kv.list({ prefix: PREFIX })) {
      this.#nextIndex = Math.max(this.#nextIndex, Number(key.slice(PREFIX.length)) + 1);
      // Written by this class alone, in this format.
      const { callers: _callers, timesMs: _timesMs, ...head } = value as JournalRecord;
      this.#written.push({ key, head });
    }
    this.#written.sort((left, right) => left.head.number - right.head.number);
  }

  /** The last state of the clock, if anything was written. */
  get clock(): ClockState | undefined {
    return this.#written.findLast(({ head }) => head.format === FORMAT)?.head;
  }

  /** Records the admissions on disk that have not expired, oldest first, reading one record at a time. */
  replay(nowMs: number, log: Pick<SlidingWindowLog, "record" | "retentionMs">): void {
    for (const key of this.#takeExpired(nowMs, log.retentionMs)) this.#store.delete(key);
    for (const { key, head } of this.#written) {
      const { callers, timesMs } = this.#store.kv.get(key) as JournalRecord;
      for (const [index, caller] of callers.entries()) log.record(caller, timesMs[index] ?? head.timeMs);
    }
  }

  note(caller: string, timeMs: number): void {
    this.#callers.push(caller);
    this.#timesMs.push(timeMs);
  }

  /** Writes what was noted since the last call, if anything. */
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

  /** The keys of expired records, and of those of other formats, which are no longer known. */
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
