import { BoundedMap } from "../../base/memo.ts";
import { isWithin } from "../../base/utc.ts";
import { type Ledger, millisecondsOf, type Tip } from "../model/ledger.ts";
import type { Attempt, NodeRequest } from "../model/node-types.ts";
import { type AttemptError, hasFlag } from "../model/outcomes.ts";
import { type Dialect, type Exchange, type UpstreamError, type UpstreamResult, upstreamError } from "./client.ts";

/**
 * Reason why a responding upstream is not called: it follows another chain, is contradicted, or limits our requests.
 */
type Exclusion = "wrong_chain" | "contradicts" | "throttled";

/**
 * State of an upstream. Replaced, never mutated. Only our own probes exclude an upstream or make it doubtful for long.
 */
interface UpstreamState {
  /** The newest ledger of this upstream that was accepted. */
  readonly ledger: Ledger | null;
  /** Ledger that the last answered probe reported of this chain, accepted or not. */
  readonly reported: Ledger | null;
  /** Time of the last response, a success or an error about the request. */
  readonly respondedAtMs: number | null;
  /** Number of failed probes since the last answered one. */
  readonly failedProbes: number;
  /** Start of the last probe, and time of the last answered one. */
  readonly probeStartedAtMs: number | null;
  readonly probedAtMs: number | null;
  /** Time at which a response was last below the floor of its request. */
  readonly laggedAtMs: number | null;
  /** Present exclusion: for half a minute, or for the time that the upstream asks for. */
  readonly excluded: { readonly why: Exclusion; readonly atMs: number; readonly forMs?: number } | null;
  /** Error of the last probe; null: it was answered. */
  readonly failure: Pick<UpstreamError, "error" | "status"> | null;
  readonly dialect: Dialect;
}

export interface Upstream {
  /** Name in logs and health reports; never the URL. */
  readonly label: string;
  /** Hash of the origin, which stays the same when a key in the URL is rotated. */
  readonly origin: string;
  /** Position in the operator's order of preference. */
  readonly index: number;
  state: UpstreamState;
}

/**
 * The upstreams as seen by one object or isolate, and the newest ledger known there, which is kept nowhere else.
 * Contains values only, never a promise.
 */
export interface UpstreamPool {
  readonly upstreams: readonly Upstream[];
  /** Newest ledger; null before the first of an era. */
  tip: Tip | null;
  /** Recent pace of the chain, measured over a second at least. */
  pace: { readonly since: Tip; readonly perSecond: number } | null;
  /** Hashes and pages that no upstream had, each with the time at which they were asked. */
  readonly unknown: BoundedMap<string, number>;
  /** Notifies waiting reads that the tip has moved. */
  moved: () => void;
}

/** Takes over a ledger that was reported and accepted. An older ledger changes nothing, the same one is confirmed. */
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

