/** Circuit breaker of one upstream, as a pure state machine: closed, open for a while, then one probe at a time. */
export interface CircuitBreaker {
  readonly failuresInARow: number;
  /** Closed when null. */
  readonly openedAtMs: number | null;
  /** How long it stays open this time. */
  readonly openForMs: number;
  /** Start of the one probe under way in the half-open state. */
  readonly probingSinceMs: number | null;
}

export const CLOSED: CircuitBreaker = { failuresInARow: 0, openedAtMs: null, openForMs: 0, probingSinceMs: null };

const FAILURES_TO_OPEN = 3;
const FIRST_OPEN_MS = 1_000;
const MAX_OPEN_MS = 30_000;
/** A probe that never came back does not keep the breaker shut for ever. */
const PROBE_TIMEOUT_MS = 10_000;

export type BreakerPosition = "closed" | "open" | "half_open";

export function positionOf(breaker: CircuitBreaker, nowMs: number): BreakerPosition {
  if (breaker.openedAtMs === null) return "closed";
  return nowMs - breaker.openedAtMs >= breaker.openForMs ? "half_open" : "open";
}

/** Whether a call may go out now. */
export function admits(breaker: CircuitBreaker, nowMs: number): boolean {
  const position = positionOf(breaker, nowMs);
  if (position !== "half_open") return position === "closed";
  return breaker.probingSinceMs === null || nowMs - breaker.probingSinceMs >= PROBE_TIMEOUT_MS;
}

/** A call goes out; in the half-open state it is the probe. */
export function started(breaker: CircuitBreaker, nowMs: number): CircuitBreaker {
  return positionOf(breaker, nowMs) === "half_open" ? { ...breaker, probingSinceMs: nowMs } : breaker;
}

export function succeeded(): CircuitBreaker {
  return CLOSED;
}

/** Three failures in a row open it; each failed probe doubles the pause, up to half a minute. */
export function failed(breaker: CircuitBreaker, nowMs: number): CircuitBreaker {
  const failuresInARow = breaker.failuresInARow + 1;
  if (positionOf(breaker, nowMs) === "closed" && failuresInARow < FAILURES_TO_OPEN)
    return { ...breaker, failuresInARow };
  // Late answers of calls that left before it opened do not lengthen the pause.
  if (positionOf(breaker, nowMs) === "open") return breaker;
  const openForMs = breaker.openedAtMs === null ? FIRST_OPEN_MS : Math.min(breaker.openForMs * 2, MAX_OPEN_MS);
  return { failuresInARow, openedAtMs: nowMs, openForMs, probingSinceMs: null };
}

/** Milliseconds until a call may go out again; 0 when one may now. */
export function waitOf(breaker: CircuitBreaker, nowMs: number): number {
  if (breaker.openedAtMs === null) return 0;
  return Math.max(0, breaker.openedAtMs + breaker.openForMs - nowMs);
}
