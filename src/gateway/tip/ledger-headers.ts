import { parseU64 } from "../../chain/integer.ts";
import { LEDGER_HEADERS } from "../../chain/ledger-headers.ts";

/** The ledger headers of a node's response. They describe the tip at that moment, not the version read. */
export interface Ledger {
  readonly chainId: number;
  readonly version: bigint;
  readonly oldestVersion: bigint;
  readonly timestampMicros: bigint;
  readonly epoch: bigint;
  readonly blockHeight: bigint;
  readonly oldestBlockHeight: bigint;
}

/** Both forms of the chain-specific prefix are accepted: each chain of this family has its own. */
const NODE_PREFIXES: readonly string[] = ["x-node-", "x-aptos-"];

type LedgerNumber = Exclude<keyof Ledger, "chainId">;

const { chainId: CHAIN_ID, ...NUMBERS } = LEDGER_HEADERS;
const NUMBER_NAMES = Object.keys(NUMBERS) as LedgerNumber[]; // the keys of a literal object are its type's
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

/** Parses the seven headers; null unless chain id and version are both present, once each and numeric. */
export function parseLedger(fields: Readonly<Record<string, string>>): Ledger | null {
  const chainId = Number(fields[CHAIN_ID.toLowerCase()] ?? "");
  const numbers = new Map<LedgerNumber, bigint>();
  for (const name of NUMBER_NAMES) {
    const value = parseU64(fields[NUMBERS[name].toLowerCase()] ?? "");
    if (value !== undefined) numbers.set(name, value);
  }
  const version = numbers.get("version");
  if (version === undefined || !Number.isInteger(chainId) || chainId < 1 || chainId > 255) return null;
  const of = (name: LedgerNumber): bigint => numbers.get(name) ?? 0n;
  return {
    chainId,
    version,
    oldestVersion: of("oldestVersion"),
    timestampMicros: of("timestampMicros"),
    epoch: of("epoch"),
    blockHeight: of("blockHeight"),
    oldestBlockHeight: of("oldestBlockHeight"),
  };
}

/** The seven headers with our prefix. */
export function ledgerFields(ledger: Ledger, prefix: string): Record<string, string> {
  const fields: Record<string, string> = { [prefix + CHAIN_ID]: String(ledger.chainId) };
  for (const name of NUMBER_NAMES) fields[prefix + NUMBERS[name]] = ledger[name].toString();
  return fields;
}
