import type { LedgerMark, LedgerPoint } from "../chain/ledger-point.ts";
import { isAtLeast } from "../chain/ledger-point.ts";
import type { Policy } from "../config.ts";
import type { Log } from "../log.ts";
import { BoundedMap } from "../memo.ts";
import type { DecisionMode } from "../metrics.ts";
import type { Region } from "../placement/location-hint.ts";
import { type AdmitResult, OneAdmission } from "./admission.ts";
import type { Caller, Decision, Limiter } from "./decision.ts";
import { DenialCache } from "./denial-cache.ts";
import { clockAt } from "./monotonic-clock.ts";
import { type PackedDecision, packRefused, unpackDecision } from "./packed-decision.ts";
import { SeenVersions } from "./seen-versions.ts";
import { shardOf } from "./shard.ts";
import { SlidingWindowLog } from "./sliding-window-log.ts";

/** Admitted, but the candidate may not be the answer. */
export interface AdmittedBelow {
  readonly decision: PackedDecision;
  readonly floor: LedgerMark;
}

/** What an object answers. See {@link LimiterShard}. */
export interface ShardCalls {
  take(key: string, quota: number, windowSeconds: number): Promise<PackedDecision>;
  peek(key: string, quota: number, windowSeconds: number): Promise<PackedDecision>;
  admit(
    key: string,
    quota: number,
    windowSeconds: number,
    candidate: LedgerMark | null,
    timeless: boolean,
  ): Promise<PackedDecision | AdmittedBelow>;
  note(key: string, mark: LedgerMark): Promise<LedgerPoint>;
}

export interface LimiterPorts {
  /** How to reach the object of that name; what comes back is called once for each request, which needs its own stub. */
  readonly shardStub: (name: string, region: Region) => () => ShardCalls;
  /** Objects per region and policy. */
  readonly shards: number;
  /** A secret: which callers share an object. */
  readonly salt: string;
  readonly now: () => number;
  /** Runs something after that many milliseconds, unless the request is over by then. */
  readonly later: (run: () => void, delayMs: number) => void;
  readonly log: Log;
}

/** A first use of an object takes hundreds of milliseconds; a caller should not wait much longer than that. */
export const DEADLINE_MS = 1_000;
/** After so many failures in a row an object is called once a second, so that its callers do not all wait. */
const FAILURES_BEFORE_REST = 3;
const REST_MS = 1_000;
/** Failures closer together than this are one outage, and one log line. */
const OUTAGE_GAP_MS = 60_000;
/** Per policy and isolate: about 8 MB of logs, 2 MB of homes and 1 MB of denials when full. */
const LOCAL_CALLERS = 20_000;
const DENIALS = 10_000;
const SEEN = { keepMs: 60_000, maxCallers: LOCAL_CALLERS / 2 } as const;

export interface Shard {
  readonly name: string;
  readonly region: Region;
  readonly stub: () => ShardCalls;
  failures: number;
  restUntilMs: number;
  outageUntilMs: number;
}

/** What an isolate keeps of one policy. Values only: a promise of one request must never be waited for by another. */
interface PolicyState {
  readonly policy: Policy;
  /** Every admission that this isolate saw; decides alone while an object does not answer. */
  readonly local: SlidingWindowLog;
  /** What this isolate showed its callers; bounds its answers alone while an object does not answer. */
  readonly seen: SeenVersions;
  readonly denials: DenialCache;
  readonly shards: Map<Region, Shard[]>;
  /** The shard of each caller lately seen: reading the platform's geography costs a tenth of a request. */
  readonly homes: BoundedMap<string, Shard>;
}

/**
 * The isolate's side of the limiter: one call to one object per request, none for a caller known to be refused. Exact
 * while the object answers; at most one quota per isolate while it does not.
 */
export class EdgeLimiter implements Limiter {
  readonly #ports: LimiterPorts;
  readonly #clock;
  readonly #policies = new Map<string, PolicyState>();
  readonly #quietUntilMs = new Map<string, number>();

  constructor(ports: LimiterPorts) {
    this.#ports = ports;
    this.#clock = clockAt(ports.now());
  }

