import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import * as state from "./coin-state.ts";
import { defineModule, entry, signer, typeName, view } from "./define.ts";
import { address, bool, object, option, string, struct, u8, u64, u128, type ValueOf } from "./schema.ts";
import { count, counted } from "./supply-counter.ts";

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
  const schema = state.coinStore.of(coinType);
  const store = session.find(schema, owner);
  if (amount === 0n) return true;
  if (store === undefined || store.coin.value < amount) return false;
  session.put(schema, owner, { ...store, coin: { value: store.coin.value - amount } });
  countSupply(session, coinType, -amount);
  return true;
}

/** Supply of the coin; null when it is not tracked. */
export function coinSupply(session: Session, coinType: string): bigint | null {
  const { supply } = infoOf(session, coinType);
  return supply === null ? null : counted(supply);
}

function infoOf(session: Session, coinType: string): ValueOf<typeof state.coinInfo> {
  return session.get(state.coinInfo.of(coinType), state.coinAddress(coinType));
}

function isFrozen(session: Session, coinType: string, owner: Address): boolean {
  return state.isRegistered(session, coinType, owner) ? session.get(state.coinStore.of(coinType), owner).frozen : true;
}

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
    // Coins and fungible assets are not paired here, but SDKs call this.
    view("paired_metadata", [typeName], option(object("0x1::fungible_asset::Metadata")), () => null),
    view("supply", [typeName], option(u128), coinSupply),
    view("symbol", [typeName], string, (session, type) => infoOf(session, type).symbol),
    // The public module has no entry of this name (managed_coin has); kept here because wallets call it in coin.
    entry("register", [typeName, signer], state.register),
    entry("transfer", [typeName, signer, address, u64], state.transfer),
  ],
});
