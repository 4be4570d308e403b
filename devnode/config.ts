import { parseU64 } from "../src/chain/integer.ts";
import { GENESIS_SUPPLY, GENESIS_SYMBOL } from "./genesis.ts";
import { parseGenesisWallets, walletProblems } from "./genesis-wallets.ts";

type NodeConfigResult = ReturnType<typeof parseNodeConfig>;
/** Every setting of the embedded node, parsed. Produced by {@link parseNodeConfig} only. */
export type NodeConfig = Extract<NodeConfigResult, { kind: "config" }>["config"];

/** Minimum of both mempool limits: the largest block of the genesis history must fit. */
export const MIN_MEMPOOL = 10;

/** What the framework allows: `0x1::coin` refuses a symbol of more than 10 bytes. */
export const SYMBOL = /^[!-~]{1,10}$/;

/** Environment to NodeConfig, once. Names every problem, not just the first. */
export function parseNodeConfig(env: Readonly<Record<string, unknown>>) {
  const problems: string[] = [];
  const text = (name: string, fallback: string): string => {
    const value = env[name] ?? "";
    if (typeof value !== "string") problems.push(`${name} must be a string`);
    return typeof value === "string" && value.trim() !== "" ? value.trim() : fallback;
  };
  const whole = (name: string, fallback: number, min: number, max: number): number => {
    const given = text(name, String(fallback));
    const value = /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    problems.push(`${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(given)}`);
    return fallback;
  };
  const oneOf = <const Word extends string>(name: string, words: readonly Word[], fallback: Word): Word => {
    const given = text(name, fallback);
    const found = words.find((word) => word === given);
    if (found === undefined) problems.push(`${name} must be one of ${words.join(", ")}, not ${JSON.stringify(given)}`);
    return found ?? fallback;
  };
  const prefix = text("NODE_HEADER_PREFIX", "X-NODE-");
  if (!/^[A-Za-z][A-Za-z0-9-]{0,30}-$/.test(prefix))
    problems.push(`NODE_HEADER_PREFIX must be a header prefix ending in a dash, not ${JSON.stringify(prefix)}`);
  const supplyText = text("GENESIS_SUPPLY", String(GENESIS_SUPPLY));
  const genesisSupply = parseU64(supplyText);
  if (genesisSupply === undefined)
    problems.push(
      `GENESIS_SUPPLY must be base units of the native coin, a whole number below 2^64, not ${JSON.stringify(supplyText)}`,
    );
  const genesisSymbol = text("GENESIS_SYMBOL", GENESIS_SYMBOL);
  if (!SYMBOL.test(genesisSymbol))
    problems.push(`GENESIS_SYMBOL must be 1 to 10 printable ASCII characters, not ${JSON.stringify(genesisSymbol)}`);
  const genesisWallets = parseGenesisWallets(text("GENESIS_WALLETS", ""));
  problems.push(...walletProblems(genesisWallets, genesisSupply ?? GENESIS_SUPPLY));
  const config = {
    chainId: whole("CHAIN_ID", 4, 1, 255),
    /** What a transaction hash covers: as the specification says, or as the public networks do. */
    transactionHash: oneOf("TRANSACTION_HASH", ["specification", "signed"], "specification"),
    headerPrefix: prefix,
    revision: text("BUILD_REVISION", "local"),
    /** An address without an account answers as one with sequence number 0. */
    statelessAccounts: oneOf("STATELESS_ACCOUNTS", ["on", "off"], "off") === "on",
    /** How many versions stay readable. */
    pruneWindow: whole("PRUNE_WINDOW", 1_000_000, 10, 1_000_000_000),
    blockMs: whole("BLOCK_MS", 250, 10, 60_000),
    heartbeatSeconds: whole("HEARTBEAT_SECONDS", 10, 1, 3_600),
    epochSeconds: whole("EPOCH_SECONDS", 7_200, 1, 31_536_000),
    mempoolCapacity: whole("MEMPOOL_CAPACITY", 20_000, MIN_MEMPOOL, 100_000),
    mempoolPerAccount: whole("MEMPOOL_PER_ACCOUNT", 100, MIN_MEMPOOL, 10_000),
    mempoolSeconds: whole("MEMPOOL_SECONDS", 600, 1, 86_400),
    /** Supply of the native coin at genesis, and its maximum, in base units. */
    genesisSupply: genesisSupply ?? GENESIS_SUPPLY,
    genesisSymbol,
    /** Wallets that hold a published schedule's locked tokens at genesis. */
    genesisWallets: genesisWallets.kind === "wallets" ? genesisWallets.wallets : [],
  };
  return problems.length === 0 ? ({ kind: "config", config } as const) : ({ kind: "problems", problems } as const);
}
