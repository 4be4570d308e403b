import type { LedgerMark, LedgerPoint } from "../chain/ledger-point.ts";
import { isAtLeast } from "../chain/ledger-point.ts";
import type { Policy } from "../config.ts";
import type { DecisionMode } from "../metrics.ts";
import { type AdmitResult, OneAdmission } from "./admission.ts";
import type { Caller, Decision, Limiter } from "./decision.ts";
import { clockAt } from "./monotonic-clock.ts";
import { type PackedDecision, packRefused, unpackDecision } from "./packed-decision.ts";
import { type PolicyState, policyStateOf } from "./policy-state.ts";
import { shardOf } from "./shard.ts";
import { type LimiterPorts, OUTAGE_GAP_MS, ShardLink, shardName } from "./shard-link.ts";

/**
 * The isolate's side of the limiter: one call to one object per request, none for a caller known to be refused. Exact
 * while the object responds; at most one quota per isolate while it does not.
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

  /** The refusal known to this isolate; null when the object must be called. */
  knownDenial(policy: Policy, caller: Caller): Decision | null {
    const deniedMs = this.#stateOf(policy).denials.remainingMs(caller.key, this.now());
    return deniedMs > 0 ? unpackDecision(packRefused(deniedMs)) : null;
  }

  /** See {@link Admission.mayReadAhead}; counts one such read when it returns true. */
  mayReadAhead(policy: Policy, { key }: Caller): boolean {
    const { local, readsAhead } = this.#stateOf(policy);
    const nowMs = this.now();
    if (local.peek(local.chargedKey(key, nowMs), nowMs) < 0) return false;
    return readsAhead.take(readsAhead.chargedKey(key, nowMs), nowMs) >= 0;
  }

  /** Counts one request that could be answered at `candidate`. */
  async admit(policy: Policy, caller: Caller, candidate: LedgerMark | null, timeless: boolean): Promise<AdmitResult> {
    const denial = this.knownDenial(policy, caller);
    if (denial !== null) return { decision: denial, floor: null, isExact: true };
    const state = this.#stateOf(policy);
    const sentMs = this.now();
    const shard = this.#shardOf(state, caller, sentMs);
    const { quota, windowSeconds } = policy;
    const result = shard.isResting(sentMs)
      ? null
      : await shard.call((stub) => stub.admit(caller.key, quota, windowSeconds, candidate, timeless));
    if (result === null) {
      const decision = decideLocally("take", state, caller.key, this.now());
      const floor = state.seen.floorOf(caller.key);
      const good = floor === null || (candidate !== null && isAtLeast(candidate, floor));
      return { decision, floor: good || floor === null ? null : { ...floor, fields: "" }, isExact: false };
    }
    const packed = typeof result === "number" ? result : result.decision;
    return {
      decision: this.#record("take", state, caller.key, packed, sentMs),
      floor: typeof result === "number" ? null : result.floor,
      isExact: true,
    };
  }

  /** Records at the caller's object what it is about to see. */
  async note(policy: Policy, caller: Caller, mark: LedgerMark): Promise<boolean> {
    const shard = this.shardFor(policy, caller);
    return (await shard.call((stub) => stub.note(caller.key, mark))) !== null;
  }

  seenHere(policy: Policy, caller: Caller): LedgerPoint | null {
    return this.#stateOf(policy).seen.floorOf(caller.key);
  }

  noteHere(policy: Policy, caller: Caller, point: LedgerPoint): void {
    this.#stateOf(policy).seen.note(caller.key, point, this.now());
  }

  /** Milliseconds since the epoch; never decreases. */
  now(): number {
    return this.#clock.advance(this.#ports.now());
  }

  /** How a caller's requests are decided now, according to the latest call to its object. */
  modeOf(policy: Policy, caller: Caller): DecisionMode {
    return this.shardFor(policy, caller).isAnswering ? "exact" : "local";
  }

  shardFor(policy: Policy, caller: Caller): ShardLink {
    return this.#homeOf(this.#stateOf(policy), caller);
  }

  #decide(call: "take" | "peek", policy: Policy, caller: Caller): Decision | Promise<Decision> {
    const state = this.#stateOf(policy);
    const nowMs = this.now();
    const deniedMs = state.denials.remainingMs(caller.key, nowMs);
    if (deniedMs > 0) return unpackDecision(packRefused(deniedMs));
    const shard = this.#shardOf(state, caller, nowMs);
    if (shard.isResting(nowMs)) return decideLocally(call, state, caller.key, nowMs);
    return this.#call(call, state, caller.key, shard, nowMs);
  }

  async #call(
    call: "take" | "peek",
    state: PolicyState,
    key: string,
    shard: ShardLink,
    sentMs: number,
  ): Promise<Decision> {
    const { quota, windowSeconds } = state.policy;
    const packed = await shard.call((stub) => stub[call](key, quota, windowSeconds));
    if (packed === null) return decideLocally(call, state, key, this.now());
    return this.#record(call, state, key, packed, sentMs);
  }

  #record(call: "take" | "peek", state: PolicyState, key: string, packed: PackedDecision, sentMs: number): Decision {
    const nowMs = this.now();
    // The denial starts when the call was sent: starting at its result would add the way back. Only `take` counts: a
    // peek may be refused by the flood guard, regardless of the caller's quota.
    if (call === "take") {
      if (packed < 0) state.denials.remember(key, sentMs - packed);
      else state.local.record(state.local.chargedKey(key, nowMs), nowMs);
    }
    return unpackDecision(packed);
  }

  #stateOf(policy: Policy): PolicyState {
    const known = this.#policies.get(policy.name);
    if (known !== undefined) return known;
    const state = policyStateOf(policy);
    this.#policies.set(policy.name, state);
    return state;
  }

  #shardOf(state: PolicyState, caller: Caller, nowMs: number): ShardLink {
    if (caller.missing !== null) this.#logOnce(caller.missing, nowMs);
    return this.#homeOf(state, caller);
  }

  /** A caller's shard, cached: reading the platform's geography takes a tenth of a request's CPU time. */
  #homeOf(state: PolicyState, caller: Caller): ShardLink {
    const known = state.homes.get(caller.key);
    if (known !== undefined) return known;
    const shard = this.#shardFor(state, caller);
    state.homes.set(caller.key, shard);
    return shard;
  }

  #shardFor(state: PolicyState, { key, region }: Caller): ShardLink {
    let shards = state.shards.get(region);
    if (shards === undefined) {
      shards = Array.from(
        { length: this.#ports.shards },
        (_none, index) =>
          new ShardLink(this.#ports, () => this.now(), shardName(state.policy.name, region, index), region),
      );
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

function decideLocally(call: "take" | "peek", state: PolicyState, key: string, nowMs: number): Decision {
  return unpackDecision(state.local[call](state.local.chargedKey(key, nowMs), nowMs));
}
