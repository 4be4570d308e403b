import type { NodeRequest, NodeResponse } from "../node-types.ts";
import { admits } from "./circuit-breaker.ts";
import { type Classification, classifyResponse } from "./classify-response.ts";
import {
  type AttemptError,
  onError,
  onResponse,
  onStart,
  restMs,
  type Upstream,
  type UpstreamResult,
} from "./state.ts";

export interface FailoverPorts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** How long upstreams that are all behind may take to catch up. */
  readonly lagPatienceMs: number;
  /** The chain that every upstream must be of; null while it is not known. Learns it from the first answer. */
  readonly expectChain: (chainId: number) => Promise<number>;
}

/** One try at one upstream, for logs and counters. */
export interface Attempt {
  readonly upstream: string;
  readonly result: "ok" | AttemptError;
  readonly milliseconds: number;
  readonly why?: string;
}

type Valid = Extract<Classification, { kind: "valid" }>;

export type FailoverResult =
  | {
      readonly kind: "answer";
      readonly answer: NodeResponse;
      readonly classification: Valid;
      readonly attempts: readonly Attempt[];
    }
  | {
      readonly kind: "down";
      /** Bytes of a submit may have arrived: it must not be called unsent. */
      readonly maybeSent: boolean;
      readonly retryAfterSeconds: number;
      readonly attempts: readonly Attempt[];
    };

const DEADLINES_MS: Readonly<Record<NodeRequest["mode"], { readonly attempt: number; readonly all: number }>> = {
  read: { attempt: 3_000, all: 8_000 },
  wait: { attempt: 4_000, all: 8_000 },
  compute: { attempt: 8_000, all: 12_000 },
  submit: { attempt: 10_000, all: 12_000 },
};
const ROUND_PAUSE_MS = 100;
/** A fault that was a moment's is worth a second look; upstreams that only lag get as many as their patience holds. */
const MAX_ROUNDS = 2;
/** A submit goes only to an upstream that answered this recently, or answers a probe first. */
const PROVEN_MS = 5_000;

/** What is not pinned must be at least this new. Awaited only when there is an answer to judge. */
export type Floor = () => Promise<bigint>;

interface Round {
  readonly target: NodeRequest;
  readonly upstreams: readonly Upstream[];
  readonly ports: FailoverPorts;
  readonly atLeast: Floor;
  readonly startedAtMs: number;
  readonly attempts: Attempt[];
  pruned: { answer: NodeResponse; classification: Valid } | null;
}

/** Asks the upstreams, best first, until one gives a sound answer that is new enough. Never rejects. */
export async function callUpstreams(
  target: NodeRequest,
  upstreams: readonly Upstream[],
  ports: FailoverPorts,
  atLeast: Floor,
): Promise<FailoverResult> {
  const round: Round = { target, upstreams, ports, atLeast, startedAtMs: ports.now(), attempts: [], pruned: null };
  if (target.mode === "submit") return submit(round);
  for (let rounds = 1; ; rounds += 1) {
    let lagged = false;
    for (const upstream of candidates(upstreams, target, ports.now())) {
      if (left(round) <= 0) return down(round, false);
      const result = await attempt(round, upstream);
      if (result.kind === "answer") return { ...result, attempts: round.attempts };
      lagged ||= result.fault === "lagging";
    }
    if (round.pruned !== null) return gone(round, round.pruned);
    const patient = lagged && ports.now() - round.startedAtMs < ports.lagPatienceMs;
    if (!patient && rounds >= MAX_ROUNDS) return down(round, false);
    await ports.sleep(ROUND_PAUSE_MS);
  }
}

/** One that was not asked, or failed, may still have the history: then it is gone only as far as is known. */
function gone(
  { upstreams, attempts }: Round,
  { answer, classification }: { answer: NodeResponse; classification: Valid },
): FailoverResult {
  const said = new Set(attempts.filter(({ result }) => result === "pruned").map(({ upstream }) => upstream));
  const everywhere = upstreams.every(({ label }) => said.has(label));
  return {
    kind: "answer",
    answer,
    classification: everywhere ? classification : { ...classification, answer: "pruned_so_far" },
    attempts,
  };
}

/** Sent at most once: what was lost on the way may still have been accepted. */
async function submit(round: Round): Promise<FailoverResult> {
  const upstream = await provenUpstream(round);
  if (upstream === undefined) return down(round, false);
  const result = await attempt(round, upstream);
  if (result.kind === "answer") return { ...result, attempts: round.attempts };
  return down(round, result.fault !== "throttled" && result.fault !== "wrong_chain");
}

async function provenUpstream(round: Round): Promise<Upstream | undefined> {
  const { upstreams, target, ports } = round;
  for (const upstream of candidates(upstreams, target, ports.now())) {
    const { lastAnswerAtMs, breaker } = upstream.state;
    const proven = lastAnswerAtMs !== null && ports.now() - lastAnswerAtMs < PROVEN_MS && breaker.failuresInARow === 0;
    if (proven) return upstream;
    const probe: Round = { ...round, target: LEDGER_INFO, atLeast: async () => 0n };
    if ((await attempt(probe, upstream)).kind === "answer") return upstream;
  }
  return undefined;
}

