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

/** A ledger from one number per member. */
function ledgerOf(numberOf: (field: keyof LedgerInfo) => bigint): LedgerInfo {
  return {
    chainId: Number(numberOf("chainId")),
    version: numberOf("version"),
    oldestVersion: numberOf("oldestVersion"),
    timestampMicros: numberOf("timestampMicros"),
    epoch: numberOf("epoch"),
    blockHeight: numberOf("blockHeight"),
    oldestBlockHeight: numberOf("oldestBlockHeight"),
  };
}

/** The ledger headers of a response, with a chain's prefix. */
export function ledgerHeaders(ledger: LedgerInfo, prefix: string): Record<string, string> {
  return Object.fromEntries(LEDGER_FIELDS.map((field) => [prefix + LEDGER_HEADERS[field], String(ledger[field])]));
}

/** Both forms of the chain-specific prefix are accepted: each chain of this family has its own. */
const NODE_PREFIXES: readonly string[] = ["x-node-", "x-aptos-"];
const SUFFIXES: readonly string[] = Object.values(LEDGER_HEADERS).map((suffix) => suffix.toLowerCase());

/** The lower-case header name after the node's prefix; undefined for other headers. */
export function nodeSuffix(name: string): string | undefined {
  const lower = name.toLowerCase();
  const prefix = NODE_PREFIXES.find((candidate) => lower.startsWith(candidate));
  return prefix === undefined ? undefined : lower.slice(prefix.length);
}

export function isLedgerSuffix(suffix: string): boolean {
  return SUFFIXES.includes(suffix);
}

/** Parses the ledger headers; null unless chain id and version are both present, once each and numeric. */
export function parseLedger(fields: Readonly<Record<string, string>>): LedgerInfo | null {
  const numberOf = (field: keyof LedgerInfo): bigint | undefined =>
    parseU64(fields[LEDGER_HEADERS[field].toLowerCase()] ?? "");
  const chainId = numberOf("chainId");
  if (numberOf("version") === undefined || chainId === undefined || chainId < 1n || chainId > 255n) return null;
  return ledgerOf((field) => numberOf(field) ?? 0n);
}

/** Headers that describe one body: the gas used by a transaction, and the cursor of the next page. */
export const BODY_HEADERS = { gasUsed: "GAS-USED", cursor: "CURSOR" } as const;

/**
 * The names under which a cursor is sent: SDKs read one of two fixed names, regardless of the configured prefix, and
 * take a page without it for the last one.
 */
export function cursorHeaders(prefix: string): string[] {
  return [...new Set([prefix, "X-NODE-", "X-APTOS-"])].map((each) => each + BODY_HEADERS.cursor);
}
