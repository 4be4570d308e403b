import { isWithin } from "../../base/utc.ts";
import type { Attempt, NodeRequest, UpstreamsDown } from "../model/node-types.ts";
import { isMarked, KEPT, OUTCOME_CODES, outcomeOf } from "../model/outcomes.ts";
import { ANSWER_LOST, refusalOf, unanswered } from "../request/node-errors.ts";
import type { ValidResponse } from "./classify.ts";
import type { UpstreamError, UpstreamResponse, UpstreamResult } from "./client.ts";
import { accept, check } from "./trust.ts";
import {
  exclusionOf,
  inOrder,
  isDue,
  isOutdated,
  isProven,
  isSuspect,
  probe,
  type Upstream,
  type UpstreamPorts,
} from "./upstreams.ts";

export type FailoverResult = (UpstreamResponse & { readonly attempts: readonly Attempt[] }) | UpstreamsDown;

const DEADLINES_MS: Readonly<Record<NodeRequest["mode"], { readonly attempt: number; readonly all: number }>> = {
  read: { attempt: 3_000, all: 10_000 },
  wait: { attempt: 4_000, all: 10_000 },
  compute: { attempt: 8_000, all: 12_000 },
  submit: { attempt: 12_000, all: 12_000 },
};
/** For a body that its sender still sends. */
const UPLOAD_MS = 40_000;
/** The first attempt at an upstream that has not responded lately is short while another one is left. */
const UNPROVEN_ATTEMPT_MS = 2_000;
const ROUND_PAUSE_MS = 100;
/** A hash or a page that no upstream had is not asked of others again for this long: clients poll for it. */
const UNKNOWN_MS = 10_000;

/** How the calls of one upstream ended. */
type Tried = Pick<UpstreamError, "error" | "status" | "retryAfterMs"> & { readonly count: number };

/** State of one request in progress. */
interface Call {
  readonly request: NodeRequest;
  readonly ports: UpstreamPorts;
  readonly floor: bigint;
  /** Its body is passed on while it arrives. */
  readonly isStreamed: boolean;
  readonly startedAtMs: number;
  readonly attempts: Attempt[];
  readonly tries: Map<Upstream, Tried>;
  /** The best answer so far. */
  kept: UpstreamResponse | null;
}

/** Calls the upstreams, best first, until none may have a better answer that is new enough. Never rejects. */
export async function callUpstreams(
  request: NodeRequest,
  ports: UpstreamPorts,
  floor: bigint,
): Promise<FailoverResult> {
  const isStreamed = request.body !== null && !(request.body instanceof Uint8Array);
  const state = { startedAtMs: ports.now(), attempts: [], tries: new Map(), kept: null };
  const call: Call = { request, ports, floor, isStreamed, ...state };
  const checked = checkDue(ports);
  const isSentOnce = request.mode === "submit" || isStreamed;
  if (isSentOnce) await checked;
  for (let round = 0; ; ) {
    const [next] = candidates(call);
    if (next === undefined || leftMs(call) <= 0) return ended(call);
    const probed = isSentOnce && !isProven(next.state, ports.now()) ? await probe(next, ports) : null;
    if (probed?.kind === "error") {
      call.tries.set(next, { ...probed, count: Number.POSITIVE_INFINITY });
      continue;
    }
    const { count } = call.tries.get(next) ?? { count: 0 };
    if (count > round) await ports.sleep(ROUND_PAUSE_MS);
    round = Math.max(round, count);
    const result = await attempt(call, next);
    if (!isOver(call, result)) continue;
    if (result.kind === "response") return { ...result, attempts: call.attempts };
    return ended(call, request.mode === "submit" && !isMarked(result.error, "unsent"));
  }
}

/** Whether no other upstream is asked: a transaction is accepted at most once, and a stream cannot be sent again. */
function isOver({ request, isStreamed }: Call, result: UpstreamResult): boolean {
  if (isStreamed) return true;
  const isSubmit = request.mode === "submit";
  if (result.kind === "response") return isSubmit ? result.classification.of !== "disabled" : rankOf(result) < 0;
  return isSubmit ? !isMarked(result.error, "unsent") : outcomeOf(result.error).tries === 0;
}

