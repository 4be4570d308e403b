import type { Session } from "../vm/session.ts";
import { createUnchecked } from "./account.ts";
import { CORE_RESOURCES, FRAMEWORK, fixedAddress, NATIVE_ASSET, NATIVE_COIN } from "./addresses.ts";
import { mintCapStore } from "./aptos-coin.ts";
import { initializeChain } from "./chain.ts";
import { coinInfo, pairedCoinType, register } from "./coin-state.ts";
import { initializeKeyRotation } from "./key-rotation.ts";
import { createObject } from "./object-state.ts";
import { createAsset } from "./primary-fungible-store.ts";
import { initializeValidators } from "./stake-state.ts";
import { initializeStaking } from "./staking-config.ts";
import { newCounter } from "./supply-counter.ts";
import { typeInfoOf } from "./type-info.ts";

/** 0x1 to 0xa belong to the framework. */
const RESERVED = Array.from({ length: 10 }, (_, index) => fixedAddress(`0x${(index + 1).toString(16)}`));

export interface ChainOptions {
  readonly chainId: number;
  readonly epochIntervalMicros: bigint;
  /** Maximum supply of the native coin in base units; not even the minting account can exceed it. */
  readonly maxSupply: bigint;
  /** The native coin. */
  readonly token: { readonly name: string; readonly symbol: string; readonly decimals: number };
}

/**
 * Writes the state with which every chain of this framework begins. The order gives 0x1's event streams their public
 * numbers.
 */
export function initializeFramework(
  session: Session,
  { chainId, epochIntervalMicros, maxSupply, token }: ChainOptions,
): void {
  // A reserved account has no key: its authentication key is its address, which is no key's hash.
  for (const address of RESERVED) createUnchecked(session, address);
  initializeKeyRotation(session);
  initializeStaking(session);
  initializeValidators(session);
  initializeNativeCoin(session, maxSupply, token);
  initializeChain(session, chainId, epochIntervalMicros);
}

function initializeNativeCoin(session: Session, maxSupply: bigint, token: ChainOptions["token"]): void {
  session.put(coinInfo.of(NATIVE_COIN), FRAMEWORK, { ...token, supply: newCounter(maxSupply) });
  createObject(session, NATIVE_ASSET, FRAMEWORK, true);
  createAsset(session, NATIVE_ASSET, { ...token, icon_uri: "", project_uri: "" });
  session.put(pairedCoinType, NATIVE_ASSET, { type: typeInfoOf(NATIVE_COIN) });
}

/** The account that may mint on a development chain, with the faucet's key. */
export function initializeFaucet(session: Session, authenticationKey: Uint8Array): void {
  createUnchecked(session, CORE_RESOURCES, authenticationKey);
  register(session, NATIVE_COIN, CORE_RESOURCES);
  session.put(mintCapStore, CORE_RESOURCES, { mint_cap: { dummy_field: false } });
}
