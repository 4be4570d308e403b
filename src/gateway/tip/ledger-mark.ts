import type { LedgerMark } from "../../chain/ledger-point.ts";
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
export function ledgerOf(mark: LedgerMark): Ledger | null {
  return mark.fields === "" ? null : (deserializeLedger(parseJson(mark.fields)) ?? null);
}

/** The ledger point at which a response was read; null when the node reported none. Built once for each response. */
export const markOfResponse = memoByObject(({ epoch, ledger }: CachedResponse): LedgerMark | null =>
  ledger === null ? null : markOf(epoch, ledger),
);

export const markOfTip = memoByObject(({ epoch, ledger }: KnownTip): LedgerMark => markOf(epoch, ledger));
