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

/** Why a responding upstream is excluded from all requests for a while. */
export type Exclusion = "wrong_chain" | "contradicts";

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
  /** It answered a probe with 429 and is not called until then. */
  readonly coolUntilMs: number;
  /** Its response was below the floor; others are preferred until then. */
  readonly laggingUntilMs: number;
  /** The last comparison of all upstreams found its ledger outdated: others are preferred. */
  readonly isOutdated: boolean;
  /** When it last reported a ledger version that it did not confirm, or that another one contradicted. */
  readonly contradictedAtMs: number | null;
  readonly excluded: { readonly reason: Exclusion; readonly untilMs: number } | null;
  readonly dialect: Dialect;
}

export interface Upstream {
  /** Its name in logs and health reports; never its URL. */
  readonly label: string;
  /** Position in the operator's order of preference. */
  readonly index: number;
  state: UpstreamState;
  /** Keys of throttled requests, with the end of the pause that the upstream requested. */
  readonly throttled: Map<string, number>;
}

export const UNKNOWN: UpstreamState = {
  breaker: CLOSED,
  ledger: null,
  respondedAtMs: null,
  probedAtMs: null,
  probingSinceMs: null,
  isSuspect: false,
  coolUntilMs: 0,
  laggingUntilMs: 0,
  isOutdated: false,
  contradictedAtMs: null,
  excluded: null,
  dialect: "node",
};

export function upstreamAt(index: number, label: string): Upstream {
  return { label, index, state: UNKNOWN, throttled: new Map() };
}

const LAGGING_MS = 2_000;
const EXCLUDED_MS = 30_000;
const DEFAULT_COOL_MS = 1_000;
const MAX_COOL_MS = 60_000;
const MAX_THROTTLED_KEYS = 256;

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

export function onLag(state: UpstreamState, nowMs: number): UpstreamState {
  return { ...state, laggingUntilMs: nowMs + LAGGING_MS };
}

export function onContradiction(state: UpstreamState, nowMs: number): UpstreamState {
  return { ...state, contradictedAtMs: nowMs };
}

export function onExclusion(state: UpstreamState, reason: Exclusion, nowMs: number): UpstreamState {
  const excluded = { ...state, excluded: { reason, untilMs: nowMs + EXCLUDED_MS } };
  return reason === "contradicts" ? onContradiction(excluded, nowMs) : excluded;
}

/** How long to pause after a 429. */
export function coolMs(retryAfterSeconds: number | null): number {
  return Math.min(retryAfterSeconds === null ? DEFAULT_COOL_MS : retryAfterSeconds * 1_000, MAX_COOL_MS);
}

/** Pauses only the throttled request. */
export function throttle({ throttled }: Upstream, key: string, retryAfterSeconds: number | null, nowMs: number): void {
  if (throttled.size >= MAX_THROTTLED_KEYS) throttled.clear();
  throttled.set(key, nowMs + coolMs(retryAfterSeconds));
}

/** Milliseconds until an instant; 0 when it is further away than any pause, as after a backward clock step. */
function leftMs(untilMs: number, maxMs: number, nowMs: number): number {
  const left = untilMs - nowMs;
  return left > maxMs ? 0 : Math.max(0, left);
}

export function isLagging({ laggingUntilMs }: UpstreamState, nowMs: number): boolean {
  return leftMs(laggingUntilMs, LAGGING_MS, nowMs) > 0;
}

/** Why it is excluded now; null when it is not. */
export function exclusionOf({ excluded }: UpstreamState, nowMs: number): Exclusion | null {
  return excluded !== null && leftMs(excluded.untilMs, EXCLUDED_MS, nowMs) > 0 ? excluded.reason : null;
}

/** Milliseconds until a request may be sent, as far as is known; 0 when it may be sent now. */
export function restMs({ state, throttled }: Upstream, key: string, nowMs: number): number {
  return Math.max(
    waitOf(state.breaker, nowMs),
    leftMs(state.coolUntilMs, MAX_COOL_MS, nowMs),
    leftMs(state.excluded?.untilMs ?? 0, EXCLUDED_MS, nowMs),
    leftMs(throttled.get(key) ?? 0, MAX_COOL_MS, nowMs),
  );
}

/** Whether a request may be sent now. A half-open breaker first needs an answered probe. */
export function isAvailable(upstream: Upstream, key: string, nowMs: number): boolean {
  return positionOf(upstream.state.breaker, nowMs) === "closed" && restMs(upstream, key, nowMs) === 0;
}
