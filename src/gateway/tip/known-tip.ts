import { isAtLeast, type LedgerMark, type LedgerPoint, laterOf } from "../../chain/ledger-point.ts";
import { parseJson } from "../../json.ts";
import { memoByObject } from "../../memo.ts";
import { deserializeLedger, serializeLedger } from "../cache/serialize.ts";
import type { CachedResponse } from "../node-types.ts";
import type { Ledger } from "./ledger-headers.ts";

/** The newest ledger that an upstream is known to have reported, with the epoch of its chain. */
export interface KnownTip {
  readonly epoch: number;
  readonly ledger: Ledger;
  /** When an upstream last reported this version, by the local clock. */
  readonly confirmedAtMs: number;
}

export function markOf(epoch: number, ledger: Ledger): LedgerMark {
  return { epoch, version: ledger.version, fields: JSON.stringify(serializeLedger(ledger)) };
}

/** Null when the mark has no fields or unreadable ones. */
function ledgerOf(mark: LedgerMark): Ledger | null {
  return mark.fields === "" ? null : (deserializeLedger(parseJson(mark.fields)) ?? null);
}

/** The ledger point at which a response was read; null when the node reported none. Built once for each response. */
export const markOfResponse = memoByObject(({ epoch, ledger }: CachedResponse): LedgerMark | null =>
  ledger === null ? null : markOf(epoch, ledger),
);

export const markOfTip = memoByObject(({ epoch, ledger }: KnownTip): LedgerMark => markOf(epoch, ledger));

const RECENT_MS = 5_000;

/** The newest tip known to one isolate, from any source. */
export class TipMemory {
  #tip: KnownTip | null = null;

  get tip(): KnownTip | null {
    return this.#tip;
  }

  get epoch(): number {
    return this.#tip?.epoch ?? 0;
  }

  get mark(): LedgerMark | null {
    return this.#tip === null ? null : markOfTip(this.#tip);
  }

  /** The newest ledger, when an upstream reported it in the last seconds. */
  recent(nowMs: number): Ledger | null {
    if (this.#tip === null) return null;
    const sinceMs = nowMs - this.#tip.confirmedAtMs;
    return sinceMs >= 0 && sinceMs < RECENT_MS ? this.#tip.ledger : null;
  }

  learn(tip: KnownTip): void {
    const known = this.#tip;
    if (known === null || !isAtLeast(pointOf(known), pointOf(tip))) this.#tip = tip;
    else if (isAtLeast(pointOf(tip), pointOf(known)) && tip.confirmedAtMs > known.confirmedAtMs) this.#tip = tip;
  }

  /** The ledger that a timeless response names: the later of the isolate's offer and the limiter's floor. */
  label(offered: LedgerMark | null, floor: LedgerMark | null): Ledger | null {
    const mark = laterOf(offered, floor);
    const ledger = mark === null ? null : ledgerOf(mark);
    // Seen without a report that it is the newest.
    if (mark !== null && ledger !== null)
      this.learn({ epoch: mark.epoch, ledger, confirmedAtMs: Number.NEGATIVE_INFINITY });
    return ledger;
  }
}

function pointOf({ epoch, ledger }: KnownTip): LedgerPoint {
  return { epoch, version: ledger.version };
}
