import type { NodeRequest, NodeResponse } from "../node-types.ts";
import { acceptResult } from "./accept-response.ts";
import { candidatesFor, proveUpstream } from "./candidates.ts";
import type { ValidResponse } from "./classify-response.ts";
import { refusalOf } from "./own-errors.ts";
import type { UpstreamPorts } from "./pool.ts";
import { isCleared, keepProbing, probe, suspect } from "./probe.ts";
import { positionOf, restMs, throttle, type Upstream } from "./state.ts";
import {
  type AttemptError,
  type UpstreamError,
  type UpstreamResponse,
  type UpstreamResult,
  upstreamError,
} from "./upstream-result.ts";

/** One attempt at one upstream, for logs and metrics. */
export interface Attempt {
  readonly upstream: string;
  readonly result: "ok" | AttemptError;
  readonly milliseconds: number;
  readonly detail?: string;
}

export type FailoverResult =
  | {
      readonly kind: "response";
      readonly response: NodeResponse;
      readonly classification: ValidResponse;
      readonly attempts: readonly Attempt[];
    }
  | UpstreamsDown;

/** No upstream returned a usable response. */
export interface UpstreamsDown {
  readonly kind: "down";
  /** Bytes of a submit may have reached the node: it must not be reported as unsent. */
  readonly maybeSent: boolean;
  /** An upstream responded, but below the floor. */
  readonly lagging: boolean;
  readonly retryAfterSeconds: number;
  readonly attempts: readonly Attempt[];
}

const DEADLINES_MS: Readonly<Record<NodeRequest["mode"], { readonly attempt: number; readonly all: number }>> = {
  read: { attempt: 3_000, all: 8_000 },
  wait: { attempt: 4_000, all: 8_000 },
  compute: { attempt: 8_000, all: 12_000 },
  submit: { attempt: 10_000, all: 12_000 },
};
const UNPROVEN_ATTEMPT_MS = 1_000;
const ROUND_PAUSE_MS = 100;
/** Attempts at one upstream for one request, by the last error; one for errors not listed. */
const MAX_TRIES: Partial<Record<AttemptError, number>> = { truncated: 2, timeout: 2, server_error: 2, invalid: 2 };
/** Failed connections are cheap: this many attempts per request over all upstreams. */
const MAX_CONNECTIONS = 6;
/** Submits that failed in these ways did not reach the node's mempool. */
const NOT_SENT: readonly AttemptError[] = ["throttled", "wrong_chain"];
/** After any other error a probe determines whether the upstream or the request caused it. */
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
  const { pool } = ports;
  const progress = { attempts: [], tries: new Map(), pruned: null, refused: null };
  const call: Call = { request, ports, floor, startedAtMs: ports.now(), ...progress };
  for (const upstream of pool.upstreams) keepProbing(upstream, ports);
  // In parallel with the first attempt, whose response is checked against the result.
  if (pool.trusted === null) ports.background(ports.learn());
  if (request.mode === "submit") return submit(call);
  for (;;) {
    for (const upstream of await availableTo(call)) {
      if (leftMs(call) <= 0) break;
      const result = await attempt(call, upstream);
      if (result.kind === "response") return responded(call, result);
    }
    if (leftMs(call) <= 0 || (await availableTo(call)).length === 0) break;
    await ports.sleep(ROUND_PAUSE_MS);
  }
  if (call.pruned !== null) return pruned(call, call.pruned);
  return call.refused !== null && (await isUp(call))
    ? responded(call, refusalOf(request, call.refused))
    : down(call, false);
}

/** Whether an upstream that refused the request answers a probe: else it refuses all requests, not this one. */
async function isUp({ tries, ports }: Call): Promise<boolean> {
  const refusing = ports.pool.upstreams.filter((upstream) => tries.get(upstream)?.error === "refused");
  if (refusing.some(({ state }) => isCleared(state, ports.now()))) return true;
  return (await Promise.all(refusing.map((upstream) => probe(upstream, ports)))).includes(true);
}

/** Upstreams that may be called now; when there are none, those whose half-open breaker a probe closes. */
async function availableTo(call: Call): Promise<readonly Upstream[]> {
  const { request, ports } = call;
  const { upstreams } = ports.pool;
  const candidates = () => candidatesFor(request, upstreams, ports.now()).filter((upstream) => mayTry(call, upstream));
  if (candidates().length > 0) return candidates();
  const halfOpen = upstreams.filter(({ state }) => positionOf(state, ports.now()) === "half_open");
  await Promise.all(halfOpen.map((upstream) => probe(upstream, ports)));
  return candidates();
}

