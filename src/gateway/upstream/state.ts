import { BoundedMap } from "../../memo.ts";
import type { NodeRequest, NodeResponse } from "../node-types.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import { type CircuitBreaker, CLOSED, positionOf, waitOf } from "./circuit-breaker.ts";
import type { ValidResponse } from "./classify-response.ts";

/** Why one attempt returned no usable response. */
export type AttemptError =
  | "connect"
  | "timeout"
  | "truncated"
  | "too_large"
  | "server_error"
  | "throttled"
  /** A 4xx that is not the node's own but a proxy's or firewall's in front of it. */
  | "refused"
  | "invalid"
  | "wrong_chain"
  /** Its ledger version differs from what the upstream itself or another one reports. */
  | "contradicts"
  | "lagging"
  | "pruned"
  /** It was not called: see {@link Connections}. */
  | "no_connection";

export interface UpstreamError {
  readonly kind: "error";
  readonly error: AttemptError;
  /** For the log. */
  readonly detail: string;
  /** The HTTP status; null when there was none. */
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;
}

export function upstreamError(
  error: AttemptError,
  detail: string,
  status: number | null = null,
  retryAfterSeconds: number | null = null,
): UpstreamError {
  return { kind: "error", error, detail, status, retryAfterSeconds };
}

export interface UpstreamResponse {
  readonly kind: "response";
  readonly response: NodeResponse;
  readonly classification: ValidResponse;
  readonly dialect: Dialect | null;
}

/** The result of one request to one upstream. Plain data: it may cross between isolates. */
export type UpstreamResult = UpstreamResponse | UpstreamError;

/** Which media types and header prefix a node uses; learned from its responses. */
export type Dialect = "node" | "aptos";

/** Sends one request to one upstream with one deadline for head and body. Never rejects. */
export type Send = (request: NodeRequest, dialect: Dialect, deadlineMs: number) => Promise<UpstreamResult>;

/** One exchange with the upstream at that index. Rejects only over a lent connection. */
export type Exchange = (upstream: number, ...exchange: Parameters<Send>) => Promise<UpstreamResult>;

/**
 * Why a responding upstream is avoided, and for how long at most: it answered a probe with 429, it was seen on another
 * chain or contradicted, or its response was below the floor. In the last case others are preferred; else it is not
 * called.
 */
const MAX_PAUSE_MS = { throttled: 60_000, wrong_chain: 30_000, contradicts: 30_000, lagging: 2_000 } as const;
export type Pause = keyof typeof MAX_PAUSE_MS;
export type Exclusion = "wrong_chain" | "contradicts";
const EXCLUSIONS: readonly Exclusion[] = ["wrong_chain", "contradicts"];
const NOT_CALLED: readonly Pause[] = ["throttled", ...EXCLUSIONS];

/** State of one upstream. Replaced, never mutated. */
export interface UpstreamState {
  readonly breaker: CircuitBreaker;
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
  /** Until when it is avoided, by reason. */
  readonly pauses: Readonly<Partial<Record<Pause, number>>>;
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
  /** Keys of throttled requests, with the end of the pause that the upstream requested. */
  readonly throttled: BoundedMap<string, number>;
}

export const UNKNOWN: UpstreamState = {
  breaker: CLOSED,
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
  return { ...state, pauses: { ...state.pauses, [why]: nowMs + forMs } };
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
  throttled.set(key, nowMs + coolMs(retryAfterSeconds));
}

/** Milliseconds until a pause ends; 0 when that is further away than its maximum, as after a backward clock step. */
function leftMs(untilMs: number | undefined, why: Pause, nowMs: number): number {
  const left = (untilMs ?? 0) - nowMs;
  return left > MAX_PAUSE_MS[why] ? 0 : Math.max(0, left);
}

export function isPaused({ pauses }: UpstreamState, why: Pause, nowMs: number): boolean {
  return leftMs(pauses[why], why, nowMs) > 0;
}

/** Why it is excluded now; null when it is not. */
export function exclusionOf(state: UpstreamState, nowMs: number): Exclusion | null {
  return EXCLUSIONS.find((why) => isPaused(state, why, nowMs)) ?? null;
}

/** Milliseconds until a request may be sent, as far as is known; 0 when it may be sent now. */
export function restMs({ state, throttled }: Upstream, key: string, nowMs: number): number {
  const ofUpstream = NOT_CALLED.map((why) => leftMs(state.pauses[why], why, nowMs));
  return Math.max(waitOf(state.breaker, nowMs), leftMs(throttled.get(key), "throttled", nowMs), ...ofUpstream);
}

/** Whether a request may be sent now. A half-open breaker first needs an answered probe. */
export function isAvailable(upstream: Upstream, key: string, nowMs: number): boolean {
  return positionOf(upstream.state.breaker, nowMs) === "closed" && restMs(upstream, key, nowMs) === 0;
}
