import { isWithin } from "../../base/utc.ts";
import type { Attempt, NodeRequest, UpstreamsDown } from "../model/node-types.ts";
import { BETTERABLE, hasFlag, OUTCOME_CODES, outcomeOf } from "../model/outcomes.ts";
import { ANSWER_LOST, proxyRefusal, unanswered } from "../request/node-errors.ts";
import type { ValidResponse } from "./classify.ts";
import type { UpstreamError, UpstreamResponse, UpstreamResult } from "./client.ts";
import { accept, probeAll } from "./trust.ts";
import {
  exclusionOf,
  isDue,
  isOutdated,
  isProven,
  isSuspect,
  probe,
  type Upstream,
  type UpstreamPorts,
  upstreamsInOrder,
} from "./upstreams.ts";

export type FailoverResult = (UpstreamResponse & { readonly attempts: readonly Attempt[] }) | UpstreamsDown;

const DEADLINES_MS: Readonly<Record<NodeRequest["mode"], { readonly attempt: number; readonly failures: number }>> = {
  read: { attempt: 3_000, failures: 10_000 },
  wait: { attempt: 4_000, failures: 10_000 },
  compute: { attempt: 8_000, failures: 12_000 },
  submit: { attempt: 12_000, failures: 12_000 },
};
/** Time for an attempt whose body is still arriving from its sender. */
const UPLOAD_MS = 40_000;
/** Time for the first attempt at an upstream that has not responded lately, while another one is left. */
const UNPROVEN_ATTEMPT_MS = 2_000;
const ROUND_PAUSE_MS = 100;
/** Time for which a hash or page that no upstream had is not asked of others again, because clients poll for it. */
const UNKNOWN_MS = 10_000;

/** Summary of the attempts at one upstream. */
type AttemptSummary = Pick<UpstreamError, "error" | "status" | "retryAfterMs"> & { readonly count: number };

/** State of a request in progress. */
interface Call {
  readonly request: NodeRequest;
  readonly ports: UpstreamPorts;
  readonly floor: bigint;
  /** Whether the body is passed on as it arrives. */
  readonly isStreamed: boolean;
  readonly startedAtMs: number;
  readonly attempts: Attempt[];
  readonly tries: Map<Upstream, AttemptSummary>;
  /** The best answer so far. */
  best: UpstreamResponse | null;
}

/**
 * Calls the upstreams, best first, until an answer is new enough and no other upstream may have a better one. Never
 * rejects.
 */
export async function callUpstreams(
  request: NodeRequest,
  ports: UpstreamPorts,
  floor: bigint,
): Promise<FailoverResult> {
  const isStreamed = request.body !== null && !(request.body instanceof Uint8Array);
  const state = { startedAtMs: ports.now(), attempts: [], tries: new Map(), best: null };
  const call: Call = { request, ports, floor, isStreamed, ...state };
  const checksDone = checkDue(ports);
  const isSentOnce = request.mode === "submit" || isStreamed;
  if (isSentOnce) await checksDone;
  for (let round = 0; ; ) {
    const [next] = candidates(call);
    if (next === undefined || leftMs(call) <= 0) return finalResult(call);
    const failedProbe = isSentOnce && !isProven(next.state, ports.now()) ? await probe(next, ports) : null;
    if (failedProbe?.kind === "error") {
      call.tries.set(next, { ...failedProbe, count: Number.POSITIVE_INFINITY });
      continue;
    }
    const { count } = call.tries.get(next) ?? { count: 0 };
    if (count > round) await ports.sleep(ROUND_PAUSE_MS);
    round = Math.max(round, count);
    const result = await attempt(call, next);
    if (!isOver(call, result)) continue;
    if (result.kind === "response") return { ...result, attempts: call.attempts };
    return finalResult(call, request.mode === "submit" && !hasFlag(result.error, "unsent"));
  }
}

/**
 * Whether failover ends here. A transaction that may have reached an upstream is not sent to another one, so that it is
 * accepted at most once. A streamed body cannot be sent again.
 */
