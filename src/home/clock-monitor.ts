/** Two calls that are sent so far apart cannot arrive at the same instant. */
const APART_MS = 1_000;
/** Largest difference between the clocks of two machines. */
const MAX_SKEW_MS = 10_000;

/**
 * Monitor that detects a stopped clock of this object. When a host's clock is set back, the time of a running object
 * stands still until the host has caught up, which may take days. Only a new object has the right time.
 */
export class ClockMonitor {
  #objectMs = Number.NaN;
  /** Earliest time of a caller that called while the clock showed `#objectMs`. */
  #callerMs = 0;

  /** Whether the clock has stopped. The call arrived at `objectMs` by this clock, and left at `callerMs` by the caller's. */
  hasStopped(objectMs: number, callerMs: number): boolean {
    this.#callerMs = objectMs === this.#objectMs ? Math.min(this.#callerMs, callerMs) : callerMs;
    this.#objectMs = objectMs;
    return objectMs - callerMs > MAX_SKEW_MS && callerMs - this.#callerMs >= APART_MS;
  }
}
