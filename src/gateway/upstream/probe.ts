import type { Ledger } from "../tip/ledger-headers.ts";
import { LEDGER_INFO, type UpstreamPorts } from "./pool.ts";
import {
  coolMs,
  onFailedProbe,
  onResponse,
  paused,
  positionOf,
  restMs,
  type Upstream,
  type UpstreamState,
} from "./state.ts";
import type { UpstreamResult } from "./upstream-result.ts";

const PROBE_DEADLINE_MS = 1_500;
const RETRY_PAUSE_MS = 100;
/** For this long after an answered probe, failures are attributed to the request, not to the upstream. */
const CLEARED_MS = 1_000;
/** A probe whose request was cancelled blocks others only for this long. */
const PROBE_LOST_MS = 10_000;
const POLL_MS = 25;

/** Whether it answered a probe a moment ago. */
export function isCleared({ probedAtMs }: UpstreamState, nowMs: number): boolean {
  const sinceMs = probedAtMs === null ? Number.POSITIVE_INFINITY : nowMs - probedAtMs;
  return sinceMs >= 0 && sinceMs < CLEARED_MS;
}

/** A request failed, possibly because of the upstream: a probe decides. */
export function suspect(upstream: Upstream, ports: UpstreamPorts): void {
  if (isCleared(upstream.state, ports.now())) return;
  if (restMs(upstream, "", ports.now()) > 0) return;
  upstream.state = { ...upstream.state, isSuspect: true };
  keepProbing(upstream, ports);
}

/** Starts a probe where one is due: at a suspect upstream, or one whose breaker is half-open. */
export function keepProbing(upstream: Upstream, ports: UpstreamPorts): void {
  const { state } = upstream;
  const isDue = state.isSuspect || positionOf(state, ports.now()) === "half_open";
  if (isDue && restMs(upstream, "", ports.now()) === 0 && !isProbing(state, ports.now()))
    ports.background(probe(upstream, ports));
}

/**
 * Reads the ledger until the upstream answers (true: it may get requests) or its breaker opens. One probe at a time for
 * each upstream; concurrent callers wait for its result.
 */
export async function probe(upstream: Upstream, ports: UpstreamPorts): Promise<boolean> {
  const { now, sleep } = ports;
  const startedAtMs = now();
  while (isProbing(upstream.state, now())) await sleep(POLL_MS);
  const { probedAtMs } = upstream.state;
  // In the future: from before a backward clock step.
  if (probedAtMs !== null && probedAtMs >= startedAtMs && probedAtMs <= now()) return true;
  while (restMs(upstream, "", now()) === 0) {
    if ((await readLedgerOnce(upstream, ports)) !== null) return true;
    if (restMs(upstream, "", now()) > 0) return false;
    // Still probing, so that no other request starts a probe during the pause.
    upstream.state = { ...upstream.state, probingSinceMs: now() };
    await sleep(RETRY_PAUSE_MS);
  }
  upstream.state = { ...upstream.state, probingSinceMs: null };
  return false;
}

/** One `ledger_info` request of our own; moves the breaker. Null when it was not answered. */
export async function readLedgerOnce(upstream: Upstream, ports: UpstreamPorts): Promise<Ledger | null> {
  upstream.state = { ...upstream.state, probingSinceMs: ports.now() };
  const result = await ports.send(upstream.index, LEDGER_INFO, upstream.state.dialect, PROBE_DEADLINE_MS);
  upstream.state = { ...onProbe(upstream.state, result, ports.now()), probingSinceMs: null };
  return result.kind === "response" ? result.response.ledger : null;
}

function onProbe(state: UpstreamState, result: UpstreamResult, nowMs: number): UpstreamState {
  if (result.kind === "response") {
    // Whether the reported ledger is trusted is decided elsewhere.
    const answered = onResponse(state, null, result.dialect, nowMs);
    return { ...answered, failedProbes: 0, probedAtMs: nowMs };
  }
  if (result.error === "throttled")
    return paused({ ...state, isSuspect: false }, "throttled", nowMs, coolMs(result.retryAfterSeconds));
  return onFailedProbe(state, nowMs);
}

function isProbing({ probingSinceMs }: UpstreamState, nowMs: number): boolean {
  if (probingSinceMs === null) return false;
  const sinceMs = nowMs - probingSinceMs;
  return sinceMs >= 0 && sinceMs < PROBE_LOST_MS;
}
