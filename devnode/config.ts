import { type Environment, SettingsReader } from "../src/base/settings.ts";
import { parseUnsigned } from "../src/chain/integer.ts";
import { GENESIS_DECIMALS, GENESIS_NAME, GENESIS_SUPPLY, GENESIS_SYMBOL } from "./genesis.ts";
import { parseGenesisWallets, walletProblems } from "./genesis-wallets.ts";

type NodeConfigResult = ReturnType<typeof parseNodeConfig>;
/** Every setting of the embedded node, parsed. Produced by {@link parseNodeConfig} only. */
export type NodeConfig = Extract<NodeConfigResult, { kind: "config" }>["config"];

/** Minimum of both mempool limits: the largest block of the genesis history must fit. */
export const MIN_MEMPOOL = 10;

/** Symbols that the framework allows: `0x1::coin` refuses one of more than 10 bytes. */
export const SYMBOL = /^[!-~]{1,10}$/;

/** A supply of 2^53 tokens fits in the 128 bits of a coin's supply. */
export const MAX_DECIMALS = 22;

const parseU128 = (text: string): bigint | undefined => parseUnsigned(text, "u128");

/** A coin's name, which `0x1::coin` bounds like its symbol; undefined when it cannot have this one. */
export function coinName(text: string): string | undefined {
  const bytes = new TextEncoder().encode(text).length;
  return bytes >= 1 && bytes <= 32 && !/\p{C}/u.test(text) ? text : undefined;
}

/** Environment to NodeConfig, once. Names every problem, not just the first. */
export function parseNodeConfig(env: Environment, read = new SettingsReader(env)) {
  const { problems } = read;
  const headerPrefix = read.headerPrefix();
  const supplyForm = "base units of the native coin, a whole number below 2^128";
  const genesisSupply = read.parsed("GENESIS_SUPPLY", String(GENESIS_SUPPLY), supplyForm, parseU128) ?? GENESIS_SUPPLY;
  const symbolForm = "1 to 10 printable ASCII characters";
  const genesisSymbol = read.matching("GENESIS_SYMBOL", GENESIS_SYMBOL, SYMBOL, symbolForm);
  const nameForm = "1 to 32 bytes of printable characters";
  const genesisName = read.parsed("GENESIS_NAME", GENESIS_NAME, nameForm, coinName) ?? GENESIS_NAME;
  const genesisWallets = parseGenesisWallets(read.text("GENESIS_WALLETS", ""));
  problems.push(...walletProblems(genesisWallets, genesisSupply));
  const config = {
    chainId: read.integer("CHAIN_ID", 4, 1, 255),
    /** Content that a transaction hash covers: as the specification says, or as the public networks do. */
    transactionHash: read.oneOf("TRANSACTION_HASH", ["specification", "signed"], "specification"),
    headerPrefix,
    revision: read.text("BUILD_REVISION", "local"),
    /** An address without an account answers as one with sequence number 0. */
    statelessAccounts: read.oneOf("STATELESS_ACCOUNTS", ["on", "off"], "off") === "on",
    /** How many versions stay readable. */
    pruneWindow: read.integer("PRUNE_WINDOW", 1_000_000, 10, 1_000_000_000),
    blockMs: read.integer("BLOCK_MS", 250, 10, 60_000),
    heartbeatSeconds: read.integer("HEARTBEAT_SECONDS", 10, 1, 3_600),
    epochSeconds: read.integer("EPOCH_SECONDS", 7_200, 1, 31_536_000),
    mempoolCapacity: read.integer("MEMPOOL_CAPACITY", 20_000, MIN_MEMPOOL, 100_000),
    mempoolPerAccount: read.integer("MEMPOOL_PER_ACCOUNT", 100, MIN_MEMPOOL, 10_000),
    mempoolSeconds: read.integer("MEMPOOL_SECONDS", 600, 1, 86_400),
    /** Supply of the native coin at genesis, and its maximum, in base units. */
    genesisSupply,
    genesisSymbol,
    genesisName,
    genesisDecimals: read.integer("GENESIS_DECIMALS", GENESIS_DECIMALS, 0, MAX_DECIMALS),
    /** Wallets that hold a published schedule's locked tokens at genesis. */
    genesisWallets: genesisWallets.kind === "wallets" ? genesisWallets.wallets : [],
  };
  return problems.length === 0 ? ({ kind: "config", config } as const) : ({ kind: "problems", problems } as const);
}