/** What a probe asks. */
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

/** Those that may be asked now, in the operator's order, with known laggards last. */
export function candidates(upstreams: readonly Upstream[], target: NodeRequest, nowMs: number): Upstream[] {
  const asked = target.params["ledger_version"] ?? target.params["txn_version"] ?? target.params["version"];
  const rank = ({ state }: Upstream): number =>
    (state.laggingUntilMs > nowMs ? 2 : 0) +
    (asked !== undefined && state.ledger !== null && BigInt(asked) < state.ledger.oldestVersion ? 1 : 0);
  return upstreams
    .filter(
      ({ state }) => admits(state.breaker, nowMs) && state.coolUntilMs <= nowMs && state.wrongChainUntilMs <= nowMs,
    )
    .map((upstream, order) => ({ upstream, order }))
    .sort((left, right) => rank(left.upstream) - rank(right.upstream) || left.order - right.order)
    .map(({ upstream }) => upstream);
}

type Tried =
  | { readonly kind: "answer"; readonly answer: NodeResponse; readonly classification: Valid }
  | { readonly kind: "fault"; readonly fault: AttemptError };

async function attempt(round: Round, upstream: Upstream): Promise<Tried> {
  const { ports, target } = round;
  const sentAtMs = ports.now();
  upstream.state = onStart(upstream.state, sentAtMs);
  const deadlineMs = Math.min(DEADLINES_MS[target.mode].attempt, Math.max(1, left(round)));
  const sending = await upstream.send(target, upstream.state.dialect, deadlineMs);
  const judged = await judge(round, sending);
  const nowMs = ports.now();
  const milliseconds = nowMs - sentAtMs;
  if (judged.kind === "answer") {
    upstream.state = { ...onResponse(upstream.state, judged.answer.ledger, judged.dialect, nowMs), laggingUntilMs: 0 };
    round.attempts.push({ upstream: upstream.label, result: "ok", milliseconds });
    return judged;
  }
  if (sending.kind === "answer" && (judged.fault === "lagging" || judged.fault === "pruned"))
    upstream.state = onResponse(upstream.state, sending.answer.ledger, sending.dialect, nowMs);
  const retryAfterSeconds = sending.kind === "answer" ? sending.retryAfterSeconds : null;
  upstream.state = onError(upstream.state, judged.fault, retryAfterSeconds, nowMs);
  round.attempts.push({ upstream: upstream.label, result: judged.fault, milliseconds, why: judged.why });
  return judged;
}

type Judged =
  | {
      readonly kind: "answer";
      readonly answer: NodeResponse;
      readonly classification: Valid;
      readonly dialect: "node" | "aptos" | null;
    }
  | { readonly kind: "fault"; readonly fault: AttemptError; readonly why: string };

async function judge(round: Round, sending: UpstreamResult): Promise<Judged> {
  if (sending.kind === "fault") return sending;
  const { answer, dialect } = sending;
  const fault = (kind: AttemptError, why: string): Judged => ({ kind: "fault", fault: kind, why });
  if (answer.status === 429) return fault("throttled", "asked us to slow down");
  const classification = classifyResponse(round.target, answer);
  if (answer.status >= 500 && !isVerdict(round.target, answer.status, classification))
    return fault("server_error", `status ${answer.status}`);
  if (classification.kind === "invalid") return fault("invalid", classification.why);
  if (answer.ledger !== null) {
    const expected = await round.ports.expectChain(answer.ledger.chainId);
    if (expected !== answer.ledger.chainId) return fault("wrong_chain", `chain ${answer.ledger.chainId}`);
    const pinned =
      classification.answer === "committed" ||
      classification.answer === "full_page" ||
      classification.answer === "absent_at_version";
    const timeless = pinned || round.target.mode === "submit" || classification.answer === "pruned";
    if (!timeless && answer.ledger.version < (await round.atLeast()))
      return fault("lagging", `version ${answer.ledger.version}`);
  }
  if (classification.answer === "pruned") {
    round.pruned ??= { answer, classification };
    return fault("pruned", "history is gone there");
  }
  return { kind: "answer", answer, classification, dialect };
}

/** A 5xx that is about the request or the node's mempool, not about the node being unwell. */
function isVerdict(target: NodeRequest, status: number, classification: Classification): boolean {
  if (classification.kind === "invalid") return false;
  return status === 507 || target.endpoint === "healthy" || target.mode === "submit";
}

function left(round: Round): number {
  return round.startedAtMs + DEADLINES_MS[round.target.mode].all - round.ports.now();
}

function down(round: Round, maybeSent: boolean): FailoverResult {
  const nowMs = round.ports.now();
  const rests = round.upstreams.map(({ state }) => restMs(state, nowMs));
  const retryAfterSeconds = Math.max(1, Math.ceil(Math.min(...rests, 60_000) / 1_000));
  return { kind: "down", maybeSent, retryAfterSeconds, attempts: round.attempts };
}
