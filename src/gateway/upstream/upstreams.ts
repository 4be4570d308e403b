import { BoundedMap } from "../../base/memo.ts";
import { isWithin } from "../../base/utc.ts";
import { type Ledger, millisecondsOf, type Tip } from "../model/ledger.ts";
import type { Attempt, NodeRequest } from "../model/node-types.ts";
import { type AttemptError, hasFlag } from "../model/outcomes.ts";
import { type Dialect, type Exchange, type UpstreamError, type UpstreamResult, upstreamError } from "./client.ts";

/** Why a responding upstream is not called: it is another chain's, is contradicted, or limits our requests. */
type Exclusion = "wrong_chain" | "contradicts" | "throttled";

/** State of one upstream. Replaced, never mutated. Only our own probes exclude one or make it doubtful for long. */
interface UpstreamState {
  /** The newest ledger it reported that was accepted. */
  readonly ledger: Ledger | null;
  /** What its last answered probe reported of this chain, accepted or not. */
  readonly reported: Ledger | null;
  /** When it last responded, successfully or with an error about the request. */
  readonly respondedAtMs: number | null;
  /** Probes that failed since one was last answered. */
  readonly failedProbes: number;
  /** When the last probe started, and when one was last answered. */
  readonly probeStartedAtMs: number | null;
  readonly probedAtMs: number | null;
  /** When a response was last below the floor of its request. */
  readonly laggedAtMs: number | null;
  /** For half a minute, or for as long as it says itself. */
  readonly excluded: { readonly why: Exclusion; readonly atMs: number; readonly forMs?: number } | null;
  /** What the last probe failed with. */
  readonly failure: Pick<UpstreamError, "error" | "status"> | null;
  readonly dialect: Dialect;
}

export interface Upstream {
  /** Its name in logs and health reports; never its URL. */
  readonly label: string;
  /** A hash of its origin: the same after a key in its URL is rotated. */
  readonly origin: string;
  /** Position in the operator's order of preference. */
  readonly index: number;
  state: UpstreamState;
}

/**
 * The upstreams as seen by one object or isolate, and the newest ledger that it knows: nothing else there keeps one.
 * Contains values only, never a promise.
 */
export interface UpstreamPool {
  readonly upstreams: readonly Upstream[];
  /** Null before the first of an era. */
  tip: Tip | null;
  /** How fast the chain has lately been, measured over a second at least. */
  pace: { readonly since: Tip; readonly perSecond: number } | null;
  /** What no upstream that was asked had, a hash or a page, and when. */
  readonly unknown: BoundedMap<string, number>;
  /** Called when the tip has moved. */
  moved: () => void;
}

/** A ledger was reported and is believed. An older one changes nothing, the same one is confirmed. */
export function raise(pool: UpstreamPool, { era, ledger, confirmedAtMs }: Tip): void {
  const previous = pool.tip;
  const isSameEra = previous?.era === era;
  if (previous !== null && (isSameEra ? ledger.version < previous.ledger.version : era < previous.era)) return;
  const isConfirmed = isSameEra && previous.ledger.version === ledger.version;
  if (isConfirmed) pool.tip = { ...previous, confirmedAtMs: Math.max(previous.confirmedAtMs, confirmedAtMs) };
  if (isConfirmed) return;
  pool.tip = { era, ledger, confirmedAtMs };
  pool.pace = paceAfter(pool.pace, pool.tip);
  pool.moved();
}

function paceAfter(before: UpstreamPool["pace"], tip: Tip): UpstreamPool["pace"] {
  if (before?.since.era !== tip.era) return { since: tip, perSecond: 0 };
  const seconds = (tip.confirmedAtMs - before.since.confirmedAtMs) / 1_000;
  const versions = Number(tip.ledger.version - before.since.ledger.version);
  return seconds < 1 ? before : { since: tip, perSecond: versions / seconds };
}

/** The upstreams, and what calling them needs of the platform. */
export interface UpstreamPorts {
  readonly pool: UpstreamPool;
  /** When the call began: what it reports belongs to that one. */
  readonly era: number;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Lets work continue after the request that started it. */
  readonly background: (work: Promise<unknown>) => void;
  readonly send: Exchange;
  /** Whether an upstream that reports this ledger follows the chain. */
  readonly follows: (upstream: Upstream, ledger: Ledger) => boolean | Promise<boolean>;
}

