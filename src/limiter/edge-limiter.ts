import { type Admission, type AdmissionResult, NO_CALLER, type RecordTarget } from "../admission.ts";
import { BoundedMap, memoByObject } from "../base/memo.ts";
import type { DecisionTrace } from "../base/metrics.ts";
import { isAtLeast, type LedgerPoint } from "../chain/ledger-point.ts";
import { PAGE_POLICY, type Policy } from "../config.ts";
import type { Failure } from "../http/failure.ts";
import type { Caller } from "./caller.ts";
import { clockAt } from "./clock.ts";
import { SeenVersions } from "./seen-versions.ts";
import { type LimiterPorts, OUTAGE_GAP_MS, ShardLink, shardName, shardOf } from "./shard-client.ts";
import { type Decision, packRefused, SlidingWindowLog, unpackDecision } from "./sliding-window-log.ts";

/**
 * The limiter for one request: `decision` counts the request unless {@link Admission.admit} has counted it, `peek` does
 * not count. Neither rejects. A cached refusal is returned synchronously.
 */
export interface RequestAdmission extends Admission {
  readonly decision: () => Decision | Promise<Decision>;
  readonly peek: () => Promise<Decision>;
  /** null: nothing was decided yet. */
  readonly trace: () => DecisionTrace | null;
}

export interface Limiter {
  open(policy: Policy, caller: Caller): RequestAdmission;
}

/**
 * The isolate's side of the limiter: one call to one object for each request, and none for a caller with a cached
 * refusal. Exact while the object responds; while it does not, at most one quota for each isolate.
 */
export class EdgeLimiter implements Limiter {
  readonly #ports: LimiterPorts;
  readonly #clock;
  readonly #stateOf: (policy: Policy) => PolicyState;
  readonly #quietUntilMs = new Map<string, number>();

  constructor(ports: LimiterPorts) {
    this.#clock = clockAt(ports.now());
    this.#ports = { ...ports, now: () => this.#clock.advance(ports.now()) };
    this.#stateOf = memoByObject((policy) => new PolicyState(this.#ports, policy, ports.now));
  }

  open(policy: Policy, caller: Caller): RequestAdmission {
    if (caller.noAddress !== null) this.#logOnce(caller.noAddress);
    const state = this.#stateOf(policy);
    return policy === PAGE_POLICY ? localAdmission(state, caller) : new ShardAdmission(state, caller);
  }

  #logOnce(kind: string): void {
    const nowMs = this.#ports.now();
    if (nowMs < (this.#quietUntilMs.get(kind) ?? 0)) return;
    this.#quietUntilMs.set(kind, nowMs + OUTAGE_GAP_MS);
    this.#ports.log("caller_without_address", { kind });
  }
}

/**
 * Limits for each policy of an isolate: 8 MB of logs, and when full 2 MB of shard assignments and 1.5 MB of denials.
 */
const LOCAL_BYTES = 8 * 1_048_576;
const LOCAL_CALLERS = 20_000;
const DENIALS = 10_000;
const READ_AHEAD_BYTES = 4 * 1_048_576;

/** A refusal by the caller's object. */
interface Denial {
  readonly untilMs: number;
  /**
   * Wall-clock time at which the object was asked. If the clock was set back since, the object is asked again, so that
   * it learns of it.
   */
  readonly sentAtMs: number;
}

/**
 * State of one policy in an isolate. It holds values only, because no request may wait for another request's promise.
 */
class PolicyState {
  readonly policy: Policy;
  /** Monotonic time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Wall clock, which the object compares with its own. */
  readonly clock: () => number;
  /** All admissions that this isolate has seen; decides locally while an object does not respond. */
  readonly local: SlidingWindowLog;
  /** Reads that were sent upstream before the object had decided. */
  readonly readsAhead: SlidingWindowLog;
  /** Points that this isolate's callers have seen; the source of floors while an object does not respond. */
  readonly seen = new SeenVersions(null);
  /** Cached refusals. Exact for a sliding log, which frees no quota before the oldest admission expires. */
  readonly denials = new BoundedMap<string, Denial>(DENIALS);
  readonly #ports: LimiterPorts;
  readonly #shards = new Map<string, ShardLink>();
  /** Shards of recent callers; reading the platform's geography takes a tenth of a request's CPU time. */
  readonly #shardByCaller = new BoundedMap<string, ShardLink>(LOCAL_CALLERS);

  constructor(ports: LimiterPorts, policy: Policy, clock: () => number) {
    const limits = { quota: policy.quota, windowMs: policy.windowSeconds * 1000 };
    this.policy = policy;
    this.now = ports.now;
    this.clock = clock;
    this.local = new SlidingWindowLog({ ...limits, maxBytes: LOCAL_BYTES });
    this.readsAhead = new SlidingWindowLog({ ...limits, maxBytes: READ_AHEAD_BYTES });
    this.#ports = ports;
  }

