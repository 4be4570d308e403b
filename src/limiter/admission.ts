import type { LedgerMark, LedgerPoint } from "../chain/ledger-point.ts";
import type { Policy } from "../config.ts";
import type { Failure } from "../http/failure.ts";
import type { Admitted, NoteTarget } from "../http/handler.ts";
import type { DecisionMode, DecisionTrace } from "../metrics.ts";
import type { Caller, Decision, RequestAdmission } from "./decision.ts";

/** The decision about one request and the minimum point of its response; see {@link Admitted.floor}. */
export interface AdmitResult {
  readonly decision: Decision;
  readonly floor: LedgerMark | null;
  /** The caller's object decided; else this isolate. */
  readonly isExact: boolean;
}

/** The part of the limiter that a request uses. */
export interface CallerLimiter {
  now(): number;
  take(policy: Policy, caller: Caller): Decision | Promise<Decision>;
  knownDenial(policy: Policy, caller: Caller): Decision | null;
  mayReadAhead(policy: Policy, caller: Caller): boolean;
  admit(policy: Policy, caller: Caller, candidate: LedgerMark | null, timeless: boolean): Promise<AdmitResult>;
  note(policy: Policy, caller: Caller, mark: LedgerMark): Promise<boolean>;
  noteHere(policy: Policy, caller: Caller, point: LedgerPoint): void;
  seenHere(policy: Policy, caller: Caller): LedgerPoint | null;
  modeOf(policy: Policy, caller: Caller): DecisionMode;
  shardFor(policy: Policy, caller: Caller): Pick<NoteTarget, "region"> & { name: string; isAway: boolean };
}

/** One request of one caller. Counts it once, however often it is called. */
export class OneAdmission implements RequestAdmission {
  readonly #limiter: CallerLimiter;
  readonly #policy: Policy;
  readonly #caller: Caller;
  #decided: Decision | Promise<Decision> | null = null;
  #trace: DecisionTrace | null = null;
  /** The caller's object did not answer this request: it is not called again. */
  #isAway = false;

  constructor(limiter: CallerLimiter, policy: Policy, caller: Caller) {
    this.#limiter = limiter;
    this.#policy = policy;
    this.#caller = caller;
  }

  decision(): Decision | Promise<Decision> {
    this.#decided ??= this.#traced(this.#limiter.take(this.#policy, this.#caller));
    return this.#decided;
  }

  trace(): DecisionTrace | null {
    return this.#trace;
  }

  knownRefusal(): Failure | null {
    const denial = this.#limiter.knownDenial(this.#policy, this.#caller);
    if (denial === null) return null;
    this.#decided ??= this.#traced(denial);
    return throttled(this.#policy, denial);
  }

  mayReadAhead(): boolean {
    return this.#limiter.mayReadAhead(this.#policy, this.#caller);
  }

  async admit(candidate: LedgerMark | null, timeless: boolean): Promise<Admitted> {
    const result = this.#limiter.admit(this.#policy, this.#caller, candidate, timeless);
    this.#decided = this.#traced(result.then(({ decision }) => decision));
    const { decision, floor, isExact } = await result;
    this.#isAway = !isExact;
    if (!decision.admitted) return { refusal: throttled(this.#policy, decision), floor: null };
    const seen = floor === null ? candidate : timeless ? floor : null;
    if (seen !== null) this.#limiter.noteHere(this.#policy, this.#caller, seen);
    return { refusal: null, floor };
  }

  /** A refusal known without a call is immediate; any other decision takes one call to the object. */
  #traced(decided: Decision | Promise<Decision>): Decision | Promise<Decision> {
    const { region } = this.#caller;
    if (!(decided instanceof Promise)) {
      this.#trace = { milliseconds: 0, mode: decided.admitted ? "local" : "memory", region };
      return decided;
    }
    const startedAtMs = this.#limiter.now();
    return decided.then((decision) => {
      const mode = this.#limiter.modeOf(this.#policy, this.#caller);
      this.#trace = { milliseconds: this.#limiter.now() - startedAtMs, mode, region };
      return decision;
    });
  }

  async note(mark: LedgerMark): Promise<boolean> {
    this.noteHere(mark);
    return !this.#isAway && this.#limiter.note(this.#policy, this.#caller, mark);
  }

  noteHere(point: LedgerPoint): void {
    this.#limiter.noteHere(this.#policy, this.#caller, point);
  }

  seenHere(): LedgerPoint | null {
    return this.#limiter.seenHere(this.#policy, this.#caller);
  }

  noteTarget(): NoteTarget | null {
    const { name, region, isAway } = this.#limiter.shardFor(this.#policy, this.#caller);
    return isAway ? null : { object: name, region, key: this.#caller.key };
  }
}

export function throttled({ quota, windowSeconds }: Policy, { resetSeconds }: Decision): Failure {
  return { kind: "throttled", quota, windowSeconds, retryAfterSeconds: resetSeconds };
}