export function poolOf(upstreams: readonly Pick<Upstream, "label" | "origin">[]): UpstreamPool {
  const state: UpstreamState = {
    ledger: null,
    reported: null,
    respondedAtMs: null,
    failedProbes: 0,
    probeStartedAtMs: null,
    probedAtMs: null,
    laggedAtMs: null,
    excluded: null,
    failure: null,
    dialect: "node",
  };
  return {
    upstreams: upstreams.map(({ label, origin }, index) => ({ label, origin, index, state })),
    tip: null,
    pace: null,
    unknown: new BoundedMap(1_000),
    moved: () => undefined,
  };
}

/** The request of a probe. */
export const LEDGER_INFO: NodeRequest = {
  endpoint: "ledger_info",
  mode: "read",
  method: "GET",
  path: "",
  accept: "json",
  contentType: null,
  body: null,
  key: "GET  json ",
  params: {},
};

/** For how long one is excluded, and one that limits our requests without saying for how long. */
const [EXCLUDED_MS, REST_MS] = [30_000, 1_000];
/** An upstream below a floor is called after the others for this long. */
const LAGGED_MS = 2_000;
/** How far a ledger may be behind another, or the clock. Healthy upstreams differ by a second or two. */
export const STALLED_MS = 10_000;
const PROBE_DEADLINE_MS = 1_500;
const PROVEN_MS = 5_000;
/** For this long after an answered probe, failures are attributed to the request, not to the upstream. */
const CLEARED_MS = 1_000;
const MIN_PROBE_EVERY_MS = 500;

export function update(upstream: Upstream, change: Partial<UpstreamState>): void {
  upstream.state = { ...upstream.state, ...change };
}

/** Why it is excluded now; null when it is not. */
export function exclusionOf({ excluded }: UpstreamState, nowMs: number): Exclusion | null {
  return excluded !== null && isWithin(excluded.atMs, excluded.forMs ?? EXCLUDED_MS, nowMs) ? excluded.why : null;
}

/** Whether its newest ledger has stopped following a chain that grows elsewhere. A time in the future proves nothing. */
export function isOutdated({ ledger }: UpstreamState, { tip }: UpstreamPool, nowMs: number): boolean {
  if (ledger === null || tip === null || ledger.version >= tip.ledger.version) return false;
  const newestMs = Math.min(nowMs, millisecondsOf(tip.ledger));
  return newestMs - millisecondsOf(ledger) > STALLED_MS;
}

/**
 * The upstreams that may be called, good ones in the operator's order, then doubtful ones: those below a floor a moment
 * ago or outdated, those whose probe failed or is running, last those that limited our requests lately. For an old version those
 * that have it come first.
 */
export function inOrder({ params }: NodeRequest, pool: UpstreamPool, nowMs: number): Upstream[] {
  const requestedVersion = params["ledger_version"] ?? params["txn_version"] ?? params["version"];
  const rank = ({ state }: Upstream): number =>
    (state.excluded?.why === "throttled" && isWithin(state.excluded.atMs, EXCLUDED_MS, nowMs) ? 8 : 0) +
    (lacksGoodProbe(state, nowMs) ? 4 : 0) +
    (isWithin(state.laggedAtMs, LAGGED_MS, nowMs) || isOutdated(state, pool, nowMs) ? 2 : 0) +
    (requestedVersion !== undefined && state.ledger !== null && BigInt(requestedVersion) < state.ledger.oldestVersion
      ? 1
      : 0);
  return pool.upstreams
    .filter(({ state }) => exclusionOf(state, nowMs) === null)
    .sort((left, right) => rank(left) - rank(right) || left.index - right.index);
}

/** It responded, successfully or with an error about the request. */
export function recordResponse(
  upstream: Upstream,
  ledger: Ledger | null,
  dialect: Dialect | null,
  nowMs: number,
): void {
  const state = upstream.state;
  update(upstream, { ledger: ledger ?? state.ledger, dialect: dialect ?? state.dialect, respondedAtMs: nowMs });
}

