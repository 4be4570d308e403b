import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { NATIVE_ASSET, NATIVE_COIN } from "./addresses.ts";
import * as coins from "./coin-state.ts";
import { anyObject, defineModule, entry, signer, view } from "./define.ts";
import * as assets from "./fungible-asset-state.ts";
import { assertObject, createObject, derivedObjectAddress, deriveRef, objectCore } from "./object-state.ts";
import { address, bool, object, struct, u64 } from "./schema.ts";

/** Marks an asset whose owners each have a store at a derived address. */
const deriveRefPod = struct("0x1::primary_fungible_store::DeriveRefPod", ["key"], { metadata_derive_ref: deriveRef });

/** Publishes an asset with primary stores. The object must exist. */
export function createAsset(session: Session, asset: Address, metadata: assets.Metadata): void {
  session.put(assets.metadata, asset, metadata);
  session.put(deriveRefPod, asset, { metadata_derive_ref: { self: asset } });
}

/** Address of the owner's store of the asset; creates it if necessary. */
export function ensureStore(session: Session, owner: Address, asset: Address): Address {
  const at = derivedObjectAddress(owner, asset);
  if (session.has(assets.fungibleStore, at)) return at;
  assertObject(session, asset, assets.metadata.type);
  session.get(deriveRefPod, asset);
  createObject(session, at, owner, false);
  session.put(assets.fungibleStore, at, { metadata: asset, balance: 0n, frozen: false });
  return at;
}

export function transfer(session: Session, asset: Address, from: Address, to: Address, amount: bigint): void {
  const source = ensureStore(session, from, asset);
  const target = ensureStore(session, to, asset);
  transferBetween(session, from, source, target, amount);
}

/** Transfers between stores, the first of which is the sender's. */
export function transferBetween(session: Session, sender: Address, from: Address, to: Address, amount: bigint): void {
  convertMissing(session, sender, from, amount);
  assets.deposit(session, assets.withdraw(session, sender, from, amount), to, amount);
}

/** Converts the owner's coins to cover what the owner's primary store of the native asset lacks of `amount`. */
function convertMissing(session: Session, owner: Address, store: Address, amount: bigint): void {
  if (store !== derivedObjectAddress(owner, NATIVE_ASSET)) return;
  const missing = amount - assets.balanceIn(session, store);
  if (missing <= 0n || coins.storedCoins(session, NATIVE_COIN, owner) < missing) return;
  coins.withdraw(session, NATIVE_COIN, owner, missing);
  assets.deposit(session, NATIVE_ASSET, store, missing);
}

/** Base units that the owner has of the asset, of the native one in both its forms; 0 without a store. */
export function balanceOf(session: Session, owner: Address, asset: Address): bigint {
  if (asset === NATIVE_ASSET) return coins.coinBalance(session, NATIVE_COIN, owner);
  return assets.balanceIn(session, derivedObjectAddress(owner, asset));
}

/** Base units that can be taken out of a store; 0 when there is none. */
export function balanceIn(session: Session, store: Address): bigint {
  const owner = session.find(objectCore, store)?.owner;
  const isNative = owner !== undefined && store === derivedObjectAddress(owner, NATIVE_ASSET);
  return isNative ? balanceOf(session, owner, NATIVE_ASSET) : assets.balanceIn(session, store);
}

/** The store's address as an object; aborts when it does not exist. */
function storeOf(session: Session, owner: Address, asset: Address): Address {
  const at = derivedObjectAddress(owner, asset);
  assertObject(session, at, assets.fungibleStore.type);
  return at;
}

const ownerAndAsset = [address, anyObject] as const;

export const primaryFungibleStoreModule = defineModule("0x1::primary_fungible_store", {
  structs: [deriveRefPod],
  functions: [
    view("balance", ownerAndAsset, u64, balanceOf),
    view(
      "is_balance_at_least",
      [...ownerAndAsset, u64],
      bool,
      (session, owner, asset, amount) => balanceOf(session, owner, asset) >= amount,
    ),
    view("is_frozen", ownerAndAsset, bool, (session, owner, asset) =>
      assets.isFrozen(session, derivedObjectAddress(owner, asset)),
    ),
    view("primary_store", ownerAndAsset, object(assets.fungibleStore.type), storeOf),
    view("primary_store_address", ownerAndAsset, address, (_, owner, asset) => derivedObjectAddress(owner, asset)),
    view("primary_store_exists", ownerAndAsset, bool, (session, owner, asset) =>
      session.has(assets.fungibleStore, derivedObjectAddress(owner, asset)),
    ),
    entry("transfer", [signer, anyObject, address, u64], (session, from, asset, to, amount) =>
      transfer(session, asset, from, to, amount),
    ),
  ],
});
