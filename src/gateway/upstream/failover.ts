import type { Attempt, AttemptError, NodeRequest, UpstreamsDown } from "../model/node-types.ts";
import { errorResponse } from "../request/node-errors.ts";
import { type UpstreamError, type UpstreamResponse, type UpstreamResult, upstreamError } from "./client.ts";
import { accept, check } from "./trust.ts";
import {
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
  read: { attempt: 3_000, all: 8_000 },
  wait: { attempt: 4_000, all: 8_000 },
  compute: { attempt: 8_000, all: 12_000 },
  submit: { attempt: 10_000, all: 12_000 },
};
/** For a body that its sender still sends. */
const UPLOAD_MS = 40_000;
/** The first attempt at an upstream that has not responded lately is short while another one is left. */
const UNPROVEN_ATTEMPT_MS = 2_000;
const ROUND_PAUSE_MS = 100;
/**
 * Attempts at one upstream for one request, by the last error; one for errors not listed. A broken connection is
 * cheap, and says little about the next one.
 */
const MAX_TRIES: Partial<Record<AttemptError, number>> = {
  connect: 4,
  truncated: 4,
  timeout: 2,
  server_error: 2,
  invalid: 2,
  contradicts: 2,
};
/** Submits that failed in these ways did not reach the node's mempool. */
const NOT_SENT: readonly AttemptError[] = ["throttled", "wrong_chain"];
/** Errors that say nothing about the upstream's health. After any other a probe decides. */
const EXPLAINED: readonly AttemptError[] = ["wrong_chain", "contradicts", "lagging", "pruned", "no_connection"];

/** State of one request in progress. */
interface Call {
  readonly request: NodeRequest;
  readonly ports: UpstreamPorts;
  readonly floor: bigint;
  readonly startedAtMs: number;
  readonly attempts: Attempt[];
  readonly tries: Map<Upstream, { count: number; error: AttemptError }>;
  pruned: UpstreamResponse | null;
  refused: UpstreamError | null;
}

/** Calls the upstreams, best first, until one returns a valid response that is new enough. Never rejects. */
export async function callUpstreams(
  request: NodeRequest,
  ports: UpstreamPorts,
  floor: bigint,
): Promise<FailoverResult> {
  const progress = { attempts: [], tries: new Map(), pruned: null, refused: null };
  const call: Call = { request, ports, floor, startedAtMs: ports.now(), ...progress };
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
  for (let left = candidates(call); left.length > 0 && leftMs(call) > 0; left = candidates(call)) {
    if (call.attempts.length > 0) await call.ports.sleep(ROUND_PAUSE_MS);
    for (const upstream of left) {
      if (leftMs(call) <= 0) break;
      const result = await attempt(call, upstream);
      if (result.kind === "response") return { ...result, attempts: call.attempts };
    }
  }
  if (call.pruned !== null) return pruned(call, call.pruned);
  return call.refused !== null && (await isUp(call)) ? refused(call, call.refused) : down(call, false);
}

/** Accepted at most once: a transaction whose response was lost may have been. A stream cannot be sent again. */
async function sendOnce(call: Call, isStreamed: boolean): Promise<FailoverResult> {
  const { request, ports } = call;
  for (const upstream of inOrder(request, ports.pool, ports.now())) {
    if (!isProven(upstream.state, ports.now()) && (await probe(upstream, ports)).kind === "error") continue;
    const result = await attempt(call, upstream);
    if (result.kind === "response") return { ...result, attempts: call.attempts };
    if (result.error === "refused") return refused(call, result);
    const isNotSent = NOT_SENT.includes(result.error);
    if (!isNotSent || isStreamed) return down(call, request.mode === "submit" && !isNotSent);
  }
  return down(call, false);
}

function candidates({ request, ports, tries }: Call): Upstream[] {
  return inOrder(request, ports.pool, ports.now()).filter((upstream) => {
    const tried = tries.get(upstream);
    return tried === undefined || tried.count < (MAX_TRIES[tried.error] ?? 1);
  });
}

async function attempt(call: Call, upstream: Upstream): Promise<UpstreamResult> {
  const { request, ports, attempts, tries, floor } = call;
  const sentAtMs = ports.now();
  const sent = await ports.send(upstream.index, request, upstream.state.dialect, attemptMs(call, upstream));
  const result = await accept(request, upstream, ports, floor, sent);
  if (result.kind === "error" && sent.kind === "response") await sent.response.large?.stream.cancel();
  const attempted = { upstream: upstream.label, milliseconds: ports.now() - sentAtMs };
  if (result.kind === "response" && result.classification.of !== "pruned") {
    attempts.push({ ...attempted, result: "ok" });
    return result;
  }
  if (result.kind === "response") call.pruned ??= result;
  const failed =
    result.kind === "error" ? result : upstreamError("pruned", "history is pruned there", result.response.status);
  const { error, detail } = failed;
  attempts.push({ ...attempted, result: error, detail });
  tries.set(upstream, { count: (tries.get(upstream)?.count ?? 0) + 1, error });
  if (error === "refused") call.refused ??= failed;
  if (!EXPLAINED.includes(error) && isSuspect(upstream.state, ports.now())) ports.background(check([upstream], ports));
  return failed;
}

function attemptMs(call: Call, upstream: Upstream): number {
  const { request, ports, tries } = call;
  if (request.body !== null && !(request.body instanceof Uint8Array)) return UPLOAD_MS;
  const isShort =
    request.mode === "read" &&
    !isProven(upstream.state, ports.now()) &&
    !tries.has(upstream) &&
    candidates(call).some((other) => other !== upstream && !tries.has(other));
  const longest = isShort ? UNPROVEN_ATTEMPT_MS : DEADLINES_MS[request.mode].attempt;
  return Math.min(longest, Math.max(1, leftMs(call)));
}

/** Whether an upstream that refused the request answers a probe: else it refuses all requests, not this one. */
async function isUp({ tries, ports }: Call): Promise<boolean> {
  const refusing = ports.pool.upstreams.filter((upstream) => tries.get(upstream)?.error === "refused");
  const results = await Promise.all(refusing.map((upstream) => probe(upstream, ports)));
  return results.some(({ kind }) => kind === "response");
}

/** A proxy or firewall in front of the node rejected the request with a 4xx of its own. */
function refused({ request, attempts }: Call, { status }: UpstreamError): FailoverResult {
  const response = { ...errorResponse(status ?? 400, request.method), ledger: null, extras: {} };
  const classification = { of: "refused", revealsVersion: null } as const;
  return { kind: "response", response, classification, dialect: null, attempts };
}

/** An upstream that was not called, or failed, may still have the history, so 410 is provisional. */
function pruned({ ports, tries, attempts }: Call, found: UpstreamResponse): FailoverResult {
  const isEverywhere = ports.pool.upstreams.every((upstream) => tries.get(upstream)?.error === "pruned");
  const of = isEverywhere ? "pruned" : "pruned_so_far";
  return { ...found, classification: { ...found.classification, of }, attempts };
}

function leftMs({ request, ports, startedAtMs }: Call): number {
  return startedAtMs + DEADLINES_MS[request.mode].all - ports.now();
}

function down({ attempts, tries }: Call, maybeSent: boolean): FailoverResult {
  const lagging = [...tries.values()].some(({ error }) => error === "lagging");
  return { kind: "down", maybeSent, lagging, attempts };
}