/** One request of our own for the newest ledger. Never rejects. Whether its ledger is accepted is decided elsewhere. */
export async function probe(upstream: Upstream, ports: Pick<UpstreamPorts, "now" | "send">): Promise<UpstreamResult> {
  const { now, send } = ports;
  update(upstream, { probeStartedAtMs: now() });
  const sent = await send(upstream.index, LEDGER_INFO, upstream.state.dialect, PROBE_DEADLINE_MS);
  const isFailure = sent.kind === "response" && sent.classification.kind === "failed";
  const result = isFailure ? upstreamError("failed", "a failure of its own", sent.response.status) : sent;
  if (result.kind === "response") {
    recordResponse(upstream, null, result.dialect, now());
    update(upstream, { failedProbes: 0, failure: null, probedAtMs: now(), reported: result.response.ledger });
  } else if (result.error === "throttled") {
    const excluded = { why: "throttled", atMs: now(), forMs: result.retryAfterMs ?? REST_MS } as const;
    update(upstream, { excluded, failure: result });
  } else update(upstream, { failedProbes: upstream.state.failedProbes + 1, failure: result });
  return result;
}

/** Whether its last probe failed, or is running. */
export function lacksGoodProbe(state: UpstreamState, nowMs: number): boolean {
  return state.failedProbes > 0 || isBeingProbed(state, nowMs);
}

export function isBeingProbed({ probeStartedAtMs: atMs, probedAtMs }: UpstreamState, nowMs: number): boolean {
  return (probedAtMs ?? -1) < (atMs ?? -1) && isWithin(atMs, PROBE_DEADLINE_MS, nowMs);
}

/** Whether a probe should decide if a caller's request ended so by the upstream's fault; limits may begin at any time. */
export function isSuspect({ state }: Upstream, error: AttemptError, nowMs: number): boolean {
  const isCleared = error !== "throttled" && isWithin(state.probedAtMs, CLEARED_MS, nowMs);
  return (
    !hasFlag(error, "saysNothingOfHealth") && !isCleared && !isWithin(state.probeStartedAtMs, MIN_PROBE_EVERY_MS, nowMs)
  );
}

/**
 * Whether a doubtful upstream is due for a probe: less often with every failure. So is one that seems outdated, which
 * may follow again, and all that have not responded for a while when the newest ledger is old: the one that is called
 * may have stopped following the chain.
 */
export function isDue({ state }: Upstream, pool: UpstreamPool, nowMs: number): boolean {
  const { tip } = pool;
  const everyMs =
    state.failedProbes > 0 ? Math.min(MIN_PROBE_EVERY_MS * 2 ** state.failedProbes, STALLED_MS) : STALLED_MS;
  if (isWithin(state.probeStartedAtMs, everyMs, nowMs) || exclusionOf(state, nowMs) === "throttled") return false;
  const isStalled = tip !== null && nowMs - millisecondsOf(tip.ledger) > STALLED_MS;
  if (state.failedProbes > 0 || isOutdated(state, pool, nowMs)) return true;
  return isStalled && !isWithin(state.respondedAtMs, STALLED_MS, nowMs);
}

/** Whether it responded recently enough to be sent a request that is sent once. */
export function isProven({ respondedAtMs, failedProbes }: UpstreamState, nowMs: number): boolean {
  return failedProbes === 0 && isWithin(respondedAtMs, PROVEN_MS, nowMs);
}

/**
 * In an isolate: what the shield's attempts tell, so that a submit goes to a responding upstream without a probe, and to
 * none that has stopped following the chain. `ledger`: of the attempt that succeeded.
 */
export function recordAttempts(
  { upstreams }: UpstreamPool,
  attempts: readonly Attempt[],
  ledger: Ledger | null,
  nowMs: number,
): void {
  for (const { upstream: label, result } of attempts) {
    const upstream = upstreams.find((each) => each.label === label);
    // Without a connection it was not called.
    if (upstream === undefined || result === "no_connection") continue;
    const newest = result === "ok" && ledger !== null ? ledger : upstream.state.ledger;
    const isAnswered = result === "ok" || hasFlag(result, "answered");
    update(upstream, { respondedAtMs: isAnswered ? nowMs : null, ledger: newest });
  }
}
