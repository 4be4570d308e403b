import type { ClockState } from "./monotonic-clock.ts";

/** What a journal needs of an object's storage. */
export interface Rows {
  exec(query: string, ...bindings: (string | number)[]): Iterable<Record<string, unknown>>;
}

export interface Admission {
  readonly key: string;
  readonly timeMs: number;
}

/** One row, as far as memory needs to know it. */
interface Slot {
  readonly slot: number;
  readonly timeMs: number;
}

/**
 * Admissions on disk, one row for each second that had any. A row is written over once everything in it has expired,
 * so there are never more rows than a window has seconds, and a few. Row times are the clock's own, which never goes
 * back; the newest row also says how the clock stood.
 */
export class Journal {
  readonly #rows: Rows;
  /** Oldest first. */
  readonly #slots: Slot[] = [];
  #lastNumber = 0;
  #keys: string[] = [];
  #times: number[] = [];

  constructor(rows: Rows) {
    this.#rows = rows;
    rows.exec(
      "CREATE TABLE IF NOT EXISTS journal (slot INTEGER PRIMARY KEY, number INTEGER, time INTEGER, reading INTEGER, highest INTEGER, admissions TEXT)",
    );
  }

  /** Everything on disk, oldest first, and the clock as it last stood; no clock when nothing was ever written. */
  reload(): { readonly clock: ClockState | null; readonly admissions: Admission[] } {
    this.#slots.length = 0;
    let clock: ClockState | null = null;
    const admissions: Admission[] = [];
    for (const row of this.#rows.exec("SELECT * FROM journal ORDER BY number")) {
      const timeMs = Number(row["time"]);
      this.#slots.push({ slot: Number(row["slot"]), timeMs });
      this.#lastNumber = Number(row["number"]);
      clock = { timeMs, lastReadingMs: Number(row["reading"]), highestReadingMs: Number(row["highest"]) };
      const [keys, ages]: [string[], number[]] = JSON.parse(String(row["admissions"]));
      for (const [index, key] of keys.entries()) admissions.push({ key, timeMs: timeMs - (ages[index] ?? 0) });
    }
    return { clock, admissions };
  }

  note(key: string, timeMs: number): void {
    this.#keys.push(key);
    this.#times.push(timeMs);
  }

  /** Writes what was noted since the last call: one row, or none. */
  flush(clock: ClockState, windowMs: number): void {
    if (this.#keys.length > 0) this.write(clock, windowMs);
  }

  /** Writes a row though nothing may have been noted: how the clock stands is in it too. */
  write(clock: ClockState, windowMs: number): void {
    const { timeMs, lastReadingMs, highestReadingMs } = clock;
    const oldest = this.#slots[0];
    const reuse = oldest !== undefined && timeMs - oldest.timeMs >= windowMs;
    const slot = reuse ? oldest.slot : this.#slots.length;
    const admissions = JSON.stringify([this.#keys, this.#times.map((time) => timeMs - time)]);
    this.#rows.exec(
      "INSERT OR REPLACE INTO journal VALUES (?, ?, ?, ?, ?, ?)",
      slot,
      ++this.#lastNumber,
      timeMs,
      lastReadingMs,
      highestReadingMs,
      admissions,
    );
    if (reuse) this.#slots.shift();
    this.#slots.push({ slot, timeMs });
    this.#keys = [];
    this.#times = [];
  }
}
