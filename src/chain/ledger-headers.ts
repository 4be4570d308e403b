import { parseU64 } from "./integer.ts";

/** A node's ledger at its tip, regardless of the version that a request read. Every u64 is a bigint. */
export interface LedgerInfo {
  readonly chainId: number;
  readonly version: bigint;
  readonly oldestVersion: bigint;
  readonly timestampMicros: bigint;
  readonly epoch: bigint;
  readonly blockHeight: bigint;
  readonly oldestBlockHeight: bigint;
}

/** Header names of a node's ledger, without the chain-specific prefix (specification, Response headers). */
export const LEDGER_HEADERS = {
  chainId: "CHAIN-ID",
  version: "LEDGER-VERSION",
  oldestVersion: "LEDGER-OLDEST-VERSION",
  timestampMicros: "LEDGER-TIMESTAMPUSEC",
  epoch: "EPOCH",
  blockHeight: "BLOCK-HEIGHT",
  oldestBlockHeight: "OLDEST-BLOCK-HEIGHT",
} as const satisfies Record<keyof LedgerInfo, string>;

/** Names of a ledger's members. Cast: the keys of an object literal are those of its type. */
const LEDGER_FIELDS = Object.keys(LEDGER_HEADERS) as (keyof LedgerInfo)[];

/** Builds the ledger headers of a response, with the chain's prefix. */
export function ledgerHeaders(ledger: LedgerInfo, prefix: string): Record<string, string> {
  return Object.fromEntries(LEDGER_FIELDS.map((field) => [prefix + LEDGER_HEADERS[field], String(ledger[field])]));
}

/**
 * Parses the ledger headers of a response, by their names after the chain-specific prefix. Returns null unless chain id
 * and version are present once each and numeric. Any other missing number becomes 0.
 */
export function parseLedger(headerOf: (suffix: string) => string | null): LedgerInfo | null {
  const numberOf = (field: keyof LedgerInfo): bigint | undefined => parseU64(headerOf(LEDGER_HEADERS[field]) ?? "");
  const chainId = numberOf("chainId");
  if (numberOf("version") === undefined || chainId === undefined || chainId < 1n || chainId > 255n) return null;
  const numbers = Object.fromEntries(LEDGER_FIELDS.map((field) => [field, numberOf(field) ?? 0n]));
  // Cast: every member has a number.
  return { ...numbers, chainId: Number(chainId) } as LedgerInfo;
}

/** Headers that describe one body: the gas used by a transaction, and the cursor of the next page. */
export const BODY_HEADERS = { gasUsed: "GAS-USED", cursor: "CURSOR" } as const;
/** Header of newer nodes with the key that encrypts transactions in the current epoch. */
export const ENCRYPTION_KEY = "TXN-ENCRYPTION-KEY";

/**
 * Names of the header that carries a cursor. SDKs read one of two fixed names, whatever the configured prefix, and take
 * a page without it for the last page.
 */
export function cursorHeaders(prefix: string): string[] {
  return [...new Set([prefix, "X-NODE-", "X-APTOS-"])].map((each) => each + BODY_HEADERS.cursor);
}

/** Headers that the interface's SDKs add: their name, and the key for which a transaction is encrypted. */
const CLIENT_HEADERS = [
  "X-Aptos-Client",
  "X-Aptos-Typescript-Sdk-Origin-Method",
  "X-Aptos-Txn-Encryption-Key",
  "Traceparent",
];

export function clientHeadersOf(headers: Headers): Readonly<Record<string, string>> {
  const found = CLIENT_HEADERS.map((name): [string, string] => [name, headers.get(name) ?? ""]);
  return Object.fromEntries(found.filter(([, text]) => /^[\x20-\x7e]{1,4096}$/.test(text)));
}
