import { sha3_256 } from "@noble/hashes/sha3.js";
import { type Address, addressBytes, addressOfBytes } from "../../src/chain/address.ts";
import type { Session } from "../vm/session.ts";
import { aborts } from "./abort.ts";
import { FRAMEWORK, fixedAddress, VM } from "./addresses.ts";
import { type EventHandle, emitOn, handlesOf, newHandle, newHandles, type Streams } from "./event.ts";
import { address, bytes, option, structsOf, u64, type ValueOf } from "./schema.ts";
import { typeInfo, typeInfoOf } from "./type-info.ts";

const declare = structsOf("0x1::account");
export const coinRegisterEvent = declare("CoinRegisterEvent", ["drop", "store"], { type_info: typeInfo });
export const keyRotationEvent = declare("KeyRotationEvent", ["drop", "store"], {
  old_authentication_key: bytes,
  new_authentication_key: bytes,
});
export const capabilityOffer = declare("CapabilityOffer", ["store"], { for: option(address) }, { phantom: [[]] });
export const rotationCapability = declare("RotationCapability", ["drop", "store"], { account: address });
export const signerCapability = declare("SignerCapability", ["drop", "store"], { account: address });
export const accountStreams = { coin_register_events: coinRegisterEvent, key_rotation_events: keyRotationEvent };
export const account = declare("Account", ["store", "key"], {
  authentication_key: bytes,
  sequence_number: u64,
  guid_creation_num: u64,
  ...handlesOf(accountStreams),
  rotation_capability_offer: capabilityOffer.of(rotationCapability.type),
  signer_capability_offer: capabilityOffer.of(signerCapability.type),
});

export const accountAbort = aborts("0x1::account", {
  EACCOUNT_ALREADY_EXISTS: [1, "Account already exists"],
  EACCOUNT_DOES_NOT_EXIST: [2, "Account does not exist"],
  EMALFORMED_AUTHENTICATION_KEY: [4, "The provided authentication key has an invalid length"],
  ECANNOT_RESERVED_ADDRESS: [5, "Cannot create account because address is reserved"],
  EWRONG_CURRENT_PUBLIC_KEY: [7, "The current public key does not match the account's authentication key"],
  EINVALID_PROOF_OF_KNOWLEDGE: [
    8,
    "Specified proof of knowledge required to prove ownership of a public key is invalid",
  ],
  EINVALID_SCHEME: [12, "Specified scheme is not recognized"],
  EINVALID_ORIGINATING_ADDRESS: [13, "The address to use as the originating address is not the account's"],
  ENEW_AUTH_KEY_ALREADY_MAPPED: [
    21,
    "The new authentication key already has an entry in the `OriginatingAddress` table",
  ],
});

const RESERVED: readonly Address[] = [VM, FRAMEWORK, fixedAddress("0x3")];

/** The account, or the abort of a function that needs one. */
export function accountAt(session: Session, owner: Address): ValueOf<typeof account> {
  return session.get(account, owner, () => accountAbort("not_found", "EACCOUNT_DOES_NOT_EXIST"));
}

/** Creates an account whose authentication key is its address. */
export function createAccount(session: Session, owner: Address): void {
  if (RESERVED.includes(owner)) throw accountAbort("invalid_argument", "ECANNOT_RESERVED_ADDRESS");
  createUnchecked(session, owner);
}

/** As {@link createAccount}, for the reserved addresses too: genesis. */
export function createUnchecked(session: Session, owner: Address, authenticationKey = addressBytes(owner)): void {
  if (session.has(account, owner)) throw accountAbort("already_exists", "EACCOUNT_ALREADY_EXISTS");
  session.put(account, owner, newAccount(owner, authenticationKey));
}

/** An account as it is created: two event streams without events, no capability offered. */
export function newAccount(owner: Address, authenticationKey = addressBytes(owner)): ValueOf<typeof account> {
  return {
    authentication_key: authenticationKey,
    sequence_number: 0n,
    guid_creation_num: 2n,
    coin_register_events: newHandle(0n, owner),
    key_rotation_events: newHandle(1n, owner),
    rotation_capability_offer: { for: null },
    signer_capability_offer: { for: null },
  };
}

const RESOURCE_ACCOUNT_SCHEME = 255;

/** Address of an account that a module creates, as `account::create_resource_address`. */
export function resourceAccountAddress(source: Address, seed: Uint8Array): Address {
  return addressOfBytes(sha3_256(Uint8Array.of(...addressBytes(source), ...seed, RESOURCE_ACCOUNT_SCHEME)));
}

/** An account without a key; the owner of its signer capability (the module that created it) acts for it. */
export function createResourceAccount(session: Session, at: Address): void {
  createUnchecked(session, at, new Uint8Array(32));
  session.put(account, at, { ...session.get(account, at), signer_capability_offer: { for: at } });
}

/** A new event stream of the account, numbered by the account's own counter. */
function newStream(session: Session, owner: Address): EventHandle {
  const found = accountAt(session, owner);
  session.put(account, owner, { ...found, guid_creation_num: found.guid_creation_num + 1n });
  return newHandle(found.guid_creation_num, owner);
}

/** New event streams of the account for all handles of a resource. */
export function newStreams<S extends Streams>(session: Session, owner: Address, streams: S) {
  return newHandles(streams, () => newStream(session, owner));
}

export function emitCoinRegister(session: Session, owner: Address, coinType: string): void {
  const event = { type_info: typeInfoOf(coinType) };
  const found = accountAt(session, owner);
  session.put(account, owner, emitOn(session, accountStreams, found, "coin_register_events", event));
}

export function incrementSequenceNumber(session: Session, owner: Address): void {
  const found = accountAt(session, owner);
  session.put(account, owner, { ...found, sequence_number: found.sequence_number + 1n });
}
