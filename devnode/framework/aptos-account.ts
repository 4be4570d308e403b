import type { Address } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { account, createAccount, newEventHandle } from "./account.ts";
import { FRAMEWORK, NATIVE_COIN } from "./addresses.ts";
import * as coins from "./coin-state.ts";
import { entry, type ModuleDefinition, signer, view } from "./define.ts";
import { type EventHandle, emitEvent, eventHandle } from "./event.ts";
import { address, bool, struct, u64, vector } from "./schema.ts";

interface DirectTransferConfig {
  readonly allow_arbitrary_coin_transfers: boolean;
  readonly update_coin_transfer_events: EventHandle;
}

const configUpdatedEvent = struct<{ readonly new_allow_direct_transfers: boolean }>(
  "0x1::aptos_account::DirectCoinTransferConfigUpdatedEvent",
  { abilities: ["drop", "store"] },
  { new_allow_direct_transfers: bool },
);

const directTransferConfig = struct<DirectTransferConfig>(
  "0x1::aptos_account::DirectTransferConfig",
  { abilities: ["key"] },
  { allow_arbitrary_coin_transfers: bool, update_coin_transfer_events: eventHandle.of(configUpdatedEvent.type) },
);

const abort = aborts("0x1::aptos_account", {
  EACCOUNT_DOES_NOT_ACCEPT_DIRECT_COIN_TRANSFERS: [
    3,
    "Account opted out of receiving coins that they did not register to receive.",
  ],
  EMISMATCHING_RECIPIENTS_AND_AMOUNTS_LENGTH: [5, "The lengths of the recipients and amounts lists don't match."],
});

/** An account that can receive the native coin. */
export function createNativeAccount(session: Session, owner: Address): void {
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

function acceptsAnyCoin(session: Session, owner: Address): boolean {
  return session.find(directTransferConfig, owner)?.allow_arbitrary_coin_transfers ?? true;
}

function setAcceptsAnyCoin(session: Session, owner: Address, allow: boolean): void {
  const found = session.find(directTransferConfig, owner);
  if (found?.allow_arbitrary_coin_transfers === allow) return;
  const handle = found?.update_coin_transfer_events ?? newEventHandle(session, owner);
  session.put(directTransferConfig, owner, {
    allow_arbitrary_coin_transfers: allow,
    update_coin_transfer_events: emitEvent(session, handle, configUpdatedEvent, { new_allow_direct_transfers: allow }),
  });
}

/** Pairs recipients with amounts, or aborts when the lists differ in length. */
function pairs(recipients: readonly Address[], amounts: readonly bigint[]): readonly [Address, bigint][] {
  if (recipients.length !== amounts.length)
    throw abort("invalid_argument", "EMISMATCHING_RECIPIENTS_AND_AMOUNTS_LENGTH");
  return recipients.map((to, index) => [to, amounts[index] ?? 0n]);
}

export const aptosAccountModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "aptos_account",
  friends: ["genesis", "resource_account", "transaction_fee", "transaction_validation"].map((name) => `0x1::${name}`),
  structs: [configUpdatedEvent, directTransferConfig],
  functions: [
    entry("batch_transfer", {}, [signer, vector(address), vector(u64)], ({ session }, from, recipients, amounts) => {
      for (const [to, amount] of pairs(recipients, amounts)) transferNative(session, from, to, amount);
    }),
    entry(
      "batch_transfer_coins",
      { generics: [[]] },
      [signer, vector(address), vector(u64)],
      ({ session, types: [type] }, from, recipients, amounts) => {
        for (const [to, amount] of pairs(recipients, amounts)) transferCoins(session, type, from, to, amount);
      },
    ),
    view("can_receive_direct_coin_transfers", {}, [address], [bool], ({ session }, owner) => [
      acceptsAnyCoin(session, owner),
    ]),
    entry("create_account", {}, [address], ({ session }, owner) => createNativeAccount(session, owner)),
    entry("set_allow_direct_coin_transfers", {}, [signer, bool], ({ session }, owner, allow) =>
      setAcceptsAnyCoin(session, owner, allow),
    ),
    entry("transfer", {}, [signer, address, u64], ({ session }, from, to, amount) =>
      transferNative(session, from, to, amount),
    ),
    entry(
      "transfer_coins",
      { generics: [[]] },
      [signer, address, u64],
      ({ session, types: [type] }, from, to, amount) => transferCoins(session, type, from, to, amount),
    ),
  ],
};
