import type { NodeRequest, NodeResponse } from "../node-types.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import { type CircuitBreaker, CLOSED, positionOf, waitOf } from "./circuit-breaker.ts";
import type { Classification } from "./classify-response.ts";

/** Why one attempt brought no usable response. */
export type AttemptError =
  | "connect"
  | "timeout"
  | "truncated"
  | "too_large"
  | "server_error"
  | "throttled"
  /** A 4xx that is no node's: the page of a proxy or firewall before it. */
  | "refused"
  | "invalid"
  | "wrong_chain"
  /** Its ledger version is not what itself or another upstream reports. */
  | "contradicts"
  | "lagging"
  | "pruned";

export interface UpstreamError {
  readonly kind: "error";
  readonly error: AttemptError;
  /** For the log. */
  readonly detail: string;
  /** The HTTP status; null when there was none. */
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;
}

/** What one request to one upstream brought. Plain data: it may cross between isolates. */
export type UpstreamResult =
  | {
      readonly kind: "response";
      readonly response: NodeResponse;
      readonly classification: Extract<Classification, { kind: "valid" }>;
      readonly dialect: Dialect | null;
    }
  | UpstreamError;

/** Whose media types and prefix a node speaks; learned from its responses. */
export type Dialect = "node" | "aptos";

/** One request to one upstream under one deadline over head and body. Never rejects. */
export type Send = (request: NodeRequest, dialect: Dialect, deadlineMs: number) => Promise<UpstreamResult>;

/** Why an upstream that answers is left out of every request for a while. */
export type Exclusion = "wrong_chain" | "contradicts";

/** What is known of one upstream. Replaced, never changed in place. */
export interface UpstreamState {
  readonly breaker: CircuitBreaker;
  /** The newest believed ledger that it reported. */
  readonly ledger: Ledger | null;
  /** When it last answered, well or with an error of the request's own. */
  readonly respondedAtMs: number | null;
  /** When it last answered a probe. */
  readonly probedAtMs: number | null;
  /** Start of the probe under way. */
  readonly probingSinceMs: number | null;
  /** A request failed there, and no probe has answered since: others are preferred. */
  readonly isSuspect: boolean;
  /** It asked to be left alone until then, and said so to a probe too. */
  readonly coolUntilMs: number;
  /** Its response was older than required; others are preferred until then. */
  readonly laggingUntilMs: number;
  /** When it last reported a ledger version that it did not confirm. */
  readonly contradictedAtMs: number | null;
  readonly excluded: { readonly reason: Exclusion; readonly untilMs: number } | null;
  readonly dialect: Dialect;
}

export interface Upstream {
  /** What logs and health reports call it; never its URL. */
  readonly label: string;
  /** Its place in the operator's order of preference. */
  readonly index: number;
  state: UpstreamState;
  /** Keys of requests that it throttled, with the end of the pause that it asked for. */
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

/** It answered, well or with an error of the request's own. */
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
  return { ...state, excluded: { reason, untilMs: nowMs + EXCLUDED_MS } };
}

/** How long an upstream that throttles is to be left alone. */
export function coolMs(retryAfterSeconds: number | null): number {
  return Math.min(retryAfterSeconds === null ? DEFAULT_COOL_MS : retryAfterSeconds * 1_000, MAX_COOL_MS);
}

/** One request was throttled: that one pauses, no other does. */
export function throttle({ throttled }: Upstream, key: string, retryAfterSeconds: number | null, nowMs: number): void {
  if (throttled.size >= MAX_THROTTLED_KEYS) throttled.clear();
  throttled.set(key, nowMs + coolMs(retryAfterSeconds));
}

/** Milliseconds left until an instant; none when it is further away than any pause, as after a clock was set back. */
function leftMs(untilMs: number, maxMs: number, nowMs: number): number {
  const left = untilMs - nowMs;
  return left > maxMs ? 0 : Math.max(0, left);
}

export function isLagging({ laggingUntilMs }: UpstreamState, nowMs: number): boolean {
  return leftMs(laggingUntilMs, LAGGING_MS, nowMs) > 0;
}

/** Why it is left out now; null when it is not. */
export function exclusionOf({ excluded }: UpstreamState, nowMs: number): Exclusion | null {
  return excluded !== null && leftMs(excluded.untilMs, EXCLUDED_MS, nowMs) > 0 ? excluded.reason : null;
}

/** Milliseconds until a request may go there again, as far as is known; 0 when it may now. */
export function restMs({ state, throttled }: Upstream, key: string, nowMs: number): number {
  return Math.max(
    waitOf(state.breaker, nowMs),
    leftMs(state.coolUntilMs, MAX_COOL_MS, nowMs),
    leftMs(state.excluded?.untilMs ?? 0, EXCLUDED_MS, nowMs),
    leftMs(throttled.get(key) ?? 0, MAX_COOL_MS, nowMs),
  );
}

/** Whether a request may go there now. A half-open breaker waits for its probe. */
export function isAvailable(upstream: Upstream, key: string, nowMs: number): boolean {
  return positionOf(upstream.state.breaker, nowMs) === "closed" && restMs(upstream, key, nowMs) === 0;
}
