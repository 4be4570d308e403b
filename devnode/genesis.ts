import type { Address } from "../src/chain/address.ts";
import { DEVELOPMENT_ACCOUNTS, FAUCET, ISSUER, TREASURY } from "./development-keys.ts";
import { createUnchecked } from "./framework/account.ts";
import { CORE_RESOURCES, DEVELOPMENT, NATIVE_COIN } from "./framework/addresses.ts";
import { moduleFile } from "./framework/bytecode.ts";
import { packageNameOf, registerPackage } from "./framework/code.ts";
import { mint } from "./framework/coin.ts";
import { register } from "./framework/coin-state.ts";
import { initializeDemoCoin } from "./framework/demo-coin.ts";
import { initializeFaucet, initializeFramework } from "./framework/genesis.ts";
import { MODULES } from "./framework/registry.ts";
import { initializeStableToken, mintStable, stableTokenAddress } from "./framework/stable-token.ts";
import type { Effects } from "./vm/effects.ts";
import { Session } from "./vm/session.ts";
import { moduleKey } from "./vm/state-keys.ts";

export interface GenesisOptions {
  readonly chainId: number;
  /** An epoch ends with the first block this long after it began. */
  readonly epochSeconds: number;
}

/** Base units in one native token. */
export const NATIVE_TOKEN = 100_000_000n;
/** What exists of the native coin when the chain begins, base units. */
export const GENESIS_SUPPLY = 1_000_000_000n * NATIVE_TOKEN;
const ALLOWANCE = 1_000_000n * NATIVE_TOKEN;

/** The stable token's metadata object: a fungible asset with six decimals. */
export const STABLE_TOKEN: Address = stableTokenAddress(ISSUER.address);
/** What exists of the stable token when the chain begins, base units. */
const GENESIS_STABLE_SUPPLY = 25_000_000n * 1_000_000n;

/** Version 0: modules, the faucet, the funded development accounts, the stable token. Starts from nothing. */
export function executeGenesis({ chainId, epochSeconds }: GenesisOptions): Effects {
  const session = new Session({ get: () => undefined }, null);
  initializeFramework(session, chainId, BigInt(epochSeconds) * 1_000_000n);
  createUnchecked(session, DEVELOPMENT, new Uint8Array(32));
  publishModules(session);
  initializeFaucet(session, FAUCET.authenticationKey);
  for (const { address, authenticationKey } of DEVELOPMENT_ACCOUNTS) {
    createUnchecked(session, address, authenticationKey);
    register(session, NATIVE_COIN, address);
  }
  fund(session);
  initializeDemoCoin(session, ISSUER.address);
  initializeStableToken(session, ISSUER.address);
  mintStable(session, ISSUER.address, ISSUER.address, GENESIS_STABLE_SUPPLY);
  return { status: { kind: "executed" }, gasUsed: 0n, changes: session.changes(), events: session.events() };
}

/** An allowance for everyone; the treasury holds the rest. */
function fund(session: Session): void {
  const holders = [CORE_RESOURCES, ...DEVELOPMENT_ACCOUNTS.map(({ address }) => address)].filter(
    (address) => address !== TREASURY.address,
  );
  for (const address of holders) mint(session, NATIVE_COIN, address, ALLOWANCE);
  mint(session, NATIVE_COIN, TREASURY.address, GENESIS_SUPPLY - ALLOWANCE * BigInt(holders.length));
}

function publishModules(session: Session): void {
  for (const module of MODULES) session.putRaw(moduleKey(module.address, module.name), moduleFile(module));
  for (const owner of new Set(MODULES.map(({ address }) => address))) {
    const names = MODULES.filter(({ address }) => address === owner).map(({ name }) => name);
    registerPackage(session, owner, packageNameOf(owner), names);
  }
}
