import type { Address } from "../../src/chain/address.ts";
import { executionFailure } from "../vm/execution-error.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { owns } from "./object-state.ts";
import { address, bool, object, option, string, structsOf, u8, u64, u128, type ValueOf } from "./schema.ts";

const declare = structsOf("0x1::fungible_asset");
export const metadata = declare("Metadata", ["copy", "drop", "key"], {
  name: string,
  symbol: string,
  decimals: u8,
  icon_uri: string,
  project_uri: string,
});
export type Metadata = ValueOf<typeof metadata>;
/** Without a maximum the supply is unlimited. */
export const supply = declare("Supply", ["key"], { current: u128, maximum: option(u128) });
export const fungibleStore = declare("FungibleStore", ["key"], {
  metadata: object(metadata.type),
  balance: u64,
  frozen: bool,
});

const event = { event: true } as const;
export const depositEvent = declare("Deposit", ["drop", "store"], { store: address, amount: u64 }, event);
export const withdrawEvent = declare("Withdraw", ["drop", "store"], { store: address, amount: u64 }, event);
export const frozenEvent = declare("Frozen", ["drop", "store"], { store: address, frozen: bool }, event);

const ref = { metadata: object(metadata.type) };
export const mintRef = declare("MintRef", ["drop", "store"], ref);
export const transferRef = declare("TransferRef", ["drop", "store"], ref);
export const burnRef = declare("BurnRef", ["drop", "store"], ref);

const fungibleAssetAbort = aborts("0x1::fungible_asset", {
  ESTORE_IS_FROZEN: [3, "Store is disabled from sending and receiving this fungible asset."],
  EINSUFFICIENT_BALANCE: [4, "Insufficient balance to withdraw or transfer."],
  EMAX_SUPPLY_EXCEEDED: [5, "The fungible asset's supply has exceeded maximum."],
  ENOT_STORE_OWNER: [8, "Account is not the store's owner."],
  EFUNGIBLE_ASSET_AND_STORE_MISMATCH: [11, "Fungible asset and store do not match."],
  ESUPPLY_UNDERFLOW: [20, "The fungible asset's supply will be negative which should be impossible."],
  ESUPPLY_NOT_FOUND: [21, "Supply resource is not found for a metadata object."],
  EFUNGIBLE_STORE_EXISTENCE: [23, "Flag for the existence of fungible store."],
});

export function storeAt(session: Session, store: Address): ValueOf<typeof fungibleStore> {
  return session.get(fungibleStore, store, () => fungibleAssetAbort("not_found", "EFUNGIBLE_STORE_EXISTENCE"));
}

/** Balance of a store in base units; 0 when there is none. */
export function balanceIn(session: Session, store: Address): bigint {
  return session.find(fungibleStore, store)?.balance ?? 0n;
}

export function isFrozen(session: Session, store: Address): boolean {
  return session.find(fungibleStore, store)?.frozen ?? false;
}

/** Withdraws `amount` from a store of `owner`; returns its asset. */
export function withdraw(session: Session, owner: Address, store: Address, amount: bigint): Address {
  if (!owns(session, store, owner)) throw fungibleAssetAbort("permission_denied", "ENOT_STORE_OWNER");
  if (storeAt(session, store).frozen) throw fungibleAssetAbort("permission_denied", "ESTORE_IS_FROZEN");
  return takeOut(session, store, amount);
}

/** As {@link withdraw}, but for any owner and even from a frozen store, as the owner of a ref may. */
export function takeOut(session: Session, store: Address, amount: bigint): Address {
  const found = storeAt(session, store);
  if (found.balance < amount) throw fungibleAssetAbort("invalid_argument", "EINSUFFICIENT_BALANCE");
  if (amount > 0n) {
    session.put(fungibleStore, store, { ...found, balance: found.balance - amount });
    session.emit(withdrawEvent, { store, amount });
  }
  return found.metadata;
}

export function deposit(session: Session, asset: Address, store: Address, amount: bigint): void {
  const found = storeAt(session, store);
  if (found.frozen) throw fungibleAssetAbort("permission_denied", "ESTORE_IS_FROZEN");
  if (found.metadata !== asset) throw fungibleAssetAbort("invalid_argument", "EFUNGIBLE_ASSET_AND_STORE_MISMATCH");
  if (amount === 0n) return;
  const balance = found.balance + amount;
  if (balance >= 2n ** 64n)
    throw executionFailure(
      "ARITHMETIC_ERROR",
      "0x1::fungible_asset::unchecked_deposit_with_no_events",
      38,
      "the balance does not fit",
    );
  session.put(fungibleStore, store, { ...found, balance });
  session.emit(depositEvent, { store, amount });
}

/** Changes the supply of an asset by a signed amount, within zero and its maximum. */
export function countSupply(session: Session, asset: Address, amount: bigint): void {
  if (amount === 0n) return;
  const found = session.get(supply, asset, () => fungibleAssetAbort("not_found", "ESUPPLY_NOT_FOUND"));
  const current = found.current + amount;
  if (current < 0n) throw fungibleAssetAbort("invalid_state", "ESUPPLY_UNDERFLOW");
  if (found.maximum !== null && current > found.maximum)
    throw fungibleAssetAbort("out_of_range", "EMAX_SUPPLY_EXCEEDED");
  session.put(supply, asset, { ...found, current });
}
