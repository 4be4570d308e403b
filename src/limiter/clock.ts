/** State of a {@link MonotonicClock}, sufficient to continue after a restart. Milliseconds since the epoch. */
export interface ClockState {
  /** Monotonic time, which never decreases. Equal to the reading until a reading first decreases. */
  readonly timeMs: number;
  readonly lastReadingMs: number;
  readonly highestReadingMs: number;
  /** Time that has passed since the readings fell below the highest one. */
  readonly countedMs: number;
}

/**
 * Clock that turns wall-clock readings into monotonic time. A step back adds no time, so admissions keep their age.
 * When the wall clock is later set forward past its highest reading, only the time not yet counted is added. A changed
 * clock blocks no caller for longer than one window after the reading that showed it.
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

  /**
   * Whether a reading shows that the wall clock was set since the last reading: back, or forward again afterwards, to
   * the highest reading or beyond.
   */
  wasSet(readingMs: number): boolean {
    const { lastReadingMs, highestReadingMs } = this.#state;
    return readingMs < lastReadingMs || (lastReadingMs < highestReadingMs && readingMs >= highestReadingMs);
  }
}

export function clockAt(readingMs: number): MonotonicClock {
  return new MonotonicClock({ timeMs: readingMs, lastReadingMs: readingMs, highestReadingMs: readingMs, countedMs: 0 });
}

/** Most by which the correct clocks of two machines differ, or a clock at the two ends of a call. */
const MAX_SKEW_MS = 10_000;

/**
 * Clock of an object's host. While an object is awake, the runtime's clock never goes back. When the host's clock is
 * set back, the runtime's stops until the host's has caught up, perhaps for hours.
 * A stop is assumed when the object's clock has not moved since the last call, and is more than ten seconds ahead of
 * the caller's. The caller's clock is then used. It is followed in steps of more than ten seconds, because callers'
 * clocks differ by less. At most twenty seconds of a stop are not counted. An isolate with a wrong clock has no effect
 * while the object's clock runs; while it is stopped, admissions may expire early.
 */
export class AwakeClock {
  #objectMs = Number.NEGATIVE_INFINITY;
  /** Time by callers' clocks while the object's clock is stopped. */
  #hostMs: number | null = null;

  /**
   * Returns a reading for {@link MonotonicClock} from the object's clock and its caller's, in milliseconds since the
   * epoch.
   */
  read(objectMs: number, callerMs: number): number {
    const isStopped = objectMs === this.#objectMs && objectMs - callerMs > MAX_SKEW_MS;
    this.#objectMs = objectMs;
    if (!isStopped) this.#hostMs = null;
    else if (this.#hostMs === null || Math.abs(callerMs - this.#hostMs) > MAX_SKEW_MS) this.#hostMs = callerMs;
    return this.#hostMs ?? objectMs;
  }
}