  open(policy: Policy, caller: Caller): OneAdmission {
    return new OneAdmission(this, policy, caller);
  }

  take(policy: Policy, caller: Caller): Decision | Promise<Decision> {
    return this.#decide("take", policy, caller);
  }

  peek(policy: Policy, caller: Caller): Decision | Promise<Decision> {
    return this.#decide("peek", policy, caller);
  }

  /** The refusal that this isolate remembers; null when the object has to be called. */
  knownDenial(policy: Policy, caller: Caller): Decision | null {
    const deniedMs = this.#stateOf(policy).denials.remainingMs(caller.key, this.#clock.advance(this.#ports.now()));
    return deniedMs > 0 ? unpackDecision(packRefused(deniedMs)) : null;
  }

  /** Counts one request that could be answered at `candidate`. */
  async admit(policy: Policy, caller: Caller, candidate: LedgerMark | null, timeless: boolean): Promise<AdmitResult> {
    const denial = this.knownDenial(policy, caller);
    if (denial !== null) return { decision: denial, floor: null };
    const state = this.#stateOf(policy);
    const sentMs = this.#clock.advance(this.#ports.now());
    const shard = this.#shardOf(state, caller, sentMs);
    const { quota, windowSeconds } = policy;
    const result = isResting(shard, sentMs)
      ? null
      : await this.#call(shard, (stub) => stub.admit(caller.key, quota, windowSeconds, candidate, timeless));
    if (result === null) {
      const decision = alone("take", state, caller.key, this.#clock.advance(this.#ports.now()));
      const floor = state.seen.floorOf(caller.key);
      const good = floor === null || (candidate !== null && isAtLeast(candidate, floor));
      return { decision, floor: good || floor === null ? null : { ...floor, fields: "" } };
    }
    const packed = typeof result === "number" ? result : result.decision;
    return {
      decision: this.#record("take", state, caller.key, packed, sentMs),
      floor: typeof result === "number" ? null : result.floor,
    };
  }

  /** Notes at the caller's object what it is about to be shown. */
  async note(policy: Policy, caller: Caller, mark: LedgerMark): Promise<boolean> {
    const shard = this.#homeOf(this.#stateOf(policy), caller);
    if (isResting(shard, this.#clock.advance(this.#ports.now()))) return false;
    return (await this.#call(shard, (stub) => stub.note(caller.key, mark))) !== null;
  }

  seenHere(policy: Policy, caller: Caller): LedgerPoint | null {
    return this.#stateOf(policy).seen.floorOf(caller.key);
  }

  noteHere(policy: Policy, caller: Caller, point: LedgerPoint): void {
    this.#stateOf(policy).seen.note(caller.key, point, this.#clock.advance(this.#ports.now()));
  }

  /** Milliseconds since the epoch, never going back. */
  now(): number {
    return this.#clock.advance(this.#ports.now());
  }

  /** Who decides about a caller's requests now, judged by the latest call to its object. */
  modeOf(policy: Policy, caller: Caller): DecisionMode {
    return this.shardFor(policy, caller).failures === 0 ? "exact" : "local";
  }

  shardFor(policy: Policy, caller: Caller): Shard {
    return this.#homeOf(this.#stateOf(policy), caller);
  }

  #decide(call: "take" | "peek", policy: Policy, caller: Caller): Decision | Promise<Decision> {
    const state = this.#stateOf(policy);
    const nowMs = this.#clock.advance(this.#ports.now());
    const deniedMs = state.denials.remainingMs(caller.key, nowMs);
    if (deniedMs > 0) return unpackDecision(packRefused(deniedMs));
    const shard = this.#shardOf(state, caller, nowMs);
    if (isResting(shard, nowMs)) return alone(call, state, caller.key, nowMs);
    return this.#ask(call, state, caller.key, shard, nowMs);
  }

  async #ask(call: "take" | "peek", state: PolicyState, key: string, shard: Shard, sentMs: number): Promise<Decision> {
    const { quota, windowSeconds } = state.policy;
    const packed = await this.#call(shard, (stub) => stub[call](key, quota, windowSeconds));
    if (packed === null) return alone(call, state, key, this.#clock.advance(this.#ports.now()));
    return this.#record(call, state, key, packed, sentMs);
  }

  #record(call: "take" | "peek", state: PolicyState, key: string, packed: PackedDecision, sentMs: number): Decision {
    const nowMs = this.#clock.advance(this.#ports.now());
    // From when the call was sent: counted from its result the refusal would be remembered too long by the way back.
    if (packed < 0) state.denials.remember(key, sentMs - packed);
    else if (call === "take") state.local.record(state.local.chargedKey(key, nowMs), nowMs);
    return unpackDecision(packed);
  }

  /** The object's result; null when it failed or was too slow. The timer is left to run out: clearing it costs more. */
  async #call<T>(shard: Shard, call: (stub: ShardCalls) => Promise<T>): Promise<T | null> {
    const result = await new Promise<{ readonly value: T } | string>((resolve) => {
      this.#ports.later(() => resolve("deadline"), DEADLINE_MS);
      const fail = (cause: unknown) => resolve(String(cause));
      try {
        call(shard.stub()).then((value) => resolve({ value }), fail);
      } catch (cause) {
        fail(cause);
      }
    });
    if (typeof result !== "string") {
      shard.failures = 0;
      return result.value;
    }
    noteFailure(this.#ports.log, shard, result, this.#clock.advance(this.#ports.now()));
    return null;
  }

  #stateOf(policy: Policy): PolicyState {
    const known = this.#policies.get(policy.name);
    if (known !== undefined) return known;
    const limits = { quota: policy.quota, windowMs: policy.windowSeconds * 1000, maxCallers: LOCAL_CALLERS };
    const state = {
      policy,
      local: new SlidingWindowLog(limits),
      seen: new SeenVersions(SEEN, null),
      denials: new DenialCache(DENIALS),
      shards: new Map(),
      homes: new BoundedMap<string, Shard>(LOCAL_CALLERS),
    };
    this.#policies.set(policy.name, state);
    return state;
  }

  #shardOf(state: PolicyState, caller: Caller, nowMs: number): Shard {
    if (caller.missing !== null) this.#logOnce(caller.missing, nowMs);
    return this.#homeOf(state, caller);
  }

