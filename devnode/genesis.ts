import type { Address } from "../src/chain/address.ts";
import { DEVELOPMENT_ACCOUNTS, FAUCET, ISSUER, TREASURY, WALLET_OWNERS } from "./development-keys.ts";
import { economyOf } from "./economy.ts";
import { createUnchecked } from "./framework/account.ts";
import { CORE_RESOURCES, DEVELOPMENT, NATIVE_COIN } from "./framework/addresses.ts";
import { moduleFile } from "./framework/bytecode.ts";
import { countSupply, mint } from "./framework/coin.ts";
import { register } from "./framework/coin-state.ts";
import { initializeDemoCoin } from "./framework/demo-coin.ts";
import { initializeFaucet, initializeFramework } from "./framework/genesis.ts";
import { MODULES } from "./framework/registry.ts";
import { initializeStableToken, mintStable, stableTokenAddress } from "./framework/stable-token.ts";
import { type GenesisWallet, mintedFor, openAccount, openWallet } from "./genesis-wallets.ts";
import type { Effects } from "./vm/effects.ts";
import { Session } from "./vm/session.ts";
import { moduleKey } from "./vm/state-keys.ts";

export interface GenesisOptions {
  readonly chainId: number;
  /** An epoch ends with the first block this long after it began. */
  readonly epochSeconds: number;
  /** Supply of the native coin at genesis, and its maximum, in base units: what no balance can hold is only counted. */
  readonly genesisSupply?: bigint;
  /** Symbol, name and decimals of the native coin. */
  readonly genesisSymbol?: string;
  readonly genesisName?: string;
  readonly genesisDecimals?: number;
  /** Wallets that hold a published schedule's locked tokens. */
  readonly genesisWallets?: readonly GenesisWallet[];
}

/** Base units in one native token. */
export const NATIVE_TOKEN = 100_000_000n;
/** Defaults of {@link GenesisOptions}. */
export const GENESIS_SYMBOL = "NATIVE";
export const GENESIS_NAME = "Native Coin";
export const GENESIS_DECIMALS = 8;
/** Default of {@link GenesisOptions.genesisSupply}. */
export const GENESIS_SUPPLY = 1_000_000_000n * NATIVE_TOKEN;
const MAX_ALLOWANCE_UNITS = 1_000_000n;
/** Half of what a balance can hold, which is a u64: the faucet's and the treasury's can still receive. */
const MAX_BALANCE = 2n ** 63n;
/** The largest share of the unlocked supply that one development account is given. */
const ALLOWANCE_DIVISOR = 100n;

/** The stable token's metadata object: a fungible asset with six decimals. */
export const STABLE_TOKEN: Address = stableTokenAddress(ISSUER.address);
/** Supply of the stable token at genesis, in base units. */
const GENESIS_STABLE_SUPPLY = 25_000_000n * 1_000_000n;

/** Version 0: modules, the faucet, the funded development accounts, the stable token. The state is empty before it. */
export function executeGenesis(options: GenesisOptions): Effects {
  const { chainId, epochSeconds, genesisSupply: maxSupply = GENESIS_SUPPLY, genesisWallets = [] } = options;
  const { genesisSymbol: symbol = GENESIS_SYMBOL, genesisName: name = GENESIS_NAME } = options;
  const token = { name, symbol, decimals: options.genesisDecimals ?? GENESIS_DECIMALS };
  const session = new Session({ get: () => undefined }, null);
  initializeFramework(session, { chainId, epochIntervalMicros: BigInt(epochSeconds) * 1_000_000n, maxSupply, token });
  createUnchecked(session, DEVELOPMENT, new Uint8Array(32));
  publishModules(session);
  initializeFaucet(session, FAUCET.authenticationKey);
  for (const { address, authenticationKey } of DEVELOPMENT_ACCOUNTS) {
    createUnchecked(session, address, authenticationKey);
    register(session, NATIVE_COIN, address);
  }
  for (const { address } of WALLET_OWNERS) openAccount(session, address);
  // A vesting contract is a new account, which other wallets may share.
  const isContract = ({ holds }: GenesisWallet): boolean => holds === "vesting";
  for (const wallet of genesisWallets.filter(isContract)) openWallet(session, wallet);
  for (const wallet of genesisWallets.filter((other) => !isContract(other))) openWallet(session, wallet);
  fund(
    session,
    genesisWallets.reduce((left, wallet) => left - mintedFor(wallet), maxSupply),
    MAX_ALLOWANCE_UNITS * economyOf(maxSupply).unit,
  );
  initializeDemoCoin(session, ISSUER.address);
  initializeStableToken(session, ISSUER.address);
  mintStable(session, ISSUER.address, ISSUER.address, GENESIS_STABLE_SUPPLY);
  return { status: { kind: "executed" }, gasUsed: 0n, changes: session.changes(), events: session.events() };
}

/** Distributes the unlocked supply: an allowance for each account, and half of the rest each to faucet and treasury. */
function fund(session: Session, unlocked: bigint, maxAllowance: bigint): void {
  const allowance = smaller(unlocked / ALLOWANCE_DIVISOR, maxAllowance);
  const holders = DEVELOPMENT_ACCOUNTS.filter(({ name }) => name !== TREASURY.name);
  for (const { address } of holders) mint(session, NATIVE_COIN, address, allowance);
  const rest = unlocked - allowance * BigInt(holders.length);
  const [reserve, treasury] = [smaller(rest / 2n, MAX_BALANCE), smaller(rest - rest / 2n, MAX_BALANCE)];
  mint(session, NATIVE_COIN, CORE_RESOURCES, reserve);
  mint(session, NATIVE_COIN, TREASURY.address, treasury);
  countSupply(session, NATIVE_COIN, rest - reserve - treasury);
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function publishModules(session: Session): void {
  for (const module of MODULES) session.putRaw(moduleKey(module.address, module.name), moduleFile(module));
}
