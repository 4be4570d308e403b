import { BoundedMap } from "../../memo.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import type { Dialect } from "./upstream-result.ts";

/** Why an upstream is avoided, and for how long at most. */
const MAX_PAUSE_MS = {
  /** Its probes failed. */
  down: 30_000,
  /** It answered a probe with 429. */
  throttled: 60_000,
  wrong_chain: 30_000,
  /** Another upstream contradicted its ledger. */
  contradicts: 30_000,
  /** Its response was below the floor. It is called last; for the other reasons it is not called. */
  lagging: 2_000,
} as const;
export type Pause = keyof typeof MAX_PAUSE_MS;
/** By the local clock. With its start, so that a backward clock step ends it instead of prolonging it. */
export interface Period {
  readonly fromMs: number;
  readonly untilMs: number;
}
/** The reasons for which a responding upstream is not called. */
export type Exclusion = "wrong_chain" | "contradicts";
const EXCLUSIONS: readonly Exclusion[] = ["wrong_chain", "contradicts"];
const NOT_CALLED: readonly Pause[] = ["down", "throttled", ...EXCLUSIONS];

/** State of one upstream. Replaced, never mutated. */
export interface UpstreamState {
  /** Since one was last answered. */
  readonly failedProbes: number;
  /** The newest ledger it reported that was trusted. */
  readonly ledger: Ledger | null;
  /** When it last responded, successfully or with an error about the request. */
  readonly respondedAtMs: number | null;
  /** When it last answered a probe. */
  readonly probedAtMs: number | null;
  /** When the running probe started. */
  readonly probingSinceMs: number | null;
  /** A request failed there and no probe has been answered since: others are preferred. */
  readonly isSuspect: boolean;
  /** When it is avoided, by reason. */
  readonly pauses: Readonly<Partial<Record<Pause, Period>>>;
  /** The last comparison of all upstreams found its ledger outdated: others are preferred. */
  readonly isOutdated: boolean;
  /** When it last reported a ledger version that it did not confirm, or that another one contradicted. */
  readonly contradictedAtMs: number | null;
  readonly dialect: Dialect;
}

export interface Upstream {
  /** Its name in logs and health reports; never its URL. */
  readonly label: string;
  /** Position in the operator's order of preference. */
  readonly index: number;
  state: UpstreamState;
  /** Keys of throttled requests, with the pause that the upstream requested. */
  readonly throttled: BoundedMap<string, Period>;
}

export const UNKNOWN: UpstreamState = {
  failedProbes: 0,
  ledger: null,
  respondedAtMs: null,
  probedAtMs: null,
  probingSinceMs: null,
  isSuspect: false,
  pauses: {},
  isOutdated: false,
  contradictedAtMs: null,
  dialect: "node",
};

const MAX_THROTTLED_KEYS = 256;

export function upstreamAt(index: number, label: string): Upstream {
  return { label, index, state: UNKNOWN, throttled: new BoundedMap(MAX_THROTTLED_KEYS) };
}

const DEFAULT_COOL_MS = 1_000;

/** It responded, successfully or with an error about the request. */
export function onResponse(
  state: UpstreamState,
  ledger: Ledger | null,
  dialect: Dialect | null,
  nowMs: number,
): UpstreamState {
  return {
    ...state,
    isSuspect: false,
    ledger: ledger ?? state.ledger,
    dialect: dialect ?? state.dialect,
    respondedAtMs: nowMs,
  };
}

/** Avoided from now on, for as long as that reason lasts unless another time is given. */
export function paused(
  state: UpstreamState,
  why: Pause,
  nowMs: number,
  forMs: number = MAX_PAUSE_MS[why],
): UpstreamState {
  return { ...state, pauses: { ...state.pauses, [why]: { fromMs: nowMs, untilMs: nowMs + forMs } } };
}

export function onContradiction(state: UpstreamState, nowMs: number): UpstreamState {
  return { ...state, contradictedAtMs: nowMs };
}

export function onExclusion(state: UpstreamState, reason: Exclusion, nowMs: number): UpstreamState {
  const excluded = paused(state, reason, nowMs);
  return reason === "contradicts" ? onContradiction(excluded, nowMs) : excluded;
}

/** How long to pause after a 429. */
export function coolMs(retryAfterSeconds: number | null): number {
  return Math.min(retryAfterSeconds === null ? DEFAULT_COOL_MS : retryAfterSeconds * 1_000, MAX_PAUSE_MS.throttled);
}

/** Pauses only the throttled request. */
export function throttle({ throttled }: Upstream, key: string, retryAfterSeconds: number | null, nowMs: number): void {
  throttled.set(key, { fromMs: nowMs, untilMs: nowMs + coolMs(retryAfterSeconds) });
}

/** Milliseconds until a pause ends. */
function leftMs(pause: Period | undefined, nowMs: number): number {
  return pause === undefined || nowMs < pause.fromMs ? 0 : Math.max(0, pause.untilMs - nowMs);
}

export function isPaused({ pauses }: UpstreamState, why: Pause, nowMs: number): boolean {
  return leftMs(pauses[why], nowMs) > 0;
}

/** Why it is excluded now; null when it is not. */
export function exclusionOf(state: UpstreamState, nowMs: number): Exclusion | null {
  return EXCLUSIONS.find((why) => isPaused(state, why, nowMs)) ?? null;
}

/** Milliseconds until a request may be sent, as far as is known; 0 when it may be sent now. */
export function restMs({ state, throttled }: Upstream, key: string, nowMs: number): number {
  const ofUpstream = NOT_CALLED.map((why) => leftMs(state.pauses[why], nowMs));
  return Math.max(leftMs(throttled.get(key), nowMs), ...ofUpstream);
}

const FAILURES_TO_OPEN = 3;
const FIRST_OPEN_MS = 1_000;

/**
 * The upstream's circuit breaker: closed, then open for a while, then half-open until a probe is answered. Only probes
 * change it, never callers' requests.
 */
export function positionOf(state: UpstreamState, nowMs: number): "closed" | "open" | "half_open" {
  if (state.failedProbes < FAILURES_TO_OPEN) return "closed";
  return isPaused(state, "down", nowMs) ? "open" : "half_open";
}

/** The third failure in a row opens the breaker; each failure while half-open doubles the open period. */
export function onFailedProbe(state: UpstreamState, nowMs: number): UpstreamState {
  if (positionOf(state, nowMs) === "open") return state;
  const failed = { ...state, failedProbes: state.failedProbes + 1 };
  const doublings = failed.failedProbes - FAILURES_TO_OPEN;
  if (doublings < 0) return failed;
  return paused(failed, "down", nowMs, Math.min(FIRST_OPEN_MS * 2 ** doublings, MAX_PAUSE_MS.down));
}

/** Whether a request may be sent now. A half-open breaker first needs an answered probe. */
export function isAvailable(upstream: Upstream, key: string, nowMs: number): boolean {
  return positionOf(upstream.state, nowMs) === "closed" && restMs(upstream, key, nowMs) === 0;
}
