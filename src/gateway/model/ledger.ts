import { parseU64 } from "../../chain/integer.ts";
import { LEDGER_FIELDS, LEDGER_HEADERS, type LedgerInfo, ledgerOf } from "../../chain/ledger-headers.ts";
import { isAtLeast, type LedgerPoint } from "../../chain/ledger-point.ts";

export type Ledger = LedgerInfo;

/** The newest ledger that an upstream is known to have reported, with the era of its chain. */
export interface Tip {
  readonly era: number;
  readonly ledger: Ledger;
  /** When an upstream last reported this version, by the local clock. */
  readonly confirmedAtMs: number;
}

export function pointOf({ era, ledger }: { readonly era: number; readonly ledger: Ledger }): LedgerPoint {
  return { era, version: ledger.version };
}

/** The later tip; of two at one point the one confirmed later. */
export function newerTip(known: Tip | null, found: Tip): Tip {
  if (known === null || !isAtLeast(pointOf(known), pointOf(found))) return found;
  const isSame = isAtLeast(pointOf(found), pointOf(known));
  return isSame && found.confirmedAtMs > known.confirmedAtMs ? found : known;
}

/** Whether an instant lies in the last so many milliseconds. One in the future, before a clock was set back, does not. */
export function isWithin(atMs: number | null, milliseconds: number, nowMs: number): boolean {
  return atMs !== null && nowMs >= atMs && nowMs - atMs < milliseconds;
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
export function parseLedger(fields: Readonly<Record<string, string>>): Ledger | null {
  const numberOf = (field: keyof Ledger): bigint | undefined =>
    parseU64(fields[LEDGER_HEADERS[field].toLowerCase()] ?? "");
  const chainId = numberOf("chainId");
  if (numberOf("version") === undefined || chainId === undefined || chainId < 1n || chainId > 255n) return null;
  return ledgerOf((field) => numberOf(field) ?? 0n);
}

/** Every number as a decimal string. */
export function serializeLedger(ledger: Ledger): Readonly<Record<string, string>> {
  return Object.fromEntries(LEDGER_FIELDS.map((field) => [field, String(ledger[field])]));
}

export function deserializeLedger(fields: Readonly<Record<string, unknown>>): Ledger {
  return ledgerOf((field) => BigInt(/^\d{1,20}$/.exec(String(fields[field]))?.[0] ?? "0"));
}