  /** A caller's shard, remembered: reading the platform's geography costs a tenth of a request. */
  #homeOf(state: PolicyState, caller: Caller): Shard {
    const known = state.homes.get(caller.key);
    if (known !== undefined) return known;
    const shard = this.#shardFor(state, caller);
    state.homes.set(caller.key, shard);
    return shard;
  }

  #shardFor(state: PolicyState, { key, region }: Caller): Shard {
    let shards = state.shards.get(region);
    if (shards === undefined) {
      shards = Array.from({ length: this.#ports.shards }, (_, index) => {
        const name = shardName(state.policy.name, region, index);
        const stub = this.#ports.shardStub(name, region);
        return { name, region, stub, failures: 0, restUntilMs: 0, outageUntilMs: 0 };
      });
      state.shards.set(region, shards);
    }
    const shard = shards[shardOf(key, this.#ports.shards, this.#ports.salt)];
    if (shard === undefined) throw new Error("a region has a shard for every hash");
    return shard;
  }

  #logOnce(kind: string, nowMs: number): void {
    if (nowMs < (this.#quietUntilMs.get(kind) ?? 0)) return;
    this.#quietUntilMs.set(kind, nowMs + OUTAGE_GAP_MS);
    this.#ports.log("caller_without_address", { kind });
  }
}

/** The version in a name is raised when objects are to begin afresh, elsewhere or with another storage. */
export function shardName(policy: string, region: Region, shard: number): string {
  return `v1:${policy}:${region}:${shard}`;
}

function alone(call: "take" | "peek", state: PolicyState, key: string, nowMs: number): Decision {
  return unpackDecision(state.local[call](state.local.chargedKey(key, nowMs), nowMs));
}

/** Whether to decide without a call. When the rest is over, the one request that finds out calls for all. */
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
