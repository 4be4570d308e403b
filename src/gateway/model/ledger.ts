import type { LedgerInfo } from "../../chain/ledger-headers.ts";
import type { LedgerPoint } from "../../chain/ledger-point.ts";

export type Ledger = LedgerInfo;

/** Time of a ledger by the chain's own clock, in milliseconds. */
export function millisecondsOf({ timestampMicros }: Ledger): number {
  return Number(timestampMicros / 1_000n);
}

/** The newest ledger that an upstream is known to have reported, with the era of its chain. */
export interface Tip {
  readonly era: number;
  readonly ledger: Ledger;
  /** Time at which an upstream last reported this version, by the local clock. */
  readonly confirmedAtMs: number;
}

/** Point of a ledger; null when there is no ledger. */
export function pointOf(tip: { readonly era: number; readonly ledger: Ledger } | null): LedgerPoint | null {
  return tip === null ? null : { era: tip.era, version: tip.ledger.version };
}

/** Age below which a confirmed tip saves an object that wakes up its first look-up. */
export const RECENT_MS = 5_000;
