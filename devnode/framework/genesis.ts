import type { Session } from "../vm/session.ts";
import { createUnchecked } from "./account.ts";
import { CORE_RESOURCES, FRAMEWORK, fixedAddress, NATIVE_COIN } from "./addresses.ts";
import { mintCapStore } from "./aptos-coin.ts";
import { initializeChain } from "./chain.ts";
import { coinInfo, register } from "./coin-state.ts";
import { initializeStaking } from "./staking-config.ts";
import { newCounter } from "./supply-counter.ts";

const MAX_U128 = 2n ** 128n - 1n;
/** 0x1 to 0xa belong to the framework. */
const RESERVED = Array.from({ length: 10 }, (_, index) => fixedAddress(`0x${(index + 1).toString(16)}`));

/** What every chain of this framework begins with; the order gives 0x1's event streams their public numbers. */
export function initializeFramework(session: Session, chainId: number, epochIntervalMicros: bigint): void {
  // No key opens a reserved account: its authentication key is the hash of nothing.
  for (const address of RESERVED) createUnchecked(session, address, new Uint8Array(32));
  initializeStaking(session);
  initializeNativeCoin(session);
  initializeChain(session, chainId, epochIntervalMicros);
}

function initializeNativeCoin(session: Session): void {
  session.put(coinInfo.of(NATIVE_COIN), FRAMEWORK, {
    name: "Native Coin",
    symbol: "NATIVE",
    decimals: 8,
    supply: newCounter(MAX_U128),
  });
}

/** The account that may mint on a development chain, with the faucet's key. */
export function initializeFaucet(session: Session, authenticationKey: Uint8Array): void {
  createUnchecked(session, CORE_RESOURCES, authenticationKey);
  register(session, NATIVE_COIN, CORE_RESOURCES);
  session.put(mintCapStore, CORE_RESOURCES, { mint_cap: { dummy_field: false } });
}
