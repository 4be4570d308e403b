import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { FRAMEWORK } from "./addresses.ts";
import { entry, type ModuleDefinition, signer, view } from "./define.ts";
import * as assets from "./fungible-asset-state.ts";
import { assertObject, createObject, derivedObjectAddress, deriveRef } from "./object-state.ts";
import { address, bool, object, struct, u64 } from "./schema.ts";

/** Marks an asset whose owners each have a store at a derived address. */
const deriveRefPod = struct<{ readonly metadata_derive_ref: { readonly self: Address } }>(
  "0x1::primary_fungible_store::DeriveRefPod",
  { abilities: ["key"] },
  { metadata_derive_ref: deriveRef },
);

/** Publishes an asset with primary stores. The object must exist. */
export function createAsset(session: Session, asset: Address, maximum: bigint | null, metadata: assets.Metadata): void {
  session.put(assets.metadata, asset, metadata);
  session.put(assets.supply, asset, { current: 0n, maximum });
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

function transfer(session: Session, asset: Address, from: Address, to: Address, amount: bigint): void {
  const source = ensureStore(session, from, asset);
  const target = ensureStore(session, to, asset);
  assets.deposit(session, assets.withdraw(session, from, source, amount), target, amount);
}

function balance(session: Session, owner: Address, asset: Address): bigint {
  return session.find(assets.fungibleStore, derivedObjectAddress(owner, asset))?.balance ?? 0n;
}

/** The store's address as an object; aborts when it does not exist. */
function storeOf(session: Session, owner: Address, asset: Address): Address {
  const at = derivedObjectAddress(owner, asset);
  assertObject(session, at, assets.fungibleStore.type);
  return at;
}

const ofKey = { generics: [["key"]] } as const;
const holding = [address, object("T0")] as const;

export const primaryFungibleStoreModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "primary_fungible_store",
  friends: [],
  structs: [deriveRefPod],
  functions: [
    view("balance", ofKey, holding, [u64], ({ session }, owner, asset) => [balance(session, owner, asset)]),
    view("is_balance_at_least", ofKey, [...holding, u64], [bool], ({ session }, owner, asset, amount) => [
      balance(session, owner, asset) >= amount,
    ]),
    view("is_frozen", ofKey, holding, [bool], ({ session }, owner, asset) => [
      session.find(assets.fungibleStore, derivedObjectAddress(owner, asset))?.frozen ?? false,
    ]),
    view("primary_store", ofKey, holding, [object(assets.fungibleStore.type)], ({ session }, owner, asset) => [
      storeOf(session, owner, asset),
    ]),
    view("primary_store_address", ofKey, holding, [address], (_call, owner, asset) => [
      derivedObjectAddress(owner, asset),
    ]),
    view("primary_store_exists", ofKey, holding, [bool], ({ session }, owner, asset) => [
      session.has(assets.fungibleStore, derivedObjectAddress(owner, asset)),
    ]),
    entry("transfer", ofKey, [signer, object("T0"), address, u64], ({ session }, from, asset, to, amount) =>
      transfer(session, asset, from, to, amount),
    ),
  ],
};
