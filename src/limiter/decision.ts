import type { Admission } from "../admission.ts";
import type { Policy } from "../config.ts";
import type { DecisionTrace } from "../metrics.ts";
import type { Region } from "../placement/location-hint.ts";

/** Why a caller has no own key: the trusted header was absent, or contained no address. */
export type MissingKind = "absent" | "malformed";

/** The caller to count: one key per IPv4 address or IPv6 /64, and the region whose objects store its log. */
export interface Caller {
  readonly key: string;
  /** Why the key is shared by all callers of its kind; null for a caller with an address. */
  readonly missing: MissingKind | null;
  /** Reading the platform's geography is slow: called once for each recent caller. */
  readonly region: () => Region;
}

/** The limiter's decision about one request. */
export interface Decision {
  readonly admitted: boolean;
  /** Admissions left in the current window. */
  readonly remaining: number;
  /** Whole seconds until more quota is available, rounded up; at least 1 when denied. */
  readonly resetSeconds: number;
}

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
export function unpackDecision(packed: PackedDecision): Decision {
  if (packed < 0) return { admitted: false, remaining: 0, resetSeconds: Math.ceil(-packed / 1000) };
  const remaining = Math.floor(packed / UNIT);
  return { admitted: true, remaining, resetSeconds: Math.ceil((packed - remaining * UNIT) / 1000) };
}

/**
 * The limiter as one request sees it: `decision` counts the request unless {@link Admission.admit} has, `peek` does
 * not. Neither rejects. A refusal known without a call is returned synchronously.
 */
export interface RequestAdmission extends Admission {
  readonly decision: () => Decision | Promise<Decision>;
  readonly peek: () => Promise<Decision>;
  /** Null before a decision. */
  readonly trace: () => DecisionTrace | null;
}

export interface Limiter {
  open(policy: Policy, caller: Caller): RequestAdmission;
}
