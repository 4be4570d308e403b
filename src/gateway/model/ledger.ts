import type { LedgerInfo } from "../../chain/ledger-headers.ts";
import { isAtLeast, type LedgerPoint } from "../../chain/ledger-point.ts";

export type Ledger = LedgerInfo;

/** The newest ledger that an upstream is known to have reported, with the era of its chain. */
export interface Tip {
  readonly era: number;
  readonly ledger: Ledger;
  /** When an upstream last reported this version, by the local clock. */
  readonly confirmedAtMs: number;
}

export function pointOf({ era, ledger }: { readonly era: number; readonly ledger: Ledger }): LedgerPoint {
  return { era, version: ledger.version };
}

/** The later tip; of two at one point the one confirmed later. */
export function newerTip(known: Tip | null, found: Tip): Tip {
  if (known === null || !isAtLeast(pointOf(known), pointOf(found))) return found;
  const isSame = isAtLeast(pointOf(found), pointOf(known));
  return isSame && found.confirmedAtMs > known.confirmedAtMs ? found : known;
}

/** Whether an instant lies in the last so many milliseconds. One in the future, before a clock was set back, does not. */
export function isWithin(atMs: number | null, milliseconds: number, nowMs: number): boolean {
  return atMs !== null && nowMs >= atMs && nowMs - atMs < milliseconds;
}
