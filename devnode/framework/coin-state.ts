import type { Address } from "../../src/chain/address.ts";
import { parseStructTag } from "../../src/chain/type-tag.ts";
import { executionFailure } from "../vm/execution-error.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { emitCoinRegister, newStreams } from "./account.ts";
import { emitOn, handlesOf } from "./event.ts";
import { bool, option, string, structsOf, u8, u64 } from "./schema.ts";
import { optionalAggregator } from "./supply-counter.ts";

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

const coinAbort = aborts("0x1::coin", {
  ECOIN_INFO_NOT_PUBLISHED: [3, "`CoinType` hasn't been initialized as a coin"],
  ECOIN_STORE_NOT_PUBLISHED: [5, "Account hasn't registered `CoinStore` for `CoinType`"],
  EINSUFFICIENT_BALANCE: [6, "Not enough coins to complete transaction"],
  EFROZEN: [10, "CoinStore is frozen. Coins cannot be deposited or withdrawn"],
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
  return session.has(coinStore.of(coinType), owner);
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

/** Balance of the owner's store in base units; 0 without one. */
export function coinBalance(session: Session, coinType: string, owner: Address): bigint {
  return session.find(coinStore.of(coinType), owner)?.coin.value ?? 0n;
}

/** Takes `amount` out of the owner's store. The caller deposits or burns it: coins are never dropped. */
export function withdraw(session: Session, coinType: string, owner: Address, amount: bigint): void {
  const schema = coinStore.of(coinType);
  const store = session.find(schema, owner);
  if ((store?.coin.value ?? 0n) < amount) throw coinAbort("invalid_argument", "EINSUFFICIENT_BALANCE");
  if (amount === 0n || store === undefined) return;
  if (store.frozen) throw coinAbort("permission_denied", "EFROZEN");
  const left = { ...store, coin: { value: store.coin.value - amount } };
  session.put(schema, owner, emitOn(session, streams, left, "withdraw_events", { amount }));
}

export function deposit(session: Session, coinType: string, owner: Address, amount: bigint): void {
  const schema = coinStore.of(coinType);
  const store = session.get(schema, owner, () => coinAbort("not_found", "ECOIN_STORE_NOT_PUBLISHED"));
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
