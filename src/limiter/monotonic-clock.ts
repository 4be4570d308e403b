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
 * is blocked for more than one window after a reading has shown that the wall clock was set.
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

/** Right clocks of two machines differ by less than this, and so does one at a call's two ends. */
const APART_MS = 10_000;

/**
 * What an object reads as its clock. That of the runtime never goes back while an object is awake: when its host's is set
 * back, it stands until that has caught up, for hours perhaps. The clocks of the object's callers, each read for its
 * request, show what passes meanwhile. They count only while the own clock has not moved since the call before, is more
 * than ten seconds ahead of the caller's, and only in stretches of more than ten seconds, so they may differ from the own
 * one and from one another by up to that; one that is further off, ahead or behind, changes nothing unless the own one
 * stands, and then only makes admissions expire early. At most twenty seconds of a standstill are not counted.
 */
export class AwakeClock {
  #ownMs = Number.NEGATIVE_INFINITY;
  /** How long the own clock has stood, and when that began by the callers'. */
  #stoodMs = 0;
  #sinceMs = 0;

  /** A reading for {@link MonotonicClock}: the own clock, and how long it has stood. Both in milliseconds since the epoch. */
  read(ownMs: number, callerMs: number): number {
    if (ownMs !== this.#ownMs) {
      this.#ownMs = ownMs;
      this.#stoodMs = 0;
      this.#sinceMs = callerMs;
    } else if (ownMs - callerMs > APART_MS) {
      // Set back: nobody knows how much passed since the call before.
      const isSetBack = callerMs - this.#sinceMs < this.#stoodMs - APART_MS;
      if (isSetBack) this.#sinceMs = callerMs - this.#stoodMs;
      const stoodMs = callerMs - this.#sinceMs;
      if (stoodMs > APART_MS) this.#stoodMs = Math.max(this.#stoodMs, stoodMs);
    }
    return ownMs + this.#stoodMs;
  }
}
