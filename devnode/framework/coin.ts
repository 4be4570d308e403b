import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import * as state from "./coin-state.ts";
import { defineModule, entry, signer, typeName, view } from "./define.ts";
import * as assets from "./fungible-asset-state.ts";
import { ensureStore } from "./primary-fungible-store.ts";
import { address, bool, object, option, string, struct, u8, u64, u128, type ValueOf } from "./schema.ts";
import { count, counted } from "./supply-counter.ts";
import { typeInfo } from "./type-info.ts";

const capability = (name: string) =>
  struct(`0x1::coin::${name}`, ["copy", "store"], { dummy_field: bool }, { phantom: [[]] });
export const mintCapability = capability("MintCapability");
const burnCapability = capability("BurnCapability");
const freezeCapability = capability("FreezeCapability");

/** Changes the supply of a coin by a signed amount; the caller must change a balance accordingly. */
export function countSupply(session: Session, coinType: string, amount: bigint): void {
  const schema = state.coinInfo.of(coinType);
  const info = session.get(schema, state.coinAddress(coinType));
  if (info.supply === null || amount === 0n) return;
  session.put(schema, state.coinAddress(coinType), { ...info, supply: count(info.supply, amount) });
}

/** Moves the owner's coins into the primary store of the paired asset; they have no CoinStore from then on. */
function migrate(session: Session, coinType: string, owner: Address): void {
  const asset = state.pairedAsset(coinType);
  if (asset === null) throw state.coinAbort("unavailable", "ECOIN_TO_FUNGIBLE_ASSET_FEATURE_NOT_ENABLED");
  const amount = state.storedCoins(session, coinType, owner);
  const primary = ensureStore(session, owner, asset);
  session.remove(state.coinStore.of(coinType), owner);
  assets.deposit(session, asset, primary, amount);
}

/** Mints coins into the owner's store. */
export function mint(session: Session, coinType: string, owner: Address, amount: bigint): void {
  countSupply(session, coinType, amount);
  state.deposit(session, coinType, owner, amount);
}

/**
 * Burns from a store without a withdraw event: how fees are paid. Returns false, without effect, when the balance is
 * insufficient.
 */
export function burnForGas(session: Session, coinType: string, owner: Address, amount: bigint): boolean {
  if (!state.takeSilently(session, coinType, owner, amount)) return false;
  countSupply(session, coinType, -amount);
  return true;
}

/** Supply of the coin, in both forms of a paired one; null when it is not tracked. */
export function coinSupply(session: Session, coinType: string): bigint | null {
  const { supply } = infoOf(session, coinType);
  return supply === null ? null : counted(supply);
}

/** The supply's limit; null when it is not tracked. */
export function coinLimit(session: Session, coinType: string): bigint | null {
  return infoOf(session, coinType).supply?.integer?.limit ?? null;
}

function infoOf(session: Session, coinType: string): ValueOf<typeof state.coinInfo> {
  return session.get(state.coinInfo.of(coinType), state.coinAddress(coinType));
}

function isFrozen(session: Session, coinType: string, owner: Address): boolean {
  if (!state.isRegistered(session, coinType, owner)) return true;
  return session.find(state.coinStore.of(coinType), owner)?.frozen ?? false;
}

export const managedCoinModule = defineModule("0x1::managed_coin", {
  functions: [entry("register", [typeName, signer], state.register)],
});

export const coinModule = defineModule("0x1::coin", {
  friends: ["aptos_coin", "genesis", "transaction_fee"],
  structs: [
    burnCapability,
    state.coin,
    state.coinInfo,
    state.coinStore,
    state.depositEvent,
    freezeCapability,
    mintCapability,
    state.pairedCoinType,
    state.withdrawEvent,
  ],
  functions: [
    view("balance", [typeName, address], u64, state.coinBalance),
    view("coin_supply", [typeName], option(u128), coinSupply),
    view("decimals", [typeName], u8, (session, type) => infoOf(session, type).decimals),
    view("is_account_registered", [typeName, address], bool, state.isRegistered),
    view(
      "is_balance_at_least",
      [typeName, address, u64],
      bool,
      (session, type, owner, amount) => state.coinBalance(session, type, owner) >= amount,
    ),
    view("is_coin_initialized", [typeName], bool, state.isCoinInitialized),
    view("is_coin_store_frozen", [typeName, address], bool, isFrozen),
    view("name", [typeName], string, (session, type) => infoOf(session, type).name),
    view(
      "paired_coin",
      [object(assets.metadata.type)],
      option(typeInfo),
      (session, asset) => session.find(state.pairedCoinType, asset)?.type ?? null,
    ),
    view("paired_metadata", [typeName], option(object(assets.metadata.type)), (_, type) => state.pairedAsset(type)),
    view("supply", [typeName], option(u128), coinSupply),
    view("symbol", [typeName], string, (session, type) => infoOf(session, type).symbol),
    entry("migrate_to_fungible_store", [typeName, signer], migrate),
    // The public module has no entry of this name (managed_coin has); kept here because wallets call it in coin.
    entry("register", [typeName, signer], state.register),
    entry("transfer", [typeName, signer, address, u64], state.transfer),
  ],
});
