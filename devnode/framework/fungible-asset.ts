import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { NATIVE_ASSET, NATIVE_COIN } from "./addresses.ts";
import { coinLimit, coinSupply } from "./coin.ts";
import { anyObject, defineModule, entry, signer, view } from "./define.ts";
import * as state from "./fungible-asset-state.ts";
import { balanceIn, transferBetween } from "./primary-fungible-store.ts";
import { address, bool, object, option, type Schema, string, u8, u64, u128 } from "./schema.ts";

/** Reads one field of an asset's metadata. */
const reads = <T>(name: string, result: Schema<T>, read: (metadata: state.Metadata) => T) =>
  view(name, [anyObject], result, (session, at) => read(session.get(state.metadata, at)));

/** The native asset has no counter of its own: the coin's counts every unit once, in either form. */
function supplyOf(session: Session, asset: Address): bigint | null {
  return asset === NATIVE_ASSET
    ? coinSupply(session, NATIVE_COIN)
    : (session.find(state.supply, asset)?.current ?? null);
}

function maximumOf(session: Session, asset: Address): bigint | null {
  return asset === NATIVE_ASSET
    ? coinLimit(session, NATIVE_COIN)
    : (session.find(state.supply, asset)?.maximum ?? null);
}

const transfer = entry("transfer", [signer, anyObject, anyObject, u64], transferBetween);
const supply = view("supply", [anyObject], option(u128), supplyOf);
const balance = view("balance", [anyObject], u64, balanceIn);
/** Assets whose transfers run code of their own need published modules: none here does. */
const never = (name: string) => view(name, [anyObject], bool, () => false);

/** Functions that SDKs call for any asset: the same operations as in `fungible_asset`. */
export const dispatchableFungibleAssetModule = defineModule("0x1::dispatchable_fungible_asset", {
  functions: [{ ...balance, name: "derived_balance" }, { ...supply, name: "derived_supply" }, transfer],
});

export const fungibleAssetModule = defineModule("0x1::fungible_asset", {
  friends: ["aptos_account", "dispatchable_fungible_asset", "primary_fungible_store"],
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
    balance,
    reads("decimals", u8, ({ decimals }) => decimals),
    reads("icon_uri", string, ({ icon_uri }) => icon_uri),
    view(
      "is_balance_at_least",
      [anyObject, u64],
      bool,
      (session, store, amount) => balanceIn(session, store) >= amount,
    ),
    view("is_frozen", [anyObject], bool, state.isFrozen),
    never("is_store_dispatchable"),
    never("is_untransferable"),
    view("maximum", [anyObject], option(u128), maximumOf),
    reads("metadata", state.metadata, (metadata) => metadata),
    reads("name", string, ({ name }) => name),
    reads("project_uri", string, ({ project_uri }) => project_uri),
    view("store_exists", [address], bool, (session, store) => session.has(state.fungibleStore, store)),
    view(
      "store_metadata",
      [anyObject],
      object(state.metadata.type),
      (session, store) => state.storeAt(session, store).metadata,
    ),
    supply,
    reads("symbol", string, ({ symbol }) => symbol),
    transfer,
  ],
});
