import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { account, createAccount, newStreams } from "./account.ts";
import { NATIVE_COIN } from "./addresses.ts";
import * as coins from "./coin-state.ts";
import { defineModule, entry, signer, typeName, view } from "./define.ts";
import { emitOn, handlesOf } from "./event.ts";
import { metadata } from "./fungible-asset-state.ts";
import * as primaryStores from "./primary-fungible-store.ts";
import { address, bool, object, structsOf, u64, vector } from "./schema.ts";

const declare = structsOf("0x1::aptos_account");
const configUpdatedEvent = declare("DirectCoinTransferConfigUpdatedEvent", ["drop", "store"], {
  new_allow_direct_transfers: bool,
});
const streams = { update_coin_transfer_events: configUpdatedEvent };
const directTransferConfig = declare("DirectTransferConfig", ["key"], {
  allow_arbitrary_coin_transfers: bool,
  ...handlesOf(streams),
});

const abort = aborts("0x1::aptos_account", {
  EACCOUNT_DOES_NOT_ACCEPT_DIRECT_COIN_TRANSFERS: [
    3,
    "Account opted out of receiving coins that they did not register to receive.",
  ],
  EMISMATCHING_RECIPIENTS_AND_AMOUNTS_LENGTH: [5, "The lengths of the recipients and amounts lists don't match."],
});

/** An account that can receive the native coin. */
function createNativeAccount(session: Session, owner: Address): void {
  createAccount(session, owner);
  coins.register(session, NATIVE_COIN, owner);
}

/** Sends the native coin; creates the recipient if necessary. */
export function transferNative(session: Session, from: Address, to: Address, amount: bigint): void {
  if (!session.has(account, to)) createNativeAccount(session, to);
  coins.register(session, NATIVE_COIN, to);
  coins.transfer(session, NATIVE_COIN, from, to, amount);
}

/** Sends any coin; creates the recipient if necessary and registers it unless it opted out. */
function transferCoins(session: Session, type: string, from: Address, to: Address, amount: bigint): void {
  coins.withdraw(session, type, from, amount);
  if (!session.has(account, to)) createNativeAccount(session, to);
  if (!coins.isRegistered(session, type, to)) {
    if (!acceptsAnyCoin(session, to))
      throw abort("permission_denied", "EACCOUNT_DOES_NOT_ACCEPT_DIRECT_COIN_TRANSFERS");
    coins.register(session, type, to);
  }
  coins.deposit(session, type, to, amount);
}

/** Sends a fungible asset; creates the recipient if necessary. */
function transferAssets(session: Session, from: Address, asset: Address, to: Address, amount: bigint): void {
  if (!session.has(account, to)) createNativeAccount(session, to);
  primaryStores.transfer(session, asset, from, to, amount);
}

function acceptsAnyCoin(session: Session, owner: Address): boolean {
  return session.find(directTransferConfig, owner)?.allow_arbitrary_coin_transfers ?? true;
}

function setAcceptsAnyCoin(session: Session, owner: Address, allow: boolean): void {
  const found = session.find(directTransferConfig, owner);
  if (found?.allow_arbitrary_coin_transfers === allow) return;
  const config = { ...(found ?? newStreams(session, owner, streams)), allow_arbitrary_coin_transfers: allow };
  const event = { new_allow_direct_transfers: allow };
  session.put(directTransferConfig, owner, emitOn(session, streams, config, "update_coin_transfer_events", event));
}

/** Pairs recipients with amounts, or aborts when the lists differ in length. */
function pairs(recipients: readonly Address[], amounts: readonly bigint[]): readonly [Address, bigint][] {
  if (recipients.length !== amounts.length)
    throw abort("invalid_argument", "EMISMATCHING_RECIPIENTS_AND_AMOUNTS_LENGTH");
  return recipients.map((to, index) => [to, amounts[index] ?? 0n]);
}

export const aptosAccountModule = defineModule("0x1::aptos_account", {
  friends: ["genesis", "resource_account", "transaction_fee", "transaction_validation"],
  structs: [configUpdatedEvent, directTransferConfig],
  functions: [
    entry("batch_transfer", [signer, vector(address), vector(u64)], (session, from, recipients, amounts) => {
      for (const [to, amount] of pairs(recipients, amounts)) transferNative(session, from, to, amount);
    }),
    entry(
      "batch_transfer_coins",
      [typeName, signer, vector(address), vector(u64)],
      (session, type, from, recipients, amounts) => {
        for (const [to, amount] of pairs(recipients, amounts)) transferCoins(session, type, from, to, amount);
      },
    ),
    entry(
      "batch_transfer_fungible_assets",
      [signer, object(metadata.type), vector(address), vector(u64)],
      (session, from, asset, recipients, amounts) => {
        for (const [to, amount] of pairs(recipients, amounts)) transferAssets(session, from, asset, to, amount);
      },
    ),
    view("can_receive_direct_coin_transfers", [address], bool, acceptsAnyCoin),
    entry("create_account", [address], createNativeAccount),
    entry("set_allow_direct_coin_transfers", [signer, bool], setAcceptsAnyCoin),
    entry("transfer", [signer, address, u64], transferNative),
    entry("transfer_coins", [typeName, signer, address, u64], transferCoins),
    entry("transfer_fungible_assets", [signer, object(metadata.type), address, u64], transferAssets),
  ],
});