function mayTry({ tries, attempts }: Call, upstream: Upstream): boolean {
  const tried = tries.get(upstream);
  if (tried?.error === "connect") return attempts.length < MAX_CONNECTIONS;
  return tried === undefined || tried.count < (MAX_TRIES[tried.error] ?? 1);
}

async function attempt(call: Call, upstream: Upstream): Promise<UpstreamResult> {
  const { request, ports } = call;
  const sentAtMs = ports.now();
  const deadlineMs = Math.min(attemptMs(call, upstream), Math.max(1, leftMs(call)));
  const sent = await ports.send(upstream.index, request, upstream.state.dialect, deadlineMs);
  const result = await acceptResult(request, upstream, ports, call.floor, sent);
  if (result.kind === "error" && sent.kind === "response") await sent.response.large?.stream.cancel();
  const attempted = { upstream: upstream.label, milliseconds: ports.now() - sentAtMs };
  if (result.kind === "response") {
    const isPruned = result.classification.answer === "pruned";
    call.attempts.push({ ...attempted, result: isPruned ? "pruned" : "ok" });
    if (!isPruned) return result;
    call.pruned ??= result;
    return noteError(call, upstream, upstreamError("pruned", "history is pruned there", result.response.status));
  }
  call.attempts.push({ ...attempted, result: result.error, detail: result.detail });
  return noteError(call, upstream, result);
}

/**
 * A first attempt at an upstream that has not responded here yet is short while another one is left: after an eviction
 * an object does not know which of them hang.
 */
function attemptMs({ request, ports, tries }: Call, upstream: Upstream): number {
  const { attempt } = DEADLINES_MS[request.mode];
  if (request.mode !== "read" || upstream.state.respondedAtMs !== null || tries.has(upstream)) return attempt;
  const others = candidatesFor(request, ports.pool.upstreams, ports.now()).filter((other) => !tries.has(other));
  return others.length > 1 ? UNPROVEN_ATTEMPT_MS : attempt;
}

function noteError(call: Call, upstream: Upstream, result: UpstreamError): UpstreamError {
  const { ports, request } = call;
  const count = (call.tries.get(upstream)?.count ?? 0) + 1;
  call.tries.set(upstream, { count, error: result.error });
  if (result.error === "throttled") throttle(upstream, request.key, result.retryAfterSeconds, ports.now());
  if (result.error === "refused") call.refused ??= result;
  if (!EXPLAINED.includes(result.error)) suspect(upstream, ports);
  return result;
}

function responded({ attempts }: Call, result: UpstreamResponse): FailoverResult {
  return { kind: "response", response: result.response, classification: result.classification, attempts };
}

/** An upstream that was not called, or failed, may still have the history, so 410 is provisional. */
function pruned(call: Call, found: UpstreamResponse): FailoverResult {
  const everywhere = call.ports.pool.upstreams.every((upstream) => call.tries.get(upstream)?.error === "pruned");
  const { classification } = found;
  return responded(
    call,
    everywhere ? found : { ...found, classification: { ...classification, answer: "pruned_so_far" } },
  );
}

/** Sent at most once: a transaction whose response was lost may still have been accepted. */
async function submit(call: Call): Promise<FailoverResult> {
  const upstream = await proveUpstream(call.request, call.ports);
  if (upstream === undefined) return down(call, false);
  const result = await attempt(call, upstream);
  if (result.kind === "response") return responded(call, result);
  if (result.error === "refused") return responded(call, refusalOf(call.request, result));
  return down(call, !NOT_SENT.includes(result.error));
}

function leftMs({ request, ports, startedAtMs }: Call): number {
  return startedAtMs + DEADLINES_MS[request.mode].all - ports.now();
}

function down({ request, ports, attempts, tries }: Call, maybeSent: boolean): FailoverResult {
  const rests = ports.pool.upstreams.map((upstream) => restMs(upstream, request.key, ports.now()));
  const retryAfterSeconds = Math.max(1, Math.ceil(Math.min(...rests, 60_000) / 1_000));
  const lagging = [...tries.values()].some(({ error }) => error === "lagging");
  return { kind: "down", maybeSent, lagging, retryAfterSeconds, attempts };
}