  shardFor(caller: Caller): ShardLink {
    const { key } = caller;
    const recent = this.#shardByCaller.peek(key);
    if (recent !== undefined) return recent;
    const region = caller.region();
    const { generation, shards, salt } = this.#ports;
    const name = shardName(generation, this.policy.name, region, shardOf(key, shards, salt));
    const shard = this.#shards.get(name) ?? new ShardLink(this.#ports, name, region);
    this.#shards.set(name, shard);
    this.#shardByCaller.set(key, shard);
    return shard;
  }
}

/**
 * Admission that this isolate counts without an object. Its paths cost no more to answer than to refuse, so a call
 * would only delay them.
 */
function localAdmission({ local, now }: PolicyState, { key }: Caller): RequestAdmission {
  let decision: Decision | undefined;
  return {
    ...NO_CALLER,
    key,
    decision: () => (decision ??= unpackDecision(local.take(key, now()))),
    peek: async () => unpackDecision(local.peek(key, now())),
    trace: () => null,
  };
}

/** The decision about a request and the least point of its response; see {@link AdmissionResult.floor}. */
interface CountedRequest {
  readonly decision: Decision;
  readonly floor: LedgerPoint | null;
}

/** Admission of one request by the caller's object. Counts the request once, however often its methods are called. */
class ShardAdmission implements RequestAdmission {
  readonly #state: PolicyState;
  readonly #caller: Caller;
  #decision: Decision | Promise<Decision> | null = null;
  #trace: DecisionTrace | null = null;

  constructor(state: PolicyState, caller: Caller) {
    this.#state = state;
    this.#caller = caller;
  }

  get key(): string {
    return this.#caller.key;
  }

  decision(): Decision | Promise<Decision> {
    this.#decision ??= this.#cachedDenial() ?? this.#count(null).then(({ decision }) => decision);
    return this.#decision;
  }

  async peek(): Promise<Decision> {
    const denial = this.#cachedDenial();
    if (denial !== null) return denial;
    const { policy, local, now, clock } = this.#state;
    const { key } = this.#caller;
    const packed = await this.#shard().call((stub) => stub.peek(key, policy.quota, policy.windowSeconds, clock()));
    return unpackDecision(packed ?? local.peek(key, now()));
  }

  trace(): DecisionTrace | null {
    return this.#trace;
  }

  cachedRefusal(): Failure | null {
    const denial = this.#cachedDenial();
    if (denial === null) return null;
    this.#decision ??= denial;
    return throttled(this.#state.policy, denial);
  }

  mayReadAhead(): boolean {
    const { local, readsAhead, now } = this.#state;
    const { key } = this.#caller;
    const nowMs = now();
    return local.peek(key, nowMs) >= 0 && readsAhead.take(key, nowMs) >= 0;
  }

  async admit(offered: LedgerPoint | null): Promise<AdmissionResult> {
    const denial = this.#cachedDenial();
    const counted = denial === null ? this.#count(offered) : Promise.resolve({ decision: denial, floor: null });
    this.#decision = counted.then(({ decision }) => decision);
    const { decision, floor } = await counted;
    if (!decision.admitted) return { refusal: throttled(this.#state.policy, decision), floor: null };
    if (floor === null && offered !== null) this.recordHere(offered);
    return { refusal: null, floor };
  }

  async record(point: LedgerPoint): Promise<void> {
    this.recordHere(point);
    // An object that did not answer this request is not called again.
    if (this.#trace?.mode !== "local") await this.#shard().call((stub) => stub.recordSeen(this.#caller.key, point));
  }

  recordHere(point: LedgerPoint): void {
    this.#state.seen.record(this.#caller.key, point, this.#state.now());
  }

  seenHere(): LedgerPoint | null {
    return this.#state.seen.floorOf(this.#caller.key);
  }

  recordTarget(): RecordTarget | null {
    const { name, region, isAway } = this.#shard();
    return isAway ? null : { object: name, region, key: this.#caller.key };
  }

  #shard(): ShardLink {
    return this.#state.shardFor(this.#caller);
  }

  /** The refusal cached in this isolate; null when the object must be called. */
  #cachedDenial(): Decision | null {
    const denial = this.#state.denials.get(this.#caller.key);
    if (denial === undefined) return null;
    const nowMs = this.#state.now();
    if (denial.untilMs <= nowMs || this.#state.clock() < denial.sentAtMs) return null;
    this.#trace ??= { milliseconds: 0, mode: "memory", region: this.#shard().region };
    return unpackDecision(packRefused(denial.untilMs - nowMs));
  }

  async #count(offered: LedgerPoint | null): Promise<CountedRequest> {
    const { policy, local, denials, seen, now, clock } = this.#state;
    const { key } = this.#caller;
    const shard = this.#shard();
    const [sentMs, sentAtMs] = [now(), clock()];
    const result = await shard.call((stub) => stub.take(key, policy.quota, policy.windowSeconds, sentAtMs, offered));
    const nowMs = now();
    this.#trace = { milliseconds: nowMs - sentMs, mode: result === null ? "local" : "exact", region: shard.region };
    if (result === null) {
      const floor = seen.floorOf(key);
      const isAtFloor = floor === null || (offered !== null && isAtLeast(offered, floor));
      const decision = unpackDecision(local.take(key, nowMs));
      return { decision, floor: isAtFloor ? null : floor };
    }
    const { decision: packed, floor } = typeof result === "number" ? { decision: result, floor: null } : result;
    if (packed >= 0) local.record(key, nowMs);
    // The denial lasts from the sending of the call. Counting from its result would add the way back.
    else denials.set(key, { untilMs: sentMs - packed, sentAtMs });
    return { decision: unpackDecision(packed), floor };
  }
}

export function throttled({ quota, windowSeconds }: Policy, { resetSeconds }: Decision): Failure {
  return { kind: "throttled", quota, windowSeconds, retryAfterSeconds: resetSeconds };
}
