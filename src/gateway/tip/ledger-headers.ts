/** What a node says of its ledger in the head of an answer. It describes the tip at that moment, not the version read. */
export interface Ledger {
  readonly chainId: number;
  readonly version: bigint;
  readonly oldestVersion: bigint;
  readonly timestampMicros: bigint;
  readonly epoch: bigint;
  readonly blockHeight: bigint;
  readonly oldestBlockHeight: bigint;
}

/** Both spellings of the chain-specific prefix are understood; each chain of this family has its own. */
export const NODE_PREFIXES: readonly string[] = ["x-node-", "x-aptos-"];

type LedgerField = Exclude<keyof Ledger, "chainId">;

const FIELDS: readonly (readonly [suffix: string, field: LedgerField])[] = [
  ["LEDGER-VERSION", "version"],
  ["LEDGER-OLDEST-VERSION", "oldestVersion"],
  ["LEDGER-TIMESTAMPUSEC", "timestampMicros"],
  ["EPOCH", "epoch"],
  ["BLOCK-HEIGHT", "blockHeight"],
  ["OLDEST-BLOCK-HEIGHT", "oldestBlockHeight"],
];
const CHAIN_ID = "CHAIN-ID";
const LEDGER_SUFFIXES: readonly string[] = [CHAIN_ID, ...FIELDS.map(([suffix]) => suffix)].map((suffix) =>
  suffix.toLowerCase(),
);

/** What follows the node's prefix in a header's name, lower case; undefined when it is another header. */
export function nodeSuffix(name: string): string | undefined {
  const lower = name.toLowerCase();
  const prefix = NODE_PREFIXES.find((candidate) => lower.startsWith(candidate));
  return prefix === undefined ? undefined : lower.slice(prefix.length);
}

export function isLedgerSuffix(suffix: string): boolean {
  return LEDGER_SUFFIXES.includes(suffix);
}

/** Reads the seven fields; null unless the chain id and the version at least are there and are numbers. */
export function parseLedger(fields: Readonly<Record<string, string>>): Ledger | null {
  const chainId = Number(fields[CHAIN_ID.toLowerCase()] ?? "");
  const numbers = new Map<LedgerField, bigint>();
  for (const [suffix, field] of FIELDS) {
    const text = fields[suffix.toLowerCase()] ?? "";
    if (/^\d{1,20}$/.test(text)) numbers.set(field, BigInt(text));
  }
  const version = numbers.get("version");
  if (version === undefined || !Number.isInteger(chainId) || chainId < 1 || chainId > 255) return null;
  const of = (field: LedgerField): bigint => numbers.get(field) ?? 0n;
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

/** The seven fields with our prefix. */
export function ledgerFields(ledger: Ledger, prefix: string): Record<string, string> {
  const fields: Record<string, string> = { [prefix + CHAIN_ID]: String(ledger.chainId) };
  for (const [suffix, field] of FIELDS) fields[prefix + suffix] = ledger[field].toString();
  return fields;
}

/** The one with the higher version; `left` when they are level. */
export function later(left: Ledger | null, right: Ledger | null): Ledger | null {
  if (left === null || right === null) return left ?? right;
  return right.version > left.version ? right : left;
}
