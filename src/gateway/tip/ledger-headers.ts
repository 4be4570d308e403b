import { parseU64 } from "../../chain/integer.ts";
import { LEDGER_HEADERS, type LedgerInfo, ledgerOf } from "../../chain/ledger-headers.ts";

export type Ledger = LedgerInfo;

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
export function parseLedger(fields: Readonly<Record<string, string>>): Ledger | null {
  const numberOf = (field: keyof Ledger): bigint | undefined =>
    parseU64(fields[LEDGER_HEADERS[field].toLowerCase()] ?? "");
  const chainId = numberOf("chainId");
  if (numberOf("version") === undefined || chainId === undefined || chainId < 1n || chainId > 255n) return null;
  return ledgerOf((field) => numberOf(field) ?? 0n);
}
