/**
 * Circuit breaker of one upstream as a pure state machine: closed, then open for a while, then half-open until a probe
 * is answered. Only probes change it, never callers' requests.
 */
export interface CircuitBreaker {
  readonly failuresInARow: number;
  /** Closed when null. */
  readonly openedAtMs: number | null;
  /** The current open period. */
  readonly openForMs: number;
}

export const CLOSED: CircuitBreaker = { failuresInARow: 0, openedAtMs: null, openForMs: 0 };

const FAILURES_TO_OPEN = 3;
const FIRST_OPEN_MS = 1_000;
const MAX_OPEN_MS = 30_000;

export type BreakerPosition = "closed" | "open" | "half_open";

export function positionOf(breaker: CircuitBreaker, nowMs: number): BreakerPosition {
  if (breaker.openedAtMs === null) return "closed";
  return waitOf(breaker, nowMs) === 0 ? "half_open" : "open";
}

/** A probe was answered. */
export function succeeded(): CircuitBreaker {
  return CLOSED;
}

/**
 * A probe failed. The third failure in a row opens the breaker; each failure while half-open doubles the open period.
 */
export function failed(breaker: CircuitBreaker, nowMs: number): CircuitBreaker {
  const failuresInARow = breaker.failuresInARow + 1;
  const position = positionOf(breaker, nowMs);
  if (position === "open") return breaker;
  if (position === "closed" && failuresInARow < FAILURES_TO_OPEN) return { ...breaker, failuresInARow };
  const openForMs = breaker.openedAtMs === null ? FIRST_OPEN_MS : Math.min(breaker.openForMs * 2, MAX_OPEN_MS);
  return { failuresInARow, openedAtMs: nowMs, openForMs };
}

/**
 * Milliseconds until a probe may be sent; 0 when one may be sent now. A backward clock step never prolongs the wait.
 */
export function waitOf({ openedAtMs, openForMs }: CircuitBreaker, nowMs: number): number {
  if (openedAtMs === null || nowMs < openedAtMs) return 0;
  return Math.max(0, openedAtMs + openForMs - nowMs);
}
