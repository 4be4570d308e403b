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
 * The clock of an object's host. That of the runtime never goes back while the object is awake: when the host's is set
 * back, it stands until that has caught up, for hours perhaps. So while it has not moved since the call before and is more
 * than ten seconds ahead of the caller's, it is the caller's that counts, in steps of more than ten seconds, because
 * callers' clocks differ by less. Of a standstill at most twenty seconds are not counted. One isolate whose clock is wrong
 * changes nothing while the own clock goes; while that stands, admissions may expire early.
 */
export class AwakeClock {
  #ownMs = Number.NEGATIVE_INFINITY;
  /** The host's, while the own one stands. */
  #hostMs: number | null = null;

  /** A reading for {@link MonotonicClock}. The object's own clock and its caller's, in milliseconds since the epoch. */
  read(ownMs: number, callerMs: number): number {
    const stands = ownMs === this.#ownMs && ownMs - callerMs > APART_MS;
    this.#ownMs = ownMs;
    if (!stands) this.#hostMs = null;
    else if (this.#hostMs === null || Math.abs(callerMs - this.#hostMs) > APART_MS) this.#hostMs = callerMs;
    return this.#hostMs ?? ownMs;
  }
}
