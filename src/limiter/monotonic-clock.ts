/** The state of a {@link MonotonicClock}, sufficient to continue after a restart. Milliseconds since the epoch. */
export interface ClockState {
  /** The clock's own time; never decreases. Equal to the reading until a reading first decreases. */
  readonly timeMs: number;
  readonly lastReadingMs: number;
  readonly highestReadingMs: number;
  /** What has passed since the readings fell below the highest one. */
  readonly countedMs: number;
}

/**
 * Turns wall-clock readings into monotonic time. A backward step adds no time, so admissions keep their age. When the
 * wall clock is set forward again past its highest reading, only the excess counts that was not counted since. No caller
 * is blocked for more than one window after the wall clock was set.
 */
export class MonotonicClock {
  #state: ClockState;

  constructor(state: ClockState) {
    this.#state = state;
  }

  get state(): ClockState {
    return this.#state;
  }

  advance(readingMs: number): number {
    const { timeMs, lastReadingMs, highestReadingMs, countedMs } = this.#state;
    if (readingMs === lastReadingMs) return timeMs;
    const isBack = readingMs < highestReadingMs;
    const passedMs = Math.max(0, isBack ? readingMs - lastReadingMs : readingMs - highestReadingMs - countedMs);
    this.#state = {
      timeMs: timeMs + passedMs,
      lastReadingMs: readingMs,
      highestReadingMs: Math.max(highestReadingMs, readingMs),
      countedMs: isBack ? countedMs + passedMs : 0,
    };
    return this.#state.timeMs;
  }

  /** Whether a reading shows that the wall clock was set since the last one, back or forward again. */
  wasSet(readingMs: number): boolean {
    const { lastReadingMs, highestReadingMs } = this.#state;
    return readingMs < lastReadingMs || (lastReadingMs < highestReadingMs && readingMs >= highestReadingMs);
  }
}

export function clockAt(readingMs: number): MonotonicClock {
  return new MonotonicClock({ timeMs: readingMs, lastReadingMs: readingMs, highestReadingMs: readingMs, countedMs: 0 });
}
