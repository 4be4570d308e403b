import type { LedgerInfo } from "../ledger/api.ts";

/** The seven ledger fields of every answer. They tell of the tip, whatever version the request read. */
export function ledgerFields(prefix: string, info: LedgerInfo): Record<string, string> {
  return {
    [`${prefix}CHAIN-ID`]: String(info.chainId),
    [`${prefix}LEDGER-VERSION`]: String(info.version),
    [`${prefix}LEDGER-OLDEST-VERSION`]: String(info.oldestVersion),
    [`${prefix}LEDGER-TIMESTAMPUSEC`]: String(info.timestampMicros),
    [`${prefix}EPOCH`]: String(info.epoch),
    [`${prefix}BLOCK-HEIGHT`]: String(info.blockHeight),
    [`${prefix}OLDEST-BLOCK-HEIGHT`]: String(info.oldestBlockHeight),
  };
}
