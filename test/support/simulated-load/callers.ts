import { isAtLeast, type LedgerMark, laterOf } from "../../../src/chain/ledger-point.ts";
import type { Admission } from "../../../src/http/handler.ts";
import { NO_CALLER } from "../no-caller.ts";

/** The newest point that each caller has seen, as the limiter's objects record it. Nothing is refused or counted. */
export class SimulatedCallers {
  readonly #seen = new Map<string, LedgerMark>();
  readonly #toObject: () => Promise<void>;

  /** `toObject` takes as long as a round trip from an isolate to a limiter object. */
  constructor(toObject: () => Promise<void>) {
    this.#toObject = toObject;
  }

  /** The limiter's side of one request. */
  admission(caller: string): Admission {
    return {
      ...NO_CALLER,
      admit: async (candidate, timeless) => {
        await this.#toObject();
        const floor = this.#seen.get(caller) ?? null;
        if (candidate !== null && isAtLeast(candidate, floor)) {
          this.#seen.set(caller, candidate);
          return { refusal: null, floor: null };
        }
        return { refusal: null, floor: timeless ? laterOf(floor, candidate) : floor };
      },
      note: async (mark) => {
        await this.#toObject();
        this.record(caller, mark);
        return true;
      },
      noteTarget: () => ({ object: "limiter", region: "", key: caller }),
    };
  }

  /** Returns the newest point that the caller has seen. */
  record(caller: string, mark: LedgerMark): LedgerMark {
    const newest = laterOf(this.#seen.get(caller) ?? null, mark) ?? mark;
    this.#seen.set(caller, newest);
    return newest;
  }
}
