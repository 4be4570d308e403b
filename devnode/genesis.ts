import type { Address } from "../src/chain/address.ts";
import { DEVELOPMENT_ACCOUNTS, FAUCET, ISSUER, TREASURY, WALLET_OWNERS } from "./development-keys.ts";
import { createUnchecked } from "./framework/account.ts";
import { CORE_RESOURCES, DEVELOPMENT, NATIVE_COIN } from "./framework/addresses.ts";
import { moduleFile } from "./framework/bytecode.ts";
import { mint } from "./framework/coin.ts";
import { register } from "./framework/coin-state.ts";
import { initializeDemoCoin } from "./framework/demo-coin.ts";
import { initializeFaucet, initializeFramework } from "./framework/genesis.ts";
import { MODULES } from "./framework/registry.ts";
import { initializeStableToken, mintStable, stableTokenAddress } from "./framework/stable-token.ts";
import { type GenesisWallet, openAccount, openWallet } from "./genesis-wallets.ts";
import type { Effects } from "./vm/effects.ts";
import { Session } from "./vm/session.ts";
import { moduleKey } from "./vm/state-keys.ts";

export interface GenesisOptions {
  readonly chainId: number;
  /** An epoch ends with the first block this long after it began. */
  readonly epochSeconds: number;
  /** Supply of the native coin at genesis, and its maximum, in base units. */
  readonly genesisSupply?: bigint;
  /** Symbol of the native coin. */
  readonly genesisSymbol?: string;
  /** Wallets that hold a published schedule's locked tokens. */
  readonly genesisWallets?: readonly GenesisWallet[];
}

/** Base units in one native token. */
export const NATIVE_TOKEN = 100_000_000n;
/** Default of {@link GenesisOptions.genesisSymbol}. */
export const GENESIS_SYMBOL = "NATIVE";
/** Default of {@link GenesisOptions.genesisSupply}. */
export const GENESIS_SUPPLY = 1_000_000_000n * NATIVE_TOKEN;
const MAX_ALLOWANCE = 1_000_000n * NATIVE_TOKEN;
/** The largest share of the unlocked supply that one development account is given. */
const ALLOWANCE_DIVISOR = 100n;

/** The stable token's metadata object: a fungible asset with six decimals. */
export const STABLE_TOKEN: Address = stableTokenAddress(ISSUER.address);
/** Supply of the stable token at genesis, in base units. */
const GENESIS_STABLE_SUPPLY = 25_000_000n * 1_000_000n;

/** Version 0: modules, the faucet, the funded development accounts, the stable token. The state is empty before it. */
export function executeGenesis(options: GenesisOptions): Effects {
  const { chainId, epochSeconds, genesisSupply: maxSupply = GENESIS_SUPPLY, genesisWallets = [] } = options;
  const { genesisSymbol: symbol = GENESIS_SYMBOL } = options;
  const session = new Session({ get: () => undefined }, null);
  initializeFramework(session, { chainId, epochIntervalMicros: BigInt(epochSeconds) * 1_000_000n, maxSupply, symbol });
  createUnchecked(session, DEVELOPMENT, new Uint8Array(32));
  publishModules(session);
  initializeFaucet(session, FAUCET.authenticationKey);
  for (const { address, authenticationKey } of DEVELOPMENT_ACCOUNTS) {
    createUnchecked(session, address, authenticationKey);
    register(session, NATIVE_COIN, address);
  }
  for (const { address } of WALLET_OWNERS) openAccount(session, address);
  for (const wallet of genesisWallets) openWallet(session, wallet);
  fund(
    session,
    genesisWallets.reduce((left, { amount }) => left - amount, maxSupply),
  );
  initializeDemoCoin(session, ISSUER.address);
  initializeStableToken(session, ISSUER.address);
  mintStable(session, ISSUER.address, ISSUER.address, GENESIS_STABLE_SUPPLY);
  return { status: { kind: "executed" }, gasUsed: 0n, changes: session.changes(), events: session.events() };
}

/** Distributes the unlocked supply: an allowance for each account, and half of the rest each to faucet and treasury. */
function fund(session: Session, unlocked: bigint): void {
  const share = unlocked / ALLOWANCE_DIVISOR;
  const allowance = share < MAX_ALLOWANCE ? share : MAX_ALLOWANCE;
  const holders = DEVELOPMENT_ACCOUNTS.filter(({ name }) => name !== TREASURY.name);
  for (const { address } of holders) mint(session, NATIVE_COIN, address, allowance);
  const rest = unlocked - allowance * BigInt(holders.length);
  mint(session, NATIVE_COIN, CORE_RESOURCES, rest / 2n);
  mint(session, NATIVE_COIN, TREASURY.address, rest - rest / 2n);
}

function publishModules(session: Session): void {
  for (const module of MODULES) session.putRaw(moduleKey(module.address, module.name), moduleFile(module));
}
