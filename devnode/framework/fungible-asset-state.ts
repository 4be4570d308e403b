import type { Address } from "../../src/chain/address.ts";
import { executionFailure } from "../vm/execution-error.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { owns } from "./object-state.ts";
import { address, bool, object, option, string, struct, u8, u64, u128 } from "./schema.ts";

export interface Metadata {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly icon_uri: string;
  readonly project_uri: string;
}

interface Supply {
  readonly current: bigint;
  /** null: without limit. */
  readonly maximum: bigint | null;
}

interface FungibleStore {
  readonly metadata: Address;
  readonly balance: bigint;
  readonly frozen: boolean;
}

export const metadata = struct<Metadata>(
  "0x1::fungible_asset::Metadata",
  { abilities: ["copy", "drop", "key"] },
  { name: string, symbol: string, decimals: u8, icon_uri: string, project_uri: string },
);
export const supply = struct<Supply>(
  "0x1::fungible_asset::Supply",
  { abilities: ["key"] },
  { current: u128, maximum: option(u128) },
);
export const fungibleStore = struct<FungibleStore>(
  "0x1::fungible_asset::FungibleStore",
  { abilities: ["key"] },
  { metadata: object(metadata.type), balance: u64, frozen: bool },
);

const movement = (name: string) =>
  struct<{ readonly store: Address; readonly amount: bigint }>(
    `0x1::fungible_asset::${name}`,
    { abilities: ["drop", "store"], event: true },
    { store: address, amount: u64 },
  );
export const depositEvent = movement("Deposit");
export const withdrawEvent = movement("Withdraw");
export const frozenEvent = struct<{ readonly store: Address; readonly frozen: boolean }>(
  "0x1::fungible_asset::Frozen",
  { abilities: ["drop", "store"], event: true },
  { store: address, frozen: bool },
);

const ref = (name: string) =>
  struct<{ readonly metadata: Address }>(
    `0x1::fungible_asset::${name}`,
    { abilities: ["drop", "store"] },
    { metadata: object(metadata.type) },
  );
export const mintRef = ref("MintRef");
export const transferRef = ref("TransferRef");
export const burnRef = ref("BurnRef");

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

export function storeAt(session: Session, store: Address): FungibleStore {
  const found = session.find(fungibleStore, store);
  if (found === undefined) throw fungibleAssetAbort("not_found", "EFUNGIBLE_STORE_EXISTENCE");
  return found;
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
  const found = session.find(supply, asset);
  if (found === undefined) throw fungibleAssetAbort("not_found", "ESUPPLY_NOT_FOUND");
  const current = found.current + amount;
  if (current < 0n) throw fungibleAssetAbort("invalid_state", "ESUPPLY_UNDERFLOW");
  if (found.maximum !== null && current > found.maximum)
    throw fungibleAssetAbort("out_of_range", "EMAX_SUPPLY_EXCEEDED");
  session.put(supply, asset, { ...found, current });
}
