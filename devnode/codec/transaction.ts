import type { Address } from "../../src/chain/address.ts";
import type { TypeTag } from "../../src/chain/type-tag.ts";
import { type Authenticator, readAuthenticator, writeAuthenticator } from "./authenticator.ts";
import { BcsError, type Decoded, decodeBcs, encodeBcs, type Reader, type Writer } from "./bcs.ts";
import type { EntryFunctionId } from "./entry-function-id.ts";
import { readIdentifier, readTypeTag, writeTypeTag } from "./type-tag-bcs.ts";

/** What a sender signs. Amounts of gas in units, price in base units per unit, expiry in seconds since the epoch. */
export interface RawTransaction {
  readonly sender: Address;
  readonly sequenceNumber: bigint;
  readonly payload: Payload;
  readonly maxGasAmount: bigint;
  readonly gasUnitPrice: bigint;
  readonly expirationTimestampSecs: bigint;
  readonly chainId: number;
}

export interface SignedTransaction {
  readonly raw: RawTransaction;
  readonly authenticator: Authenticator;
}

/** A call of a published function; each argument is the BCS of its value. */
export interface EntryFunction {
  readonly id: EntryFunctionId;
  readonly typeArguments: readonly TypeTag[];
  readonly arguments: readonly Uint8Array[];
}

export type ScriptArgument =
  | { readonly kind: "u8" | "u16" | "u32"; readonly value: number }
  | { readonly kind: "u64" | "u128" | "u256"; readonly value: bigint }
  | { readonly kind: "address"; readonly value: Address }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "u8_vector" | "serialized"; readonly value: Uint8Array };

export type Payload =
  | {
      readonly kind: "script";
      readonly code: Uint8Array;
      readonly typeArguments: readonly TypeTag[];
      readonly arguments: readonly ScriptArgument[];
    }
  | { readonly kind: "entry_function"; readonly entryFunction: EntryFunction }
  /** Without a call of its own: whatever the account's owners have stored. */
  | { readonly kind: "multisig"; readonly multisigAddress: Address; readonly entryFunction: EntryFunction | null };

/** Variant numbers of the payload; the second was retired and is refused by name. */
const [SCRIPT, MODULE_BUNDLE, ENTRY_FUNCTION, MULTISIG] = [0, 1, 2, 3] as const;
const PAYLOAD_VARIANTS = 4;
/** Variant numbers of a script's argument, in the order in which they were added to the format. */
const SCRIPT_ARGUMENTS = [
  "u8",
  "u64",
  "u128",
  "address",
  "u8_vector",
  "bool",
  "u16",
  "u32",
  "u256",
  "serialized",
] as const;

export function decodeSignedTransaction(bytes: Uint8Array): Decoded<SignedTransaction> {
  return decodeBcs(bytes, readSignedTransaction);
}

export function encodeSignedTransaction(signed: SignedTransaction): Uint8Array {
  return encodeBcs((writer) => writeSignedTransaction(writer, signed));
}

export function decodeRawTransaction(bytes: Uint8Array): Decoded<RawTransaction> {
  return decodeBcs(bytes, readRawTransaction);
}

export function encodeRawTransaction(raw: RawTransaction): Uint8Array {
  return encodeBcs((writer) => writeRawTransaction(writer, raw));
}

export function readSignedTransaction(reader: Reader): SignedTransaction {
  return { raw: readRawTransaction(reader), authenticator: readAuthenticator(reader) };
}

function writeSignedTransaction(writer: Writer, { raw, authenticator }: SignedTransaction): void {
  writeRawTransaction(writer, raw);
  writeAuthenticator(writer, authenticator);
}

function readRawTransaction(reader: Reader): RawTransaction {
  return {
    sender: reader.address(),
    sequenceNumber: reader.u64(),
    payload: readPayload(reader),
    maxGasAmount: reader.u64(),
    gasUnitPrice: reader.u64(),
    expirationTimestampSecs: reader.u64(),
    chainId: reader.u8(),
  };
}

function writeRawTransaction(writer: Writer, raw: RawTransaction): void {
  writer.address(raw.sender).u64(raw.sequenceNumber);
  writePayload(writer, raw.payload);
  writer.u64(raw.maxGasAmount).u64(raw.gasUnitPrice).u64(raw.expirationTimestampSecs).u8(raw.chainId);
}

export function readPayload(reader: Reader): Payload {
  const variant = reader.variant(PAYLOAD_VARIANTS);
  switch (variant) {
    case SCRIPT:
      return {
        kind: "script",
        code: reader.octets(),
        typeArguments: reader.vector(readTypeTag),
        arguments: reader.vector(readScriptArgument),
      };
    case MODULE_BUNDLE:
      throw new BcsError("Module bundle payload has been removed");
    case ENTRY_FUNCTION:
      return { kind: "entry_function", entryFunction: readEntryFunction(reader) };
    default:
      return {
        kind: "multisig",
        multisigAddress: reader.address(),
        entryFunction: reader.option((inner) => {
          inner.variant(1);
          return readEntryFunction(inner);
        }),
      };
  }
}

export function writePayload(writer: Writer, payload: Payload): void {
  switch (payload.kind) {
    case "script":
      writer.uleb(SCRIPT).octets(payload.code).vector(payload.typeArguments, writeTypeTag);
      writer.vector(payload.arguments, writeScriptArgument);
      return;
    case "entry_function":
      writeEntryFunction(writer.uleb(ENTRY_FUNCTION), payload.entryFunction);
      return;
    case "multisig":
      writer.uleb(MULTISIG).address(payload.multisigAddress);
      writer.option(payload.entryFunction, (inner, call) => writeEntryFunction(inner.uleb(0), call));
      return;
  }
}

export function readEntryFunction(reader: Reader): EntryFunction {
  const id = { address: reader.address(), module: readIdentifier(reader), name: readIdentifier(reader) };
  return { id, typeArguments: reader.vector(readTypeTag), arguments: reader.vector((inner) => inner.octets()) };
}

export function writeEntryFunction(writer: Writer, call: EntryFunction): void {
  writer.address(call.id.address).string(call.id.module).string(call.id.name);
  writer.vector(call.typeArguments, writeTypeTag);
  writer.vector(call.arguments, (inner, argument) => inner.octets(argument));
}

function readScriptArgument(reader: Reader): ScriptArgument {
  const kind = SCRIPT_ARGUMENTS[reader.variant(SCRIPT_ARGUMENTS.length)] ?? "u8";
  switch (kind) {
    case "u8":
      return { kind, value: reader.u8() };
    case "u16":
      return { kind, value: reader.u16() };
    case "u32":
      return { kind, value: reader.u32() };
    case "u64":
      return { kind, value: reader.u64() };
    case "u128":
      return { kind, value: reader.u128() };
    case "u256":
      return { kind, value: reader.u256() };
    case "address":
      return { kind, value: reader.address() };
    case "bool":
      return { kind, value: reader.bool() };
    case "u8_vector":
    case "serialized":
      return { kind, value: reader.octets() };
  }
}

function writeScriptArgument(writer: Writer, argument: ScriptArgument): void {
  writer.uleb(SCRIPT_ARGUMENTS.indexOf(argument.kind));
  switch (argument.kind) {
    case "u8":
    case "u16":
    case "u32":
      writer[argument.kind](argument.value);
      return;
    case "u64":
    case "u128":
    case "u256":
      writer[argument.kind](argument.value);
      return;
    case "address":
      writer.address(argument.value);
      return;
    case "bool":
      writer.bool(argument.value);
      return;
    case "u8_vector":
    case "serialized":
      writer.octets(argument.value);
      return;
  }
}
