/** What a {@link MonotonicClock} knows; enough to go on after a restart. Milliseconds since the epoch. */
export interface ClockState {
  /** The clock's own time, which never goes back. Equal to the reading until a reading first goes back. */
  readonly timeMs: number;
  readonly lastReadingMs: number;
  readonly highestReadingMs: number;
}

/**
 * Turns readings of a clock that may be set back and forth into a time that never goes back. A reading that goes back
 * counts as no time at all: what was admitted keeps its age, and nobody waits for the old reading to come round again.
 * A step from below the highest reading to above it counts only from there: a clock that went back and came forth again
 * has not lived the stretch twice. So nobody is held for longer than a window after the clock was last set.
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

  /** Whether a reading shows that the clock was set since the last one: back, or forth again. */
  wasSet(readingMs: number): boolean {
    const wentBack = readingMs < this.#lastReadingMs;
    return wentBack || (this.#lastReadingMs < this.#highestReadingMs && readingMs >= this.#highestReadingMs);
  }

  get state(): ClockState {
    return { timeMs: this.#timeMs, lastReadingMs: this.#lastReadingMs, highestReadingMs: this.#highestReadingMs };
  }
}

/** A clock that has seen one reading. */
export function clockAt(readingMs: number): MonotonicClock {
  return new MonotonicClock({ timeMs: readingMs, lastReadingMs: readingMs, highestReadingMs: readingMs });
}
