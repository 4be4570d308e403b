/** Calls that many milliseconds apart, by their callers, cannot come at one instant. */
const APART_MS = 1_000;
/** How far the clocks of two machines may differ. */
const MAX_SKEW_MS = 10_000;

/**
 * Finds out that this object's clock stands still. When a host's clock is set back, the clock of an object that is awake
 * does not follow: it stays at the highest instant it has had until the host has caught up, which may take days. Only a
 * new object has the right time.
 */
export class StandingClock {
  #ownMs = Number.NaN;
  /** The earliest instant at which a caller called while the clock was there. */
  #callerMs = 0;

  /** Whether it stands, after a call that came at `ownMs` by this clock and at `callerMs` by its caller's. */
  hasStopped(ownMs: number, callerMs: number): boolean {
    this.#callerMs = ownMs === this.#ownMs ? Math.min(this.#callerMs, callerMs) : callerMs;
    this.#ownMs = ownMs;
    return ownMs - callerMs > MAX_SKEW_MS && callerMs - this.#callerMs >= APART_MS;
  }
}
