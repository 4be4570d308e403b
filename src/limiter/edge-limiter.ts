import type { Policy } from "../config.ts";
import type { Log } from "../log.ts";
import type { Region } from "../placement/location-hint.ts";
import type { Caller, Decision, Limiter } from "./decision.ts";
import { DenialCache } from "./denial-cache.ts";
import { clockAt } from "./monotonic-clock.ts";
import { type PackedDecision, packRefused, unpackDecision } from "./packed-decision.ts";
import { shardOf } from "./shard.ts";
import { SlidingWindowLog } from "./sliding-window-log.ts";

/** The two questions an object answers. */
export interface ShardCalls {
  take(key: string, quota: number, windowSeconds: number): Promise<PackedDecision>;
  peek(key: string, quota: number, windowSeconds: number): Promise<PackedDecision>;
}

export interface LimiterPorts {
  /** How to reach the object of that name; what comes back is called once for each request, which needs its own stub. */
  readonly shardStub: (name: string, region: Region) => () => ShardCalls;
  /** Objects per region and policy. */
  readonly shards: number;
  readonly now: () => number;
  /** Runs something after that many milliseconds, unless the request is over by then. */
  readonly later: (run: () => void, delayMs: number) => void;
  readonly log: Log;
}

/** A first use of an object takes hundreds of milliseconds; a caller should not wait much longer than that. */
export const DEADLINE_MS = 1_000;
/** After so many failures in a row an object is asked once a second, so that its callers do not all wait. */
const FAILURES_BEFORE_REST = 3;
const REST_MS = 1_000;
/** Failures closer together than this are one outage, and one log line. */
const OUTAGE_GAP_MS = 60_000;
/** Per policy and isolate: about 8 MB of logs, 2 MB of homes and 1 MB of denials when full. */
const LOCAL_CALLERS = 20_000;
const DENIALS = 10_000;

type Question = keyof ShardCalls;

interface Shard {
  readonly name: string;
  readonly stub: () => ShardCalls;
  failures: number;
  restUntilMs: number;
  outageUntilMs: number;
}

/** What an isolate keeps of one policy. Values only: a promise of one request must never be waited for by another. */
interface Desk {
  readonly policy: Policy;
  /** Every admission that this isolate saw; decides alone while an object does not answer. */
  readonly local: SlidingWindowLog;
  readonly denials: DenialCache;
  readonly shards: Map<Region, Shard[]>;
  /** The shard of each caller lately seen: reading the platform's geography costs a tenth of a request. */
  readonly homes: Map<string, Shard>;
}

/**
 * The isolate's side of the limiter: one question to one object per request, none for a caller known to be refused.
 * Exact while the object answers; at most one quota per isolate while it does not.
 */
export function edgeLimiter(ports: LimiterPorts): Limiter {
  const clock = clockAt(ports.now());
  const desks = new Map<string, Desk>();
  const quietUntilMs = new Map<string, number>();

  const answer = (question: Question, policy: Policy, caller: Caller): Decision | Promise<Decision> => {
    const desk = desks.get(policy.name) ?? openDesk(desks, policy);
    const nowMs = clock.advance(ports.now());
    const deniedMs = desk.denials.remainingMs(caller.key, nowMs);
    if (deniedMs > 0) return unpackDecision(packRefused(deniedMs));
    if (caller.missing !== null) tellOnce(caller.missing, nowMs);
    const shard = homeOf(ports, desk, caller);
    return isResting(shard, nowMs)
      ? alone(question, desk, caller.key, nowMs)
      : ask(question, desk, caller.key, shard, nowMs);
  };

  const ask = async (question: Question, desk: Desk, key: string, shard: Shard, sentMs: number): Promise<Decision> => {
    const verdict = await verdictOrTrouble(ports, shard, question, key, desk.policy);
    const nowMs = clock.advance(ports.now());
    if (typeof verdict === "string") {
      noteFailure(ports.log, shard, verdict, nowMs);
      return alone(question, desk, key, nowMs);
    }
    shard.failures = 0;
    // From when the question was sent: counted from the answer it would outlast the refusal by the way back.
    if (verdict < 0) desk.denials.remember(key, sentMs - verdict);
    else if (question === "take") desk.local.record(desk.local.chargedKey(key, nowMs), nowMs);
    return unpackDecision(verdict);
  };

  const tellOnce = (kind: string, nowMs: number): void => {
    if (nowMs < (quietUntilMs.get(kind) ?? 0)) return;
    quietUntilMs.set(kind, nowMs + OUTAGE_GAP_MS);
    ports.log("caller_without_address", { kind });
  };

  return {
    take: (policy, caller) => answer("take", policy, caller),
    peek: (policy, caller) => answer("peek", policy, caller),
  };
}

function openDesk(desks: Map<string, Desk>, policy: Policy): Desk {
  const limits = { quota: policy.quota, windowMs: policy.windowSeconds * 1000, maxCallers: LOCAL_CALLERS };
  const desk = {
    policy,
    local: new SlidingWindowLog(limits),
    denials: new DenialCache(DENIALS),
    shards: new Map(),
    homes: new Map(),
  };
  desks.set(policy.name, desk);
  return desk;
}

/** Bounded by beginning afresh: a caller's home is found again at its next request. */
function homeOf(ports: LimiterPorts, desk: Desk, caller: Caller): Shard {
  const known = desk.homes.get(caller.key);
  if (known !== undefined) return known;
  const shard = shardFor(ports, desk, caller);
  if (desk.homes.size >= LOCAL_CALLERS) desk.homes.clear();
  desk.homes.set(caller.key, shard);
  return shard;
}

function shardFor(ports: LimiterPorts, desk: Desk, { key, region }: Caller): Shard {
  let shards = desk.shards.get(region);
  if (shards === undefined) {
    shards = Array.from({ length: ports.shards }, (_, index) => {
      const name = `${desk.policy.name}:${region}:${index}`;
      return { name, stub: ports.shardStub(name, region), failures: 0, restUntilMs: 0, outageUntilMs: 0 };
    });
    desk.shards.set(region, shards);
  }
  const shard = shards[shardOf(key, ports.shards)];
  if (shard === undefined) throw new Error("a region has a shard for every hash");
  return shard;
}

/** The object's verdict, or what kept it from coming. The timer is left to run out: clearing it costs more. */
function verdictOrTrouble(
  ports: LimiterPorts,
  shard: Shard,
  question: Question,
  key: string,
  { quota, windowSeconds }: Policy,
): Promise<PackedDecision | string> {
  return new Promise((resolve) => {
    ports.later(() => resolve("deadline"), DEADLINE_MS);
    const fail = (cause: unknown) => resolve(String(cause));
    try {
      shard.stub()[question](key, quota, windowSeconds).then(resolve, fail);
    } catch (cause) {
      fail(cause);
    }
  });
}

function alone(question: Question, desk: Desk, key: string, nowMs: number): Decision {
  return unpackDecision(desk.local[question](desk.local.chargedKey(key, nowMs), nowMs));
}

/** Whether to decide without asking. When the rest is over, the one request that finds out asks for all. */
function isResting(shard: Shard, nowMs: number): boolean {
  if (shard.failures < FAILURES_BEFORE_REST) return false;
  if (nowMs < shard.restUntilMs) return true;
  shard.restUntilMs = nowMs + REST_MS;
  return false;
}

function noteFailure(log: Log, shard: Shard, cause: string, nowMs: number): void {
  shard.failures++;
  if (nowMs >= shard.outageUntilMs) log("limiter_unreachable", { shard: shard.name, cause });
  shard.outageUntilMs = nowMs + OUTAGE_GAP_MS;
}
