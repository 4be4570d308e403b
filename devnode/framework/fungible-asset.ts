import { FRAMEWORK } from "./addresses.ts";
import { entry, type ModuleDefinition, signer, view } from "./define.ts";
import * as state from "./fungible-asset-state.ts";
import { address, bool, object, option, string, u8, u64, u128 } from "./schema.ts";

const ofKey = { generics: [["key"]] } as const;
const anObject = object("T0");

export const fungibleAssetModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "fungible_asset",
  friends: ["0x1::aptos_account", "0x1::dispatchable_fungible_asset", "0x1::primary_fungible_store"],
  structs: [
    state.burnRef,
    state.depositEvent,
    state.frozenEvent,
    state.fungibleStore,
    state.metadata,
    state.mintRef,
    state.supply,
    state.transferRef,
    state.withdrawEvent,
  ],
  functions: [
    view("balance", ofKey, [anObject], [u64], ({ session }, store) => [
      session.find(state.fungibleStore, store)?.balance ?? 0n,
    ]),
    view("decimals", ofKey, [anObject], [u8], ({ session }, at) => [session.get(state.metadata, at).decimals]),
    view("icon_uri", ofKey, [anObject], [string], ({ session }, at) => [session.get(state.metadata, at).icon_uri]),
    view("is_balance_at_least", ofKey, [anObject, u64], [bool], ({ session }, store, amount) => [
      (session.find(state.fungibleStore, store)?.balance ?? 0n) >= amount,
    ]),
    view("is_frozen", ofKey, [anObject], [bool], ({ session }, store) => [
      session.find(state.fungibleStore, store)?.frozen ?? false,
    ]),
    view("maximum", ofKey, [anObject], [option(u128)], ({ session }, at) => [
      session.find(state.supply, at)?.maximum ?? null,
    ]),
    view("metadata", ofKey, [anObject], [state.metadata], ({ session }, at) => [session.get(state.metadata, at)]),
    view("name", ofKey, [anObject], [string], ({ session }, at) => [session.get(state.metadata, at).name]),
    view("project_uri", ofKey, [anObject], [string], ({ session }, at) => [
      session.get(state.metadata, at).project_uri,
    ]),
    view("store_exists", {}, [address], [bool], ({ session }, store) => [session.has(state.fungibleStore, store)]),
    view("store_metadata", ofKey, [anObject], [object(state.metadata.type)], ({ session }, store) => [
      state.storeAt(session, store).metadata,
    ]),
    view("supply", ofKey, [anObject], [option(u128)], ({ session }, at) => [
      session.find(state.supply, at)?.current ?? null,
    ]),
    view("symbol", ofKey, [anObject], [string], ({ session }, at) => [session.get(state.metadata, at).symbol]),
    entry("transfer", ofKey, [signer, anObject, anObject, u64], ({ session }, sender, from, to, amount) => {
      const asset = state.withdraw(session, sender, from, amount);
      state.deposit(session, asset, to, amount);
    }),
  ],
};
