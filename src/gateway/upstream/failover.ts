import { isWithin } from "../../utc.ts";
import type { Attempt, NodeRequest, UpstreamsDown } from "../model/node-types.ts";
import { type AttemptError, isMarked, OUTCOMES, outcomeOf } from "../model/outcomes.ts";
import { ANSWER_LOST, refusalOf, unanswered } from "../request/node-errors.ts";
import type { ResponseKind, ValidResponse } from "./classify.ts";
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
/** A hash that no upstream knew is not asked of others again for this long: clients poll for it. */
const UNKNOWN_MS = 10_000;

/** Answers that another upstream may better, the best first. */
const KEPT: readonly ResponseKind[] = ["late", "unknown_hash", "pruned", "pruned_so_far", "failed"];

/** State of one request in progress. */
interface Call {
  readonly request: NodeRequest;
  readonly ports: UpstreamPorts;
  readonly floor: bigint;
  readonly startedAtMs: number;
  readonly attempts: Attempt[];
  readonly tries: Map<Upstream, { readonly count: number; readonly ended: Ended }>;
  /** The best answer so far. */
  kept: UpstreamResponse | null;
}
type Ended = Pick<UpstreamError, "error" | "status" | "retryAfterMs">;

/** Calls the upstreams, best first, until none may have a better answer that is new enough. Never rejects. */
export async function callUpstreams(
  request: NodeRequest,
  ports: UpstreamPorts,
  floor: bigint,
): Promise<FailoverResult> {
  const call: Call = { request, ports, floor, startedAtMs: ports.now(), attempts: [], tries: new Map(), kept: null };
  const checked = checkDue(ports);
  const isStreamed = request.body !== null && !(request.body instanceof Uint8Array);
  if (request.mode !== "submit" && !isStreamed) return sendUntilAnswered(call);
  await checked;
  return sendOnce(call, isStreamed);
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

async function sendUntilAnswered(call: Call): Promise<FailoverResult> {
  for (let round = 0; ; ) {
    const [next] = candidates(call);
    if (next === undefined || leftMs(call) <= 0) return ended(call);
    const { count } = call.tries.get(next) ?? { count: 0 };
    if (count > round) {
      round = count;
      await call.ports.sleep(ROUND_PAUSE_MS);
    }
    const result = await attempt(call, next);
    if (result.kind === "response" && rankOf(result) < 0) return { ...result, attempts: call.attempts };
    if (result.kind === "error" && outcomeOf(result.error).tries === 0) return ended(call);
  }
}

/** Accepted at most once: a transaction whose response was lost may have been. A stream cannot be sent again. */
async function sendOnce(call: Call, isStreamed: boolean): Promise<FailoverResult> {
  const { request, ports, tries } = call;
  for (const upstream of inOrder(request, ports.pool, ports.now())) {
    const probed = isProven(upstream.state, ports.now()) ? null : await probe(upstream, ports);
    if (probed?.kind === "error") {
      tries.set(upstream, { count: 1, ended: probed });
      continue;
    }
    const result = await attempt(call, upstream);
    if (result.kind === "response" && (isStreamed || rankOf(result) < KEPT.length))
      return { ...result, attempts: call.attempts };
    const isUnsent = result.kind === "response" || isMarked(result.error, "unsent");
    if (!isUnsent || isStreamed) return ended(call, request.mode === "submit" && !isUnsent);
  }
  return ended(call);
}

/** Those that may still be asked, the least tried ones first. One that fails is not asked for a better answer. */
function candidates(call: Call): Upstream[] {
  const { request, ports, tries, kept } = call;
  const countOf = (upstream: Upstream): number => tries.get(upstream)?.count ?? 0;
  return inOrder(request, ports.pool, ports.now())
    .filter((upstream) => {
      const tried = tries.get(upstream);
      if (kept !== null)
        return tried === undefined && upstream.state.failedProbes === 0 && mayKnow(kept, upstream, call);
      return tried === undefined || tried.count < outcomeOf(tried.ended.error).tries;
    })
    .sort((left, right) => countOf(left) - countOf(right));
}

/** Whether an upstream may have a better answer than this one. */
function mayKnow({ classification: { of }, response }: UpstreamResponse, { state }: Upstream, call: Call): boolean {
  if (of === "late" || of.startsWith("pruned"))
    return response.ledger === null || (state.ledger?.oldestVersion ?? 0n) < response.ledger.oldestVersion;
  const { pool, now } = call.ports;
  return of !== "unknown_hash" || !isWithin(pool.unknown.look(hashKeyOf(call)) ?? null, UNKNOWN_MS, now());
}

function hashKeyOf({ request, ports }: Call): string {
  return `${ports.era} ${request.params["txn_hash"]}`;
}

/** The place of an answer in the order of those that are kept, last that it is disabled there; -1: it is passed on. */
function rankOf({ classification, response }: UpstreamResponse): number {
  return response.status === 403 ? KEPT.length : KEPT.indexOf(classification.of);
}

/** The better of two answers: of two pages the longer one. */
function better(kept: UpstreamResponse | null, result: UpstreamResponse): UpstreamResponse {
  if (kept === null) return result;
  const [before, after] = [rankOf(kept), rankOf(result)];
  const isLonger = after === 0 && result.response.body.byteLength > kept.response.body.byteLength;
  return after < before || (after === before && isLonger) ? result : kept;
}

/** An answer that is neither passed on at once nor the best one that is kept comes back as an error. */
async function attempt(call: Call, upstream: Upstream): Promise<UpstreamResult> {
  const { request, ports, attempts, tries, floor } = call;
  const sentAtMs = ports.now();
  const sent = await ports.send(upstream.index, request, upstream.state.dialect, attemptMs(call, upstream));
  const result = await accept(request, upstream, ports, floor, sent);
  if (result.kind === "error" && sent.kind === "response") await sent.response.large?.stream.cancel();
  const attempted = { upstream: upstream.label, milliseconds: ports.now() - sentAtMs };
  const count = (tries.get(upstream)?.count ?? 0) + 1;
  if (result.kind === "error") {
    const { error, detail } = result;
    attempts.push({ ...attempted, result: error, detail });
    tries.set(upstream, { count, ended: result });
    if (!isMarked(error, "explained") && isSuspect(upstream.state, ports.now()))
      ports.background(check([upstream], ports));
    return result;
  }
  const rank = rankOf(result);
  if (rank >= 0) {
    const { status } = result.response;
    call.kept = better(call.kept, result);
    const error = rank < KEPT.indexOf("failed") ? "pruned" : "failed";
    tries.set(upstream, { count, ended: { error, status, retryAfterMs: null } });
    if (call.kept !== result || candidates(call).length > 0) {
      attempts.push({ ...attempted, result: error, detail: `kept: ${result.classification.of}` });
      return result;
    }
  }
  attempts.push({ ...attempted, result: "ok" });
  return result;
}

function attemptMs(call: Call, upstream: Upstream): number {
  const { request, ports, tries, kept } = call;
  if (request.body !== null && !(request.body instanceof Uint8Array)) return UPLOAD_MS;
  const isLast = !candidates(call).some((other) => other !== upstream && !tries.has(other));
  const isShort = request.mode === "read" && !isProven(upstream.state, ports.now()) && !tries.has(upstream);
  const { attempt: longest } = DEADLINES_MS[request.mode];
  const left = Math.max(1, leftMs(call));
  // What is kept is an answer: nobody waits long for a better one.
  if (isLast && kept === null) return left;
  return Math.min(left, isShort && !isLast ? UNPROVEN_ATTEMPT_MS : longest);
}

/** What the caller gets when nobody is left to ask: the best answer, or what is known of those that did not answer. */
async function ended(call: Call, isLost = false): Promise<FailoverResult> {
  const { request, tries, attempts, kept, ports } = call;
  if (kept !== null) return { ...kept, classification: keptAs(call, kept), attempts };
  const refusing = [...tries].filter(
    ([
      ,
      {
        ended: { error },
      },
    ]) => error === "refused",
  );
  if (
    !isLost &&
    (await isAnyUp(
      refusing.map(([upstream]) => upstream),
      ports,
    ))
  )
    return refused(request, refusing[0]?.[1].ended.status ?? 400, attempts);
  const { why, status, retryAfterSeconds } = causeOf(call);
  const failure = isLost ? ANSWER_LOST : unanswered(why, status, retryAfterSeconds);
  return { kind: "down", why, failure, attempts };
}

/** One that was not called, or failed, may still have the history. That nobody knows a hash is remembered. */
function keptAs(call: Call, kept: UpstreamResponse): ValidResponse {
  const { ports, tries } = call;
  const { of } = kept.classification;
  const isSilent = (upstream: Upstream): boolean => tries.get(upstream)?.ended.error !== "pruned";
  if (of === "unknown_hash" && tries.size > 1 && ![...tries.keys()].some(isSilent))
    ports.pool.unknown.set(hashKeyOf(call), ports.now());
  const isSoFar = of === "pruned" && ports.pool.upstreams.some((each) => isSilent(each) && mayKnow(kept, each, call));
  return isSoFar ? { ...kept.classification, of: "pruned_so_far" } : kept.classification;
}

/** Whether an upstream that refused the request answers a probe: else it refuses all requests, not this one. */
async function isAnyUp(refusing: readonly Upstream[], ports: UpstreamPorts): Promise<boolean> {
  const results = await Promise.all(refusing.map((upstream) => probe(upstream, ports)));
  return results.some(({ kind }) => kind === "response");
}

/** A proxy or firewall in front of the node rejected the request with a 4xx of its own. */
function refused({ method }: NodeRequest, status: number, attempts: readonly Attempt[]): FailoverResult {
  const response = { ...refusalOf(status, method), ledger: null, extras: {} };
  const classification = { of: "refused", revealsVersion: null } as const;
  return { kind: "response", response, classification, dialect: null, attempts };
}

function leftMs({ request, ports, startedAtMs }: Call): number {
  return startedAtMs + DEADLINES_MS[request.mode].all - ports.now();
}

/** The outcomes in the order of what may change soonest. */
const BY_URGENCY = Object.keys(OUTCOMES) as readonly AttemptError[];

/** What the caller is told of upstreams that were called or are excluded, and the least time that one names. */
function causeOf({ ports: { pool, now }, tries }: Call) {
  const all = pool.upstreams.flatMap((upstream): Ended | [] => {
    const { excluded, failure } = upstream.state;
    const why = exclusionOf(upstream.state, now());
    if (why === null || excluded === null) return tries.get(upstream)?.ended ?? [];
    const retryAfterMs = why === "throttled" ? excluded.atMs + (excluded.forMs ?? 0) - now() : null;
    return { error: why, status: failure?.status ?? null, retryAfterMs };
  });
  const why = BY_URGENCY.find((error) => all.some((each) => each.error === error)) ?? "timeout";
  const told = all.filter(({ error }) => error === why);
  const named = told.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  const retryAfterSeconds = named.length === 0 ? undefined : Math.max(1, Math.ceil(Math.min(...named) / 1_000));
  return { why, status: told[0]?.status ?? null, retryAfterSeconds };
}
