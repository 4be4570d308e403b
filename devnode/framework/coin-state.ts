import type { Address } from "../../src/chain/address.ts";
import { parseStructTag } from "../../src/chain/type-tag.ts";
import { executionFailure } from "../vm/execution-error.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { emitCoinRegister, newStreams } from "./account.ts";
import { NATIVE_ASSET, NATIVE_COIN } from "./addresses.ts";
import { emitOn, handlesOf } from "./event.ts";
import * as assets from "./fungible-asset-state.ts";
import { derivedObjectAddress } from "./object-state.ts";
import { bool, option, string, structsOf, u8, u64 } from "./schema.ts";
import { optionalAggregator } from "./supply-counter.ts";
import { typeInfo } from "./type-info.ts";

const declare = structsOf("0x1::coin");
export const coin = declare("Coin", ["store"], { value: u64 }, { phantom: [[]] });
export const depositEvent = declare("DepositEvent", ["drop", "store"], { amount: u64 });
export const withdrawEvent = declare("WithdrawEvent", ["drop", "store"], { amount: u64 });
const streams = { deposit_events: depositEvent, withdraw_events: withdrawEvent };
export const coinStore = declare(
  "CoinStore",
  ["key"],
  { coin: coin.of("T0"), frozen: bool, ...handlesOf(streams) },
  { phantom: [[]] },
);
export const coinInfo = declare(
  "CoinInfo",
  ["key"],
  { name: string, symbol: string, decimals: u8, supply: option(optionalAggregator) },
  { phantom: [[]] },
);

/** At the metadata of a fungible asset: the coin that it is paired with. */
export const pairedCoinType = declare("PairedCoinType", ["key"], { type: typeInfo });

export const coinAbort = aborts("0x1::coin", {
  ECOIN_INFO_NOT_PUBLISHED: [3, "`CoinType` hasn't been initialized as a coin"],
  ECOIN_STORE_NOT_PUBLISHED: [5, "Account hasn't registered `CoinStore` for `CoinType`"],
  EINSUFFICIENT_BALANCE: [6, "Not enough coins to complete transaction"],
  EFROZEN: [10, "CoinStore is frozen. Coins cannot be deposited or withdrawn"],
  ECOIN_TO_FUNGIBLE_ASSET_FEATURE_NOT_ENABLED: [
    18,
    "The feature of migration from coin to fungible asset is not enabled.",
  ],
});

/** The account that declares the coin's type, where its CoinInfo is. */
export function coinAddress(coinType: string): Address {
  const tag = parseStructTag(coinType);
  // The public type_info module aborts with a bare 1 for types that are no struct.
  if (tag === undefined)
    throw aborts("0x1::type_info", { ETYPE_NOT_STRUCT: [1, "the type is no struct"] })("bare", "ETYPE_NOT_STRUCT");
  return tag.address;
}

export function isCoinInitialized(session: Session, coinType: string): boolean {
  return session.has(coinInfo.of(coinType), coinAddress(coinType));
}

export function isRegistered(session: Session, coinType: string, owner: Address): boolean {
  if (!isCoinInitialized(session, coinType)) throw coinAbort("invalid_argument", "ECOIN_INFO_NOT_PUBLISHED");
  return session.has(coinStore.of(coinType), owner) || pairedStore(session, coinType, owner) !== undefined;
}

/** The fungible asset that a coin is paired with: only the native coin is (AIP-63). */
export function pairedAsset(coinType: string): Address | null {
  return coinType === NATIVE_COIN ? NATIVE_ASSET : null;
}

/** The owner's primary store of the paired asset; undefined when there is none. */
function pairedStore(session: Session, coinType: string, owner: Address): Address | undefined {
  const asset = pairedAsset(coinType);
  if (asset === null) return undefined;
  const at = derivedObjectAddress(owner, asset);
  return session.has(assets.fungibleStore, at) ? at : undefined;
}

/** Opens a store for the coin unless there is one. */
export function register(session: Session, coinType: string, owner: Address): void {
  if (isRegistered(session, coinType, owner)) return;
  emitCoinRegister(session, owner, coinType);
  session.put(coinStore.of(coinType), owner, {
    coin: { value: 0n },
    frozen: false,
    ...newStreams(session, owner, streams),
  });
}

/** Base units in the owner's CoinStore alone; 0 without one. */
export function storedCoins(session: Session, coinType: string, owner: Address): bigint {
  return session.find(coinStore.of(coinType), owner)?.coin.value ?? 0n;
}

/** Balance of the owner in base units: coins, and those that are in a primary store of the paired asset. */
export function coinBalance(session: Session, coinType: string, owner: Address): bigint {
  const paired = pairedStore(session, coinType, owner);
  return storedCoins(session, coinType, owner) + (paired === undefined ? 0n : assets.balanceIn(session, paired));
}

/** Takes `amount` from the owner, coins first. The caller deposits or burns it: coins are never dropped. */
export function withdraw(session: Session, coinType: string, owner: Address, amount: bigint): void {
  const schema = coinStore.of(coinType);
  const store = session.find(schema, owner);
  const coins = min(store?.coin.value ?? 0n, amount);
  const paired = coins < amount ? pairedStore(session, coinType, owner) : undefined;
  if (coins < amount && paired === undefined) throw coinAbort("invalid_argument", "EINSUFFICIENT_BALANCE");
  if (coins > 0n && store !== undefined) {
    if (store.frozen) throw coinAbort("permission_denied", "EFROZEN");
    const left = { ...store, coin: { value: store.coin.value - coins } };
    session.put(schema, owner, emitOn(session, streams, left, "withdraw_events", { amount: coins }));
  }
  if (paired !== undefined) assets.withdraw(session, owner, paired, amount - coins);
}

/** Takes `amount` as {@link withdraw} does, without events and from frozen stores; false when it is not there. */
export function takeSilently(session: Session, coinType: string, owner: Address, amount: bigint): boolean {
  if (amount === 0n) return true;
  if (coinBalance(session, coinType, owner) < amount) return false;
  const store = session.find(coinStore.of(coinType), owner);
  const coins = min(store?.coin.value ?? 0n, amount);
  if (store !== undefined)
    session.put(coinStore.of(coinType), owner, { ...store, coin: { value: store.coin.value - coins } });
  const paired = coins < amount ? pairedStore(session, coinType, owner) : undefined;
  if (paired !== undefined) {
    const found = assets.storeAt(session, paired);
    session.put(assets.fungibleStore, paired, { ...found, balance: found.balance - (amount - coins) });
  }
  return true;
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

/** Without a CoinStore, into the owner's primary store of the paired asset. */
export function deposit(session: Session, coinType: string, owner: Address, amount: bigint): void {
  const schema = coinStore.of(coinType);
  const store = session.find(schema, owner);
  if (store === undefined) {
    const paired = pairedStore(session, coinType, owner);
    if (paired === undefined) throw coinAbort("not_found", "ECOIN_STORE_NOT_PUBLISHED");
    assets.deposit(session, NATIVE_ASSET, paired, amount);
    return;
  }
  if (store.frozen) throw coinAbort("permission_denied", "EFROZEN");
  const value = store.coin.value + amount;
  if (value >= 2n ** 64n)
    throw executionFailure("ARITHMETIC_ERROR", "0x1::coin::merge", 9, "the balance does not fit in a u64");
  const sum = { ...store, coin: { value } };
  session.put(schema, owner, emitOn(session, streams, sum, "deposit_events", { amount }));
}

export function transfer(session: Session, coinType: string, from: Address, to: Address, amount: bigint): void {
  withdraw(session, coinType, from, amount);
  deposit(session, coinType, to, amount);
}
