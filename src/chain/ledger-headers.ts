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

/** The members of a ledger. Cast: the keys of an object literal are those of its type. */
const LEDGER_FIELDS = Object.keys(LEDGER_HEADERS) as (keyof LedgerInfo)[];

/** The ledger headers of a response, with a chain's prefix. */
export function ledgerHeaders(ledger: LedgerInfo, prefix: string): Record<string, string> {
  return Object.fromEntries(LEDGER_FIELDS.map((field) => [prefix + LEDGER_HEADERS[field], String(ledger[field])]));
}

/**
 * The ledger of a response, whose headers are read by their names after the chain-specific prefix; null unless chain id
 * and version are both present, once each and numeric. What is missing besides is 0.
 */
export function parseLedger(headerOf: (suffix: string) => string | null): LedgerInfo | null {
  const numberOf = (field: keyof LedgerInfo): bigint | undefined => parseU64(headerOf(LEDGER_HEADERS[field]) ?? "");
  const chainId = numberOf("chainId");
  if (numberOf("version") === undefined || chainId === undefined || chainId < 1n || chainId > 255n) return null;
  const numbers = Object.fromEntries(LEDGER_FIELDS.map((field) => [field, numberOf(field) ?? 0n]));
  // Cast: every member is a number of its own.
  return { ...numbers, chainId: Number(chainId) } as LedgerInfo;
}

/** Headers that describe one body: the gas used by a transaction, and the cursor of the next page. */
export const BODY_HEADERS = { gasUsed: "GAS-USED", cursor: "CURSOR" } as const;
/** The key of the present epoch for transactions that are encrypted, of newer nodes. */
export const ENCRYPTION_KEY = "TXN-ENCRYPTION-KEY";

/**
 * The names under which a cursor is sent: SDKs read one of two fixed names, regardless of the configured prefix, and
 * take a page without it for the last one.
 */
export function cursorHeaders(prefix: string): string[] {
  return [...new Set([prefix, "X-NODE-", "X-APTOS-"])].map((each) => each + BODY_HEADERS.cursor);
}

/** What the interface's own clients say beside the request: who they are, and for whom a transaction is encrypted. */
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
