import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { FRAMEWORK } from "./addresses.ts";
import {
  type CoinInfo,
  coin,
  coinAddress,
  coinBalance,
  coinInfo,
  coinStore,
  deposit,
  depositEvent,
  isCoinInitialized,
  isRegistered,
  register,
  transfer,
  withdrawEvent,
} from "./coin-state.ts";
import { entry, type ModuleDefinition, signer, view } from "./define.ts";
import { address, bool, object, option, string, struct, u8, u64, u128 } from "./schema.ts";
import { count, counted } from "./supply-counter.ts";

const capability = (name: string) =>
  struct<{ readonly dummy_field: boolean }>(
    `0x1::coin::${name}`,
    { abilities: ["copy", "store"], phantom: [[]] },
    { dummy_field: bool },
  );
export const mintCapability = capability("MintCapability");
const burnCapability = capability("BurnCapability");
const freezeCapability = capability("FreezeCapability");

/** Changes the supply of a coin by a signed amount; the caller must change a balance accordingly. */
export function countSupply(session: Session, coinType: string, amount: bigint): void {
  const schema = coinInfo.of(coinType);
  const info = session.get(schema, coinAddress(coinType));
  if (info.supply === null || amount === 0n) return;
  session.put(schema, coinAddress(coinType), { ...info, supply: count(info.supply, amount) });
}

/** Mints coins into the owner's store. */
export function mint(session: Session, coinType: string, owner: Address, amount: bigint): void {
  countSupply(session, coinType, amount);
  deposit(session, coinType, owner, amount);
}

/** Burns from a store without a withdraw event: how fees are paid. Returns false, without effect, when the balance is insufficient. */
export function burnForGas(session: Session, coinType: string, owner: Address, amount: bigint): boolean {
  const schema = coinStore.of(coinType);
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

function infoOf(session: Session, coinType: string): CoinInfo {
  return session.get(coinInfo.of(coinType), coinAddress(coinType));
}

const ofCoin = { generics: [[]] };

export const coinModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "coin",
  friends: ["0x1::aptos_coin", "0x1::genesis", "0x1::transaction_fee"],
  structs: [burnCapability, coin, coinInfo, coinStore, depositEvent, freezeCapability, mintCapability, withdrawEvent],
  functions: [
    view("balance", ofCoin, [address], [u64], ({ session, types: [type] }, owner) => [
      coinBalance(session, type, owner),
    ]),
    view("coin_supply", ofCoin, [], [option(u128)], ({ session, types: [type] }) => [coinSupply(session, type)]),
    view("decimals", ofCoin, [], [u8], ({ session, types: [type] }) => [infoOf(session, type).decimals]),
    view("is_account_registered", ofCoin, [address], [bool], ({ session, types: [type] }, owner) => [
      isRegistered(session, type, owner),
    ]),
    view("is_balance_at_least", ofCoin, [address, u64], [bool], ({ session, types: [type] }, owner, amount) => [
      coinBalance(session, type, owner) >= amount,
    ]),
    view("is_coin_initialized", ofCoin, [], [bool], ({ session, types: [type] }) => [isCoinInitialized(session, type)]),
    view("is_coin_store_frozen", ofCoin, [address], [bool], ({ session, types: [type] }, owner) => [
      isRegistered(session, type, owner) ? session.get(coinStore.of(type), owner).frozen : true,
    ]),
    view("name", ofCoin, [], [string], ({ session, types: [type] }) => [infoOf(session, type).name]),
    // Coins and fungible assets are not paired here, but SDKs call this.
    view("paired_metadata", ofCoin, [], [option(object("0x1::fungible_asset::Metadata"))], () => [null]),
    view("supply", ofCoin, [], [option(u128)], ({ session, types: [type] }) => [coinSupply(session, type)]),
    view("symbol", ofCoin, [], [string], ({ session, types: [type] }) => [infoOf(session, type).symbol]),
    // The public module has no entry of this name (managed_coin has); kept here because wallets call it in coin.
    entry("register", ofCoin, [signer], ({ session, types: [type] }, owner) => register(session, type, owner)),
    entry("transfer", ofCoin, [signer, address, u64], ({ session, types: [type] }, from, to, amount) =>
      transfer(session, type, from, to, amount),
    ),
  ],
};