function isOver({ request, isStreamed }: Call, result: UpstreamResult): boolean {
  if (isStreamed) return true;
  const isSubmit = request.mode === "submit";
  if (result.kind === "response") return isSubmit ? result.classification.kind !== "disabled" : rankOf(result) < 0;
  return isSubmit ? !hasFlag(result.error, "unsent") : outcomeOf(result.error).tries === 0;
}

/**
 * Probes all upstreams that are due. Resolves when those that seem outdated have answered, because their known ledgers
 * may be old.
 */
async function checkDue(ports: UpstreamPorts): Promise<void> {
  const { pool, now, background } = ports;
  const due = pool.upstreams.filter((upstream) => isDue(upstream, pool, now()));
  if (due.length === 0) return;
  const behind = due.filter(({ state }) => state.failedProbes === 0 && isOutdated(state, pool, now()));
  const others = due.filter((upstream) => !behind.includes(upstream));
  const checks = [behind, others].map((each) => probeAll(each, ports));
  background(Promise.all(checks));
  await checks[0];
}

/**
 * Upstreams that may still be asked, those with the fewest attempts first. An upstream whose probe failed is not asked
 * for a better answer.
 */
function candidates(call: Call): Upstream[] {
  const { request, ports, tries, best } = call;
  const triesOf = (upstream: Upstream): number => tries.get(upstream)?.count ?? 0;
  const isLeft = (upstream: Upstream): boolean => {
    const tried = tries.get(upstream);
    if (tried === undefined)
      return best === null || (upstream.state.failedProbes === 0 && mayHaveBetter(best, upstream, call));
    return best === null && request.mode !== "submit" && tried.count < outcomeOf(tried.error).tries;
  };
  const remaining = upstreamsInOrder(request, ports.pool, ports.now()).filter(isLeft);
  return remaining.sort((one, other) => triesOf(one) - triesOf(other));
}

/** Whether an upstream may have a better answer than this one. */
function mayHaveBetter(
  { classification: { kind }, response }: UpstreamResponse,
  { state }: Upstream,
  call: Call,
): boolean {
  const { pool, now } = call.ports;
  if (isWithin(pool.unknown.peek(keyOf(call)) ?? null, UNKNOWN_MS, now())) return false;
  const { ledger } = response;
  const isOfHistory = kind === "late" || kind.startsWith("pruned");
  return !isOfHistory || ledger === null || (state.ledger?.oldestVersion ?? 0n) < ledger.oldestVersion;
}

const keyOf = ({ request, ports }: Call): string => `${ports.era} ${request.key}`;

/** Place of an answer in the order of those that may be bettered; -1: it is passed on at once. */
function rankOf({ classification }: UpstreamResponse): number {
  return BETTERABLE.findIndex(([kind]) => kind === classification.kind);
}

/** Returns the better of two answers; of two pages the longer one. */
function betterOf(best: UpstreamResponse | null, result: UpstreamResponse): UpstreamResponse {
  if (best === null) return result;
  const gain = rankOf(best) - rankOf(result) || result.response.body.byteLength - best.response.body.byteLength;
  return gain > 0 ? result : best;
}

async function attempt(call: Call, upstream: Upstream): Promise<UpstreamResult> {
  const { request, ports, attempts, tries, floor } = call;
  const sentAtMs = ports.now();
  const sent = await ports.send(upstream.index, request, upstream.state.dialect, attemptMs(call, upstream));
  const result = await accept(request, upstream, ports, floor, sent);
  if (result.kind === "error" && sent.kind === "response") await sent.response.large?.stream.cancel();
  const summary = { upstream: upstream.label, milliseconds: ports.now() - sentAtMs };
  const count = (tries.get(upstream)?.count ?? 0) + 1;
  const [detail, error] = result.kind === "error" ? [result.detail, result.error] : (BETTERABLE[rankOf(result)] ?? []);
  if (result.kind === "response" && error !== undefined) call.best = betterOf(call.best, result);
  if (error !== undefined) {
    const failure = result.kind === "error" ? result : { status: result.response.status, retryAfterMs: null };
    tries.set(upstream, { error, status: failure.status, retryAfterMs: failure.retryAfterMs, count });
    if (isSuspect(upstream, error, ports.now())) ports.background(probeAll([upstream], ports));
  }
  const isLast = error === "pruned" && call.best === result && candidates(call).length === 0;
  const isPassedOn = error === undefined || isLast;
  attempts.push(isPassedOn ? { ...summary, result: "ok" } : { ...summary, result: error, detail: String(detail) });
  return result;
}

