import type { LedgerMark, LedgerPoint } from "../../chain/ledger-point.ts";
import type { NoteTarget } from "../../http/handler.ts";
import { BoundedMap } from "../../memo.ts";

export interface CallerNotesPorts {
  readonly now: () => number;
  /** Notes a mark at a caller's object; null when that does not answer in time. */
  readonly call: (target: NoteTarget, mark: LedgerMark) => Promise<LedgerPoint | null>;
}

const REST_MS = 1_000;
const MAX_OBJECTS = 1_024;

/** Notes the points that callers see at their objects. An object that did not answer is not called for a second. */
export class CallerNotes {
  readonly #ports: CallerNotesPorts;
  readonly #failedAtMs = new BoundedMap<string, number>(MAX_OBJECTS);

  constructor(ports: CallerNotesPorts) {
    this.#ports = ports;
  }

  /** The newest point that the caller has seen by then; null when the mark was not noted. */
  async note(target: NoteTarget, mark: LedgerMark): Promise<LedgerPoint | null> {
    const { now, call } = this.#ports;
    const sinceMs = now() - (this.#failedAtMs.get(target.object) ?? Number.NEGATIVE_INFINITY);
    if (sinceMs >= 0 && sinceMs < REST_MS) return null;
    const newest = await call(target, mark);
    if (newest === null) this.#failedAtMs.set(target.object, now());
    return newest;
  }
}