/** The upstreams, and the ports for calling them. */
export interface UpstreamPorts {
  readonly pool: UpstreamPool;
  /** Era at the start of the call, to which its reports belong. */
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

/** Request of a probe. */
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

/** Time for which an upstream is excluded, and for which one rests that limits our requests without saying how long. */
const [EXCLUDED_MS, REST_MS] = [30_000, 1_000];
/** Time for which an upstream that was below a floor is called after the others. */
const LAGGED_MS = 2_000;
/** Time by which a ledger may be behind another or behind the clock. Healthy upstreams differ by a second or two. */
export const STALLED_MS = 10_000;
const PROBE_DEADLINE_MS = 1_500;
const PROVEN_MS = 5_000;
/** Time after an answered probe in which failures are attributed to the request, not to the upstream. */
const CLEARED_MS = 1_000;
const MIN_PROBE_EVERY_MS = 500;

export function update(upstream: Upstream, change: Partial<UpstreamState>): void {
  upstream.state = { ...upstream.state, ...change };
}

/** Reason why an upstream is excluded now; null: it is not excluded. */
export function exclusionOf({ excluded }: UpstreamState, nowMs: number): Exclusion | null {
  return excluded !== null && isWithin(excluded.atMs, excluded.forMs ?? EXCLUDED_MS, nowMs) ? excluded.why : null;
}

/**
 * Whether an upstream's newest ledger has stopped following a chain that grows elsewhere. A ledger's time in the future
 * proves nothing.
 */
export function isOutdated({ ledger }: UpstreamState, { tip }: UpstreamPool, nowMs: number): boolean {
  if (ledger === null || tip === null || ledger.version >= tip.ledger.version) return false;
  const newestMs = Math.min(nowMs, millisecondsOf(tip.ledger));
  return newestMs - millisecondsOf(ledger) > STALLED_MS;
}

/**
 * Returns the upstreams that may be called, healthy ones first in the operator's order. After them come those that lack
 * an old version that was asked for. Then come those recently below a floor or outdated, and those whose probe failed
 * or is running. Last are those that recently limited our requests.
 */
export function upstreamsInOrder({ params }: NodeRequest, pool: UpstreamPool, nowMs: number): Upstream[] {
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

/** Records a response: a success, or an error about the request. */
export function recordResponse(
  upstream: Upstream,
  ledger: Ledger | null,
  dialect: Dialect | null,
  nowMs: number,
): void {
  const state = upstream.state;
  update(upstream, { ledger: ledger ?? state.ledger, dialect: dialect ?? state.dialect, respondedAtMs: nowMs });
}

/**
 * Sends a request of our own for the newest ledger. Never rejects. Whether the ledger is accepted is decided elsewhere.
 */
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

/** Whether the last probe failed, or a probe is running. */
export function lacksGoodProbe(state: UpstreamState, nowMs: number): boolean {
  return state.failedProbes > 0 || isBeingProbed(state, nowMs);
}

export function isBeingProbed({ probeStartedAtMs: atMs, probedAtMs }: UpstreamState, nowMs: number): boolean {
  return (probedAtMs ?? -1) < (atMs ?? -1) && isWithin(atMs, PROBE_DEADLINE_MS, nowMs);
}

/**
 * Whether a probe should decide if the upstream is at fault for a caller's failed request. Rate limits are always
 * probed, because they may begin at any time.
 */
export function isSuspect({ state }: Upstream, error: AttemptError, nowMs: number): boolean {
  const isCleared = error !== "throttled" && isWithin(state.probedAtMs, CLEARED_MS, nowMs);
  return (
    !hasFlag(error, "saysNothingOfHealth") && !isCleared && !isWithin(state.probeStartedAtMs, MIN_PROBE_EVERY_MS, nowMs)
  );
}

/**
 * Whether an upstream is due for a probe. A doubtful upstream is due, less often with every failure. One that seems
 * outdated is due too, because it may have caught up. When the newest ledger is old, the chain may have moved on
 * without us: then every upstream that has not responded for a while is due.
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

/** Whether an upstream responded recently enough to be sent a request that is sent once. */
export function isProven({ respondedAtMs, failedProbes }: UpstreamState, nowMs: number): boolean {
  return failedProbes === 0 && isWithin(respondedAtMs, PROVEN_MS, nowMs);
}

/**
 * Records in an isolate the results of the shield's attempts. A submit then needs no probe: it goes to an upstream that
 * responds and follows the chain. `ledger` is from the attempt that succeeded.
 */
export function recordAttempts(
  { upstreams }: UpstreamPool,
  attempts: readonly Attempt[],
  ledger: Ledger | null,
  nowMs: number,
): void {
  for (const { upstream: label, result } of attempts) {
    const upstream = upstreams.find((each) => each.label === label);
    // Without a connection the upstream was not called.
    if (upstream === undefined || result === "no_connection") continue;
    const newest = result === "ok" && ledger !== null ? ledger : upstream.state.ledger;
    const isAnswered = result === "ok" || hasFlag(result, "answered");
    update(upstream, { respondedAtMs: isAnswered ? nowMs : null, ledger: newest });
  }
}
