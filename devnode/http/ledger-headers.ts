import { LEDGER_HEADERS } from "../../src/chain/ledger-headers.ts";
import type { LedgerInfo } from "../ledger/api.ts";

/** The ledger headers of a response. They describe the tip, whatever version the request read. */
export function ledgerHeaders(prefix: string, info: LedgerInfo): Record<string, string> {
  return {
    [prefix + LEDGER_HEADERS.chainId]: String(info.chainId),
    [prefix + LEDGER_HEADERS.version]: String(info.version),
    [prefix + LEDGER_HEADERS.oldestVersion]: String(info.oldestVersion),
    [prefix + LEDGER_HEADERS.timestampMicros]: String(info.timestampMicros),
    [prefix + LEDGER_HEADERS.epoch]: String(info.epoch),
    [prefix + LEDGER_HEADERS.blockHeight]: String(info.blockHeight),
    [prefix + LEDGER_HEADERS.oldestBlockHeight]: String(info.oldestBlockHeight),
  };
}