/** Probes all that are due. Resolves when those that seem outdated have answered: what is known of them may be old. */
async function checkDue(ports: UpstreamPorts): Promise<void> {
  const { pool, now, background } = ports;
  const due = pool.upstreams.filter((upstream) => isDue(upstream, pool, now()));
  if (due.length === 0) return;
  const behind = due.filter(({ state }) => state.failedProbes === 0 && isOutdated(state, pool, now()));
  const others = due.filter((upstream) => !behind.includes(upstream));
  const checks = [behind, others].map((each) => check(each, ports));
  background(Promise.all(checks));
  await checks[0];
}

/** Those that may still be asked, the least tried ones first. One that fails is not asked for a better answer. */
function candidates(call: Call): Upstream[] {
  const { request, ports, tries, kept } = call;
  const countOf = (upstream: Upstream): number => tries.get(upstream)?.count ?? 0;
  const isLeft = (upstream: Upstream): boolean => {
    const tried = tries.get(upstream);
    if (tried === undefined)
      return kept === null || (upstream.state.failedProbes === 0 && mayKnow(kept, upstream, call));
    return kept === null && request.mode !== "submit" && tried.count < outcomeOf(tried.error).tries;
  };
  const left = inOrder(request, ports.pool, ports.now()).filter(isLeft);
  return left.sort((one, other) => countOf(one) - countOf(other));
}

/** Whether an upstream may have a better answer than this one. */
function mayKnow({ classification: { of }, response }: UpstreamResponse, { state }: Upstream, call: Call): boolean {
  const { pool, now } = call.ports;
  if (isWithin(pool.unknown.peek(keyOf(call)) ?? null, UNKNOWN_MS, now())) return false;
  const { ledger } = response;
  const isOfHistory = of === "late" || of.startsWith("pruned");
  return !isOfHistory || ledger === null || (state.ledger?.oldestVersion ?? 0n) < ledger.oldestVersion;
}

const keyOf = ({ request, ports }: Call): string => `${ports.era} ${request.key}`;

/** The place of an answer in the order of those that are kept; -1: it is passed on at once. */
function rankOf({ classification }: UpstreamResponse): number {
  return KEPT.findIndex(([kind]) => kind === classification.of);
}

/** The better of two answers: of two pages the longer one. */
function better(kept: UpstreamResponse | null, result: UpstreamResponse): UpstreamResponse {
  if (kept === null) return result;
  const gain = rankOf(kept) - rankOf(result) || result.response.body.byteLength - kept.response.body.byteLength;
  return gain > 0 ? result : kept;
}

async function attempt(call: Call, upstream: Upstream): Promise<UpstreamResult> {
  const { request, ports, attempts, tries, floor } = call;
  const sentAtMs = ports.now();
  const sent = await ports.send(upstream.index, request, upstream.state.dialect, attemptMs(call, upstream));
  const result = await accept(request, upstream, ports, floor, sent);
  if (result.kind === "error" && sent.kind === "response") await sent.response.large?.stream.cancel();
  const attempted = { upstream: upstream.label, milliseconds: ports.now() - sentAtMs };
  const count = (tries.get(upstream)?.count ?? 0) + 1;
  const [detail, error] = result.kind === "error" ? [result.detail, result.error] : (KEPT[rankOf(result)] ?? []);
  if (result.kind === "response" && error !== undefined) call.kept = better(call.kept, result);
  if (error !== undefined) {
    const of = result.kind === "error" ? result : { status: result.response.status, retryAfterMs: null };
    tries.set(upstream, { error, status: of.status, retryAfterMs: of.retryAfterMs, count });
    if (isSuspect(upstream, error, ports.now())) ports.background(check([upstream], ports));
  }
  const isLast = error === "pruned" && call.kept === result && candidates(call).length === 0;
  const isPassedOn = error === undefined || isLast;
  attempts.push(isPassedOn ? { ...attempted, result: "ok" } : { ...attempted, result: error, detail: String(detail) });
  return result;
}

