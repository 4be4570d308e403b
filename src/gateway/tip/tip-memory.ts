import { isAtLeast, type LedgerMark, type LedgerPoint, laterOf } from "../../chain/ledger-point.ts";
import type { Ledger } from "./ledger-headers.ts";
import { type KnownTip, ledgerOf, markOfTip } from "./ledger-mark.ts";

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

  /** Learns a ledger that was seen without a report that it is the newest. */
  learnOf(epoch: number, ledger: Ledger): void {
    this.learn({ epoch, ledger, confirmedAtMs: Number.NEGATIVE_INFINITY });
  }

  /** The ledger that a timeless response names: the later of the isolate's offer and the limiter's floor. */
  label(offered: LedgerMark | null, floor: LedgerMark | null): Ledger | null {
    const mark = laterOf(offered, floor);
    const ledger = mark === null ? null : ledgerOf(mark);
    if (mark !== null && ledger !== null) this.learnOf(mark.epoch, ledger);
    return ledger;
  }
}

function pointOf({ epoch, ledger }: KnownTip): LedgerPoint {
  return { epoch, version: ledger.version };
}
