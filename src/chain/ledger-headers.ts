/** Header names of a node's ledger state, without the chain-specific prefix (specification, Response headers). */
export const LEDGER_HEADERS = {
  chainId: "CHAIN-ID",
  version: "LEDGER-VERSION",
  oldestVersion: "LEDGER-OLDEST-VERSION",
  timestampMicros: "LEDGER-TIMESTAMPUSEC",
  epoch: "EPOCH",
  blockHeight: "BLOCK-HEIGHT",
  oldestBlockHeight: "OLDEST-BLOCK-HEIGHT",
} as const;

/** Headers that describe one body: the gas used by a transaction, and the cursor of the next page. */
export const BODY_HEADERS = { gasUsed: "GAS-USED", cursor: "CURSOR" } as const;

/**
 * The names under which a cursor is sent: SDKs read one of two fixed names, regardless of the configured prefix, and
 * take a page without it for the last one.
 */
export function cursorHeaders(prefix: string): string[] {
  return [...new Set([prefix, "X-NODE-", "X-APTOS-"])].map((each) => each + BODY_HEADERS.cursor);
}