function attemptMs(call: Call, upstream: Upstream): number {
  const { request, ports, tries, kept } = call;
  if (call.isStreamed) return UPLOAD_MS;
  const left = Math.max(1, leftMs(call));
  const isLast = !candidates(call).some((other) => other !== upstream && !tries.has(other));
  // What is kept is an answer: nobody waits long for a better one.
  if (isLast && kept === null) return left;
  const isFirst = request.mode === "read" && !isLast && !tries.has(upstream);
  const isShort = isFirst && !isProven(upstream.state, ports.now());
  return Math.min(left, isShort ? UNPROVEN_ATTEMPT_MS : DEADLINES_MS[request.mode].attempt);
}

/** What the caller gets when nobody is left to ask: the best answer, or what is known of those that did not answer. */
async function ended(call: Call, isLost = false): Promise<FailoverResult> {
  const { request, tries, attempts, kept, ports } = call;
  if (kept !== null && !isLost) return { ...kept, classification: keptAs(call, kept), attempts };
  // A proxy or firewall in front of the node: it refuses this request, or, if it does our probe too, all of them.
  const refusing = isLost ? [] : [...tries].filter(([, { error }]) => error === "refused");
  const probes = await Promise.all(refusing.map(([upstream]) => probe(upstream, ports)));
  if (probes.some(({ kind }) => kind === "response")) {
    const response = { ...refusalOf(refusing[0]?.[1].status ?? 400, request.method), ledger: null, extras: {} };
    const classification = { of: "refused", revealsVersion: null } as const;
    return { kind: "response", response, classification, dialect: null, attempts };
  }
  const { why, status, retryAfterSeconds } = causeOf(call);
  return { kind: "down", why, failure: isLost ? ANSWER_LOST : unanswered(why, status, retryAfterSeconds), attempts };
}

/** One that was not called, or failed, may still have the history. That nobody has a hash or a page is remembered. */
function keptAs(call: Call, kept: UpstreamResponse): ValidResponse {
  const { ports, tries } = call;
  const { of } = kept.classification;
  const isSilent = (upstream: Upstream): boolean => tries.get(upstream)?.error !== "pruned";
  const isAbsence = of === "unknown_hash" || (of === "late" && kept.response.body.byteLength <= "[]".length);
  const isAgreed = tries.size > 1 && ![...tries.keys()].some(isSilent);
  if (isAbsence && isAgreed) ports.pool.unknown.set(keyOf(call), ports.now());
  const isSoFar = of === "pruned" && ports.pool.upstreams.some((each) => isSilent(each) && mayKnow(kept, each, call));
  return isSoFar ? { ...kept.classification, of: "pruned_so_far" } : kept.classification;
}

function leftMs({ request, ports, startedAtMs }: Call): number {
  return startedAtMs + DEADLINES_MS[request.mode].all - ports.now();
}

/** What the caller is told of upstreams that were called or are excluded, and the least time that one names. */
function causeOf({ ports: { pool, now }, tries }: Call) {
  const all = pool.upstreams.flatMap((upstream): Omit<Tried, "count"> | [] => {
    const { excluded, failure } = upstream.state;
    const why = exclusionOf(upstream.state, now());
    if (why === null || excluded === null) return tries.get(upstream) ?? [];
    const retryAfterMs = why === "throttled" ? excluded.atMs + (excluded.forMs ?? 0) - now() : null;
    return { error: why, status: failure?.status ?? null, retryAfterMs };
  });
  const why = OUTCOME_CODES.find((code) => all.some(({ error }) => error === code)) ?? "timeout";
  const told = all.filter(({ error }) => error === why);
  const named = told.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  const retryAfterSeconds = named.length === 0 ? undefined : Math.max(1, Math.ceil(Math.min(...named) / 1_000));
  return { why, status: told[0]?.status ?? null, retryAfterSeconds };
}