function attemptMs(call: Call, upstream: Upstream): number {
  const { request, ports, tries, best } = call;
  if (call.isStreamed) return UPLOAD_MS;
  const left = Math.max(1, leftMs(call));
  const isLast = !candidates(call).some((other) => other !== upstream && !tries.has(other));
  // An answer exists already, so the wait for a better one is short.
  if (isLast && best === null) return left;
  const isFirst = request.mode === "read" && !isLast && !tries.has(upstream);
  const isShort = isFirst && !isProven(upstream.state, ports.now());
  return Math.min(left, isShort ? UNPROVEN_ATTEMPT_MS : DEADLINES_MS[request.mode].attempt);
}

/** Result when no upstream is left to ask: the best answer, or the causes of the failures. */
async function finalResult(call: Call, isLost = false): Promise<FailoverResult> {
  const { request, tries, attempts, best, ports } = call;
  if (best !== null && !isLost) return { ...best, classification: finalClassification(call, best), attempts };
  // A proxy or firewall in front of the node refuses this request. If it refuses our probe too, it refuses all
  // requests.
  const refusing = isLost ? [] : [...tries].filter(([, { error }]) => error === "refused");
  const probes = await Promise.all(refusing.map(([upstream]) => probe(upstream, ports)));
  if (probes.some(({ kind }) => kind === "response")) {
    const response = { ...proxyRefusal(refusing[0]?.[1].status ?? 400, request.method), ledger: null, extras: {} };
    const classification = { kind: "refused", revealsVersion: null } as const;
    return { kind: "response", response, classification, dialect: null, attempts };
  }
  const { why, status, retryAfterSeconds } = causeOf(call);
  return { kind: "down", why, failure: isLost ? ANSWER_LOST : unanswered(why, status, retryAfterSeconds), attempts };
}

/**
 * Decides whether history is pruned everywhere: an upstream that was not called, or failed, may still have it.
 * Remembers that no upstream has a hash or a page.
 */
function finalClassification(call: Call, best: UpstreamResponse): ValidResponse {
  const { ports, tries } = call;
  const { kind } = best.classification;
  const isSilent = (upstream: Upstream): boolean => tries.get(upstream)?.error !== "pruned";
  const isAbsence = kind === "unknown_hash" || (kind === "late" && best.response.body.byteLength <= "[]".length);
  const isAgreed = tries.size > 1 && ![...tries.keys()].some(isSilent);
  if (isAbsence && isAgreed) ports.pool.unknown.set(keyOf(call), ports.now());
  const isSoFar =
    kind === "pruned" && ports.pool.upstreams.some((each) => isSilent(each) && mayHaveBetter(best, each, call));
  return isSoFar ? { ...best.classification, kind: "pruned_so_far" } : best.classification;
}

function leftMs({ request, ports, startedAtMs }: Call): number {
  return startedAtMs + DEADLINES_MS[request.mode].failures - ports.now();
}

/**
 * Cause that the caller's message reports, of the upstreams that were called or are excluded, and the shortest pause
 * that one asks for.
 */
function causeOf({ ports: { pool, now }, tries }: Call) {
  const all = pool.upstreams.flatMap((upstream): Omit<AttemptSummary, "count"> | [] => {
    const { excluded, failure } = upstream.state;
    const why = exclusionOf(upstream.state, now());
    if (why === null || excluded === null) return tries.get(upstream) ?? [];
    const retryAfterMs = why === "throttled" ? excluded.atMs + (excluded.forMs ?? 0) - now() : null;
    return { error: why, status: failure?.status ?? null, retryAfterMs };
  });
  const why = OUTCOME_CODES.find((code) => all.some(({ error }) => error === code)) ?? "timeout";
  const withCause = all.filter(({ error }) => error === why);
  const pausesMs = withCause.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  const retryAfterSeconds = pausesMs.length === 0 ? undefined : Math.max(1, Math.ceil(Math.min(...pausesMs) / 1_000));
  return { why, status: withCause[0]?.status ?? null, retryAfterSeconds };
}
