import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { defineModule, entry, signer, view } from "./define.ts";
import * as assets from "./fungible-asset-state.ts";
import { assertObject, createObject, derivedObjectAddress, namedObjectAddress } from "./object-state.ts";
import { createAsset, ensureStore } from "./primary-fungible-store.ts";
import { address, bool, struct, u64 } from "./schema.ts";

const controller = struct("0xde5::stable_token::Controller", ["key"], {
  issuer: address,
  mint_ref: assets.mintRef,
  transfer_ref: assets.transferRef,
  burn_ref: assets.burnRef,
});

const abort = aborts("0xde5::stable_token", {
  ENOT_ISSUER: [1, "Only the issuer may mint, burn or freeze."],
});

/** The stable token's name among its issuer's objects. */
const SEED = "DUSD";

/** The asset's address, derived from the issuer's. */
export function stableTokenAddress(issuer: Address): Address {
  return namedObjectAddress(issuer, SEED);
}

/** Publishes the stable token, owned by its issuer; nothing is minted yet. */
export function initializeStableToken(session: Session, issuer: Address): void {
  const metadata = stableTokenAddress(issuer);
  createObject(session, metadata, issuer, true);
  session.put(assets.supply, metadata, { current: 0n, maximum: null });
  createAsset(session, metadata, {
    name: "Development Dollar",
    symbol: "DUSD",
    decimals: 6,
    icon_uri: "",
    project_uri: "",
  });
  const reference = { metadata };
  const refs = { mint_ref: reference, transfer_ref: reference, burn_ref: reference };
  session.put(controller, metadata, { issuer, ...refs });
}

/** The issuer's asset; aborts for any other signer. */
function issued(session: Session, issuer: Address): Address {
  const asset = stableTokenAddress(issuer);
  if (session.find(controller, asset)?.issuer !== issuer) throw abort("permission_denied", "ENOT_ISSUER");
  return asset;
}

export function mintStable(session: Session, issuer: Address, to: Address, amount: bigint): void {
  const asset = issued(session, issuer);
  assets.countSupply(session, asset, amount);
  assets.deposit(session, asset, ensureStore(session, to, asset), amount);
}

function burnStable(session: Session, issuer: Address, from: Address, amount: bigint): void {
  const asset = issued(session, issuer);
  const store = derivedObjectAddress(from, asset);
  assertObject(session, store, assets.fungibleStore.type);
  assets.takeOut(session, store, amount);
  assets.countSupply(session, asset, -amount);
}

function setFrozen(session: Session, issuer: Address, owner: Address, frozen: boolean): void {
  const store = ensureStore(session, owner, issued(session, issuer));
  session.put(assets.fungibleStore, store, { ...assets.storeAt(session, store), frozen });
  session.emit(assets.frozenEvent, { store, frozen });
}

export const stableTokenModule = defineModule("0xde5::stable_token", {
  structs: [controller],
  functions: [
    entry("burn", [signer, address, u64], burnStable),
    entry("mint", [signer, address, u64], mintStable),
    entry("set_frozen", [signer, address, bool], setFrozen),
    view("token_address", [address], address, (_, issuer) => stableTokenAddress(issuer)),
  ],
});
