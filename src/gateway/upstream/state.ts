import type { NodeRequest, NodeResponse } from "../node-types.ts";
import type { Ledger } from "../tip/ledger-headers.ts";
import { type CircuitBreaker, CLOSED, failed, started, succeeded, waitOf } from "./circuit-breaker.ts";

/** Why one attempt brought no usable answer. */
export type AttemptError =
  | "connect"
  | "timeout"
  | "truncated"
  | "too_large"
  | "server_error"
  | "throttled"
  | "invalid"
  | "wrong_chain"
  | "lagging"
  | "pruned";

export type UpstreamResult =
  | {
      readonly kind: "answer";
      readonly answer: NodeResponse;
      readonly dialect: Dialect | null;
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: "fault"; readonly fault: AttemptError; readonly why: string };

/** Whose media types and prefix a node speaks; learned from its answers. */
export type Dialect = "node" | "aptos";

/** One request to one upstream under one deadline over head and body. Never rejects. */
export type Send = (target: NodeRequest, dialect: Dialect, deadlineMs: number) => Promise<UpstreamResult>;

/** What is known of one upstream. Replaced, never changed in place. */
export interface UpstreamState {
  readonly breaker: CircuitBreaker;
  readonly ledger: Ledger | null;
  readonly lastAnswerAtMs: number | null;
  /** Asked to leave it alone until then. */
  readonly coolUntilMs: number;
  /** Answered behind the published tip; others are preferred until then. */
  readonly laggingUntilMs: number;
  readonly wrongChainUntilMs: number;
  readonly dialect: Dialect;
}

export interface Upstream {
  /** What logs and health reports call it; never its URL. */
  readonly label: string;
  readonly send: Send;
  state: UpstreamState;
}

export const UNKNOWN: UpstreamState = {
  breaker: CLOSED,
  ledger: null,
  lastAnswerAtMs: null,
  coolUntilMs: 0,
  laggingUntilMs: 0,
  wrongChainUntilMs: 0,
  dialect: "node",
};

const LAGGING_MS = 2_000;
const WRONG_CHAIN_MS = 30_000;
const DEFAULT_COOL_MS = 1_000;
const MAX_COOL_MS = 60_000;

export function onStart(state: UpstreamState, nowMs: number): UpstreamState {
  return { ...state, breaker: started(state.breaker, nowMs) };
}

/** It answered, well or with an error of the request's own. */
export function onResponse(
  state: UpstreamState,
  ledger: Ledger | null,
  dialect: Dialect | null,
  nowMs: number,
): UpstreamState {
  return {
    ...state,
    breaker: succeeded(),
    ledger: ledger ?? state.ledger,
    dialect: dialect ?? state.dialect,
    lastAnswerAtMs: nowMs,
  };
}

export function onError(
  state: UpstreamState,
  fault: AttemptError,
  retryAfterSeconds: number | null,
  nowMs: number,
): UpstreamState {
  switch (fault) {
    case "lagging":
      return { ...state, laggingUntilMs: nowMs + LAGGING_MS };
    case "pruned":
      return state;
    case "wrong_chain":
      return { ...state, wrongChainUntilMs: nowMs + WRONG_CHAIN_MS };
    case "throttled": {
      const coolMs = retryAfterSeconds === null ? DEFAULT_COOL_MS : retryAfterSeconds * 1_000;
      return { ...state, breaker: succeeded(), coolUntilMs: nowMs + Math.min(coolMs, MAX_COOL_MS) };
    }
    case "connect":
    case "timeout":
    case "truncated":
    case "too_large":
    case "server_error":
    case "invalid":
      return { ...state, breaker: failed(state.breaker, nowMs) };
  }
}

/** Milliseconds until it may be asked again; 0 when it may be now. */
export function restMs(state: UpstreamState, nowMs: number): number {
  return Math.max(waitOf(state.breaker, nowMs), state.coolUntilMs - nowMs, state.wrongChainUntilMs - nowMs, 0);
}
