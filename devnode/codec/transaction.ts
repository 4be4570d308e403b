import { authenticator } from "./authenticator.ts";
import {
  address,
  bool,
  bytes,
  decode,
  encode,
  onlyVariant,
  option,
  refused,
  struct,
  u8,
  u16,
  u32,
  u64,
  u128,
  u256,
  union,
  type ValueOf,
  vector,
} from "./bcs.ts";
import type { Decoded } from "./bcs-reader.ts";
import { identifier, typeTag } from "./type-tag-bcs.ts";

/**
 * `EntryFunction` (types/src/transaction/script.rs): a call of a published function; an argument is its value's BCS.
 */
export const entryFunction = struct({
  id: struct({ address, module: identifier, name: identifier }),
  typeArguments: vector(typeTag),
  arguments: vector(bytes),
});

/** `MultisigTransactionPayload` (types/src/transaction/multisig.rs): a call is its only variant. */
export const multisigPayload = onlyVariant(entryFunction);

/** `TransactionArgument` of a script, in the order in which the variants were added to the format. */
const scriptArgument = union({
  u8: struct({ value: u8 }),
  u64: struct({ value: u64 }),
  u128: struct({ value: u128 }),
  address: struct({ value: address }),
  u8_vector: struct({ value: bytes }),
  bool: struct({ value: bool }),
  u16: struct({ value: u16 }),
  u32: struct({ value: u32 }),
  u256: struct({ value: u256 }),
  serialized: struct({ value: bytes }),
});

/** `TransactionPayload` (types/src/transaction/mod.rs). */
export const payload = union({
  script: struct({ code: bytes, typeArguments: vector(typeTag), arguments: vector(scriptArgument) }),
  module_bundle: refused("Module bundle payload has been removed"),
  entry_function: struct({ entryFunction }),
  /** Without a call of its own it executes what the account's owners have stored. */
  multisig: struct({ multisigAddress: address, entryFunction: option(multisigPayload) }),
  versioned: refused(
    "this chain does not support versioned payloads, the form of orderless transactions; send a transaction with a sequence number and an entry function payload",
  ),
  encrypted: refused("this chain does not support encrypted payloads"),
});

/**
 * A transaction as its sender signs it. Gas amount in units, price in base units per unit, expiration in seconds since
 * the epoch.
 */
export const rawTransaction = struct({
  sender: address,
  sequenceNumber: u64,
  payload,
  maxGasAmount: u64,
  gasUnitPrice: u64,
  expirationTimestampSecs: u64,
  chainId: u8,
});

export const signedTransaction = struct({ raw: rawTransaction, authenticator });

export type EntryFunction = ValueOf<typeof entryFunction>;
export type ScriptArgument = ValueOf<typeof scriptArgument>;
export type Payload = ValueOf<typeof payload>;
export type RawTransaction = ValueOf<typeof rawTransaction>;
export type SignedTransaction = ValueOf<typeof signedTransaction>;

export function decodeSignedTransaction(signedBytes: Uint8Array): Decoded<SignedTransaction> {
  return decode(signedTransaction, signedBytes);
}

export function encodeSignedTransaction(signed: SignedTransaction): Uint8Array {
  return encode(signedTransaction, signed);
}
