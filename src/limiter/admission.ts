import type { Admitted, NoteTarget } from "../admission.ts";
import { isAtLeast, type LedgerPoint } from "../chain/ledger-point.ts";
import type { Policy } from "../config.ts";
import type { Failure } from "../http/failure.ts";
import type { DecisionTrace } from "../metrics.ts";
import type { Caller, Decision, RequestAdmission } from "./decision.ts";
import { packRefused, unpackDecision } from "./decision.ts";
import type { PolicyState } from "./policy-state.ts";
import type { ShardLink } from "./shard-link.ts";

/** The decision about one request and the minimum point of its response; see {@link Admitted.floor}. */
interface Counted {
  readonly decision: Decision;
  readonly floor: LedgerPoint | null;
}

/** One request of one caller. Counts it once, however often it is called. */
export class OneAdmission implements RequestAdmission {
  readonly #state: PolicyState;
  readonly #caller: Caller;
  #decided: Decision | Promise<Decision> | null = null;
  #trace: DecisionTrace | null = null;

  constructor(state: PolicyState, caller: Caller) {
    this.#state = state;
    this.#caller = caller;
  }

  get key(): string {
    return this.#caller.key;
  }

  decision(): Decision | Promise<Decision> {
    this.#decided ??= this.#knownDenial() ?? this.#count(null).then(({ decision }) => decision);
    return this.#decided;
  }

  async peek(): Promise<Decision> {
    const known = this.#knownDenial();
    if (known !== null) return known;
    const { policy, local, now, clock } = this.#state;
    const { key } = this.#caller;
    const packed = await this.#shard().call((stub) => stub.peek(key, policy.quota, policy.windowSeconds, clock()));
    return unpackDecision(packed ?? local.peek(key, now()));
  }

  trace(): DecisionTrace | null {
    return this.#trace;
  }

  knownRefusal(): Failure | null {
    const denial = this.#knownDenial();
    if (denial === null) return null;
    this.#decided ??= denial;
    return throttled(this.#state.policy, denial);
  }

  mayReadAhead(): boolean {
    const { local, readsAhead, now } = this.#state;
    const { key } = this.#caller;
    const nowMs = now();
    return local.peek(key, nowMs) >= 0 && readsAhead.take(key, nowMs) >= 0;
  }

  async admit(offered: LedgerPoint | null): Promise<Admitted> {
    const denial = this.#knownDenial();
    const counted = denial === null ? this.#count(offered) : Promise.resolve({ decision: denial, floor: null });
    this.#decided = counted.then(({ decision }) => decision);
    const { decision, floor } = await counted;
    if (!decision.admitted) return { refusal: throttled(this.#state.policy, decision), floor: null };
    if (floor === null && offered !== null) this.noteHere(offered);
    return { refusal: null, floor };
  }

  async note(point: LedgerPoint): Promise<void> {
    this.noteHere(point);
    // An object that did not answer this request is not called again.
    if (this.#trace?.mode !== "local") await this.#shard().call((stub) => stub.note(this.#caller.key, point));
  }

  noteHere(point: LedgerPoint): void {
    this.#state.seen.note(this.#caller.key, point, this.#state.now());
  }

  seenHere(): LedgerPoint | null {
    return this.#state.seen.floorOf(this.#caller.key);
  }

  noteTarget(): NoteTarget | null {
    const { name, region, isAway } = this.#shard();
    return isAway ? null : { object: name, region, key: this.#caller.key };
  }

  #shard(): ShardLink {
    return this.#state.shardFor(this.#caller);
  }

  /** The refusal known to this isolate; null when the object must be called. */
  #knownDenial(): Decision | null {
    const denial = this.#state.denials.get(this.#caller.key);
    if (denial === undefined) return null;
    const nowMs = this.#state.now();
    if (denial.untilMs <= nowMs || this.#state.clock() < denial.sentAtMs) return null;
    this.#trace ??= { milliseconds: 0, mode: "memory", region: this.#shard().region };
    return unpackDecision(packRefused(denial.untilMs - nowMs));
  }

  async #count(offered: LedgerPoint | null): Promise<Counted> {
    const { policy, local, denials, seen, now, clock } = this.#state;
    const { key } = this.#caller;
    const shard = this.#shard();
    const [sentMs, sentAtMs] = [now(), clock()];
    const result = await shard.call((stub) => stub.take(key, policy.quota, policy.windowSeconds, sentAtMs, offered));
    const nowMs = now();
    this.#trace = { milliseconds: nowMs - sentMs, mode: result === null ? "local" : "exact", region: shard.region };
    if (result === null) {
      const floor = seen.floorOf(key);
      const isGood = floor === null || (offered !== null && isAtLeast(offered, floor));
      const decision = unpackDecision(local.take(key, nowMs));
      return { decision, floor: isGood ? null : floor };
    }
    const { decision: packed, floor } = typeof result === "number" ? { decision: result, floor: null } : result;
    if (packed >= 0) local.record(key, nowMs);
    // The denial starts when the call was sent: starting at its result would add the way back.
    else denials.set(key, { untilMs: sentMs - packed, sentAtMs });
    return { decision: unpackDecision(packed), floor };
  }
}

export function throttled({ quota, windowSeconds }: Policy, { resetSeconds }: Decision): Failure {
  return { kind: "throttled", quota, windowSeconds, retryAfterSeconds: resetSeconds };
}
