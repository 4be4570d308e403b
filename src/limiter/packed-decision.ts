import type { Decision } from "./decision.ts";

/**
 * A decision as one number, because returning an object over RPC takes a twentieth of a request's CPU time. Negative:
 * refused, for that many milliseconds. Otherwise: admissions left times 2^22, plus the milliseconds until more are
 * available (a window is at most 3,600,000 ms, less than 2^22).
 */
export type PackedDecision = number;

const UNIT = 2 ** 22;

export function packAdmitted(remaining: number, resetMs: number): PackedDecision {
  return remaining * UNIT + resetMs;
}

export function packRefused(retryMs: number): PackedDecision {
  return -retryMs;
}

/** Seconds are rounded up, so that a retry after exactly that long succeeds. */
export function unpackDecision(verdict: PackedDecision): Decision {
  if (verdict < 0) return { admitted: false, remaining: 0, resetSeconds: Math.ceil(-verdict / 1000) };
  const remaining = Math.floor(verdict / UNIT);
  return { admitted: true, remaining, resetSeconds: Math.ceil((verdict - remaining * UNIT) / 1000) };
}
