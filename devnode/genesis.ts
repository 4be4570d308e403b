import { DEVELOPMENT_ACCOUNTS, FAUCET, TREASURY } from "./development-keys.ts";
import { createUnchecked } from "./framework/account.ts";
import { CORE_RESOURCES, NATIVE_COIN } from "./framework/addresses.ts";
import { mint } from "./framework/coin.ts";
import { register } from "./framework/coin-state.ts";
import { initializeFaucet, initializeFramework } from "./framework/genesis.ts";
import type { Effects } from "./vm/effects.ts";
import { Session } from "./vm/session.ts";

export interface GenesisOptions {
  readonly chainId: number;
  /** An epoch ends with the first block this long after it began. */
  readonly epochSeconds: number;
}

/** Base units in one native token. */
export const NATIVE_TOKEN = 100_000_000n;
/** What exists when the chain begins, base units. */
export const GENESIS_SUPPLY = 1_000_000_000n * NATIVE_TOKEN;
const ALLOWANCE = 1_000_000n * NATIVE_TOKEN;

/** Version 0: the framework, the faucet, the funded development accounts. Starts from nothing. */
export function executeGenesis({ chainId, epochSeconds }: GenesisOptions): Effects {
  const session = new Session({ get: () => undefined }, null);
  initializeFramework(session, chainId, BigInt(epochSeconds) * 1_000_000n);
  initializeFaucet(session, FAUCET.authenticationKey);
  for (const { address, authenticationKey } of DEVELOPMENT_ACCOUNTS) {
    createUnchecked(session, address, authenticationKey);
    register(session, NATIVE_COIN, address);
  }
  fund(session);
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
