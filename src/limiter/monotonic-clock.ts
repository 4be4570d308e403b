/** The state of a {@link MonotonicClock}, sufficient to continue after a restart. Milliseconds since the epoch. */
export interface ClockState {
  /** The clock's own time; never decreases. Equal to the reading until a reading first decreases. */
  readonly timeMs: number;
  readonly lastReadingMs: number;
  readonly highestReadingMs: number;
}

/**
 * Turns wall-clock readings into monotonic time. A backward step adds no time, so admissions keep their age. When the
 * wall clock is set forward again past its highest reading, only the excess counts, because the repeated stretch did
 * not pass twice. No caller is blocked for more than one window after the wall clock was set.
 */
export class MonotonicClock {
  #timeMs: number;
  #lastReadingMs: number;
  #highestReadingMs: number;

  constructor(state: ClockState) {
    this.#timeMs = state.timeMs;
    this.#lastReadingMs = state.lastReadingMs;
    this.#highestReadingMs = state.highestReadingMs;
  }

  advance(readingMs: number): number {
    if (readingMs >= this.#highestReadingMs) {
      this.#timeMs += readingMs - this.#highestReadingMs;
      this.#highestReadingMs = readingMs;
    } else if (readingMs > this.#lastReadingMs) {
      this.#timeMs += readingMs - this.#lastReadingMs;
    }
    this.#lastReadingMs = readingMs;
    return this.#timeMs;
  }

  /** Whether a reading shows that the wall clock was set since the last one, back or forward again. */
  wasSet(readingMs: number): boolean {
    const wentBack = readingMs < this.#lastReadingMs;
    return wentBack || (this.#lastReadingMs < this.#highestReadingMs && readingMs >= this.#highestReadingMs);
  }

  get state(): ClockState {
    return { timeMs: this.#timeMs, lastReadingMs: this.#lastReadingMs, highestReadingMs: this.#highestReadingMs };
  }
}

export function clockAt(readingMs: number): MonotonicClock {
  return new MonotonicClock({ timeMs: readingMs, lastReadingMs: readingMs, highestReadingMs: readingMs });
}
