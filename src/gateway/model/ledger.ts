import type { LedgerInfo } from "../../chain/ledger-headers.ts";
import type { LedgerPoint } from "../../chain/ledger-point.ts";

export type Ledger = LedgerInfo;

/** The chain's own clock. */
export function millisecondsOf({ timestampMicros }: Ledger): number {
  return Number(timestampMicros / 1_000n);
}

/** The newest ledger that an upstream is known to have reported, with the era of its chain. */
export interface Tip {
  readonly era: number;
  readonly ledger: Ledger;
  /** When an upstream last reported this version, by the local clock. */
  readonly confirmedAtMs: number;
}

/** The point of a ledger; null of none. */
export function pointOf(tip: { readonly era: number; readonly ledger: Ledger } | null): LedgerPoint | null {
  return tip === null ? null : { era: tip.era, version: tip.ledger.version };
}

/** A tip confirmed this recently spares a woken object its first look-up. */
export const RECENT_MS = 5_000;
