import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { anyObject, defineModule, entry, signer, view } from "./define.ts";
import * as state from "./fungible-asset-state.ts";
import { address, bool, object, option, type Schema, string, u8, u64, u128 } from "./schema.ts";

/** Reads one field of an asset's metadata. */
const reads = <T>(name: string, result: Schema<T>, read: (metadata: state.Metadata) => T) =>
  view(name, [anyObject], result, (session, at) => read(session.get(state.metadata, at)));

function transfer(session: Session, sender: Address, from: Address, to: Address, amount: bigint): void {
  const asset = state.withdraw(session, sender, from, amount);
  state.deposit(session, asset, to, amount);
}

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
    view("balance", [anyObject], u64, state.balanceIn),
    reads("decimals", u8, ({ decimals }) => decimals),
    reads("icon_uri", string, ({ icon_uri }) => icon_uri),
    view(
      "is_balance_at_least",
      [anyObject, u64],
      bool,
      (session, store, amount) => state.balanceIn(session, store) >= amount,
    ),
    view("is_frozen", [anyObject], bool, state.isFrozen),
    view("maximum", [anyObject], option(u128), (session, at) => session.find(state.supply, at)?.maximum ?? null),
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
    view("supply", [anyObject], option(u128), (session, at) => session.find(state.supply, at)?.current ?? null),
    reads("symbol", string, ({ symbol }) => symbol),
    entry("transfer", [signer, anyObject, anyObject, u64], transfer),
  ],
});
