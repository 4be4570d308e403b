import type { LedgerMark, LedgerPoint } from "../chain/ledger-point.ts";
import type { Policy } from "../config.ts";
import type { Failure } from "../http/failure.ts";
import type { Admitted, NoteTarget } from "../http/handler.ts";
import type { Caller, Decision, RequestAdmission } from "./decision.ts";
import type { EdgeLimiter } from "./edge-limiter.ts";

/** The decision about one request and what its answer must be at or above; see {@link Admitted.floor}. */
export interface AdmitResult {
  readonly decision: Decision;
  readonly floor: LedgerMark | null;
}

/** One request of one caller. Counts it once, however often it is called. */
export class OneAdmission implements RequestAdmission {
  readonly #limiter: EdgeLimiter;
  readonly #policy: Policy;
  readonly #caller: Caller;
  #decided: Decision | Promise<Decision> | null = null;

  constructor(limiter: EdgeLimiter, policy: Policy, caller: Caller) {
    this.#limiter = limiter;
    this.#policy = policy;
    this.#caller = caller;
  }

  decision(): Decision | Promise<Decision> {
    this.#decided ??= this.#limiter.take(this.#policy, this.#caller);
    return this.#decided;
  }

  knownRefusal(): Failure | null {
    const denial = this.#limiter.knownDenial(this.#policy, this.#caller);
    if (denial === null) return null;
    this.#decided ??= denial;
    return throttled(this.#policy, denial);
  }

  async admit(candidate: LedgerMark | null, timeless: boolean): Promise<Admitted> {
    const result = this.#limiter.admit(this.#policy, this.#caller, candidate, timeless);
    this.#decided = result.then(({ decision }) => decision);
    const { decision, floor } = await result;
    if (!decision.admitted) return { refusal: throttled(this.#policy, decision), floor: null };
    const shown = floor === null ? candidate : timeless ? floor : null;
    if (shown !== null) this.#limiter.noteHere(this.#policy, this.#caller, shown);
    return { refusal: null, floor };
  }

  async note(mark: LedgerMark): Promise<boolean> {
    this.noteHere(mark);
    return this.#limiter.note(this.#policy, this.#caller, mark);
  }

  noteHere(point: LedgerPoint): void {
    this.#limiter.noteHere(this.#policy, this.#caller, point);
  }

  shownHere(): LedgerPoint | null {
    return this.#limiter.shownHere(this.#policy, this.#caller);
  }

  noteTarget(): NoteTarget {
    const { name, region } = this.#limiter.shardFor(this.#policy, this.#caller);
    return { object: name, region, key: this.#caller.key };
  }
}

export function throttled({ quota, windowSeconds }: Policy, { resetSeconds }: Decision): Failure {
  return { kind: "throttled", quota, windowSeconds, retryAfterSeconds: resetSeconds };
}
