import { parseU64 } from "../../src/chain/integer.ts";
import { parseTypeTag, type TypeTag } from "../../src/chain/type-tag.ts";
import { decodeBcs } from "./bcs-reader.ts";
import { argumentsFromJson, type ModuleInterfaces } from "./call-arguments.ts";
import { parseEntryFunctionId } from "./entry-function-id.ts";
import {
  type JsonObject,
  type Read,
  RequestError,
  readAddress,
  readArray,
  readField,
  readHex,
  readObject,
  readText,
  tryRead,
} from "./json-request.ts";
import { preview } from "./preview.ts";
import { readSignature } from "./signature-json.ts";
import { signingMessage } from "./signing.ts";
import {
  type EntryFunction,
  encodeSignedTransaction,
  type Payload,
  type RawTransaction,
  signedTransaction,
} from "./transaction.ts";

/** BCS of a JSON request with its signature, which may be zeroed (simulation). */
export function signedTransactionFromJson(
  value: unknown,
  chainId: number,
  interfaces: ModuleInterfaces,
): Read<Uint8Array> {
  return tryRead(() => {
    const request = readObject(value, "SubmitTransactionRequest");
    const raw = readRaw(request, chainId, interfaces);
    return encodeSignedTransaction({ raw, authenticator: readSignature(readField(request, "signature")) });
  });
}

/** The bytes to sign for a JSON request; `secondary_signers`, even empty, makes it a multi-agent message. */
export function signingMessageFromJson(
  value: unknown,
  chainId: number,
  interfaces: ModuleInterfaces,
): Read<Uint8Array> {
  return tryRead(() => {
    const request = readObject(value, "EncodeSubmissionRequest");
    const raw = readRaw(request, chainId, interfaces);
    const signers = request["secondary_signers"];
    if (signers === undefined || signers === null) return signingMessage(raw, { kind: "plain" });
    const secondaryAddresses = readArray(signers, "secondary_signers").map(readAddress);
    return signingMessage(raw, { kind: "multi_agent", secondaryAddresses });
  });
}

export type SplitBatch =
  | { readonly kind: "split"; readonly list: readonly Uint8Array[] }
  | { readonly kind: "malformed"; readonly message: string };

/** Splits a BCS vector of signed transactions into the bytes of each, unchanged. */
export function splitBatch(bytes: Uint8Array): SplitBatch {
  const decoded = decodeBcs(bytes, (reader) =>
    reader.vector((inner) => {
      const start = inner.offset;
      signedTransaction.read(inner);
      return inner.since(start);
    }),
  );
  return decoded.kind === "decoded" ? { kind: "split", list: decoded.value } : decoded;
}

function readRaw(request: JsonObject, chainId: number, interfaces: ModuleInterfaces): RawTransaction {
  // Sequence-numbered transactions only: ignoring the nonce would sign a different transaction.
  const unsupported = "`replay_protection_nonce` is not supported by this chain; use `sequence_number`";
  if ((request["replay_protection_nonce"] ?? null) !== null) throw new RequestError("invalid", unsupported);
  return {
    sender: readAddress(readField(request, "sender")),
    sequenceNumber: readU64(request, "sequence_number"),
    maxGasAmount: readU64(request, "max_gas_amount"),
    gasUnitPrice: readU64(request, "gas_unit_price"),
    expirationTimestampSecs: readU64(request, "expiration_timestamp_secs"),
    payload: readPayload(readObject(readField(request, "payload"), "TransactionPayload"), interfaces),
    chainId,
  };
}

function readU64(request: JsonObject, name: string): bigint {
  const text = readText(readField(request, name), name);
  const value = parseU64(text);
  if (value === undefined) throw new RequestError("malformed", `\`${name}\` is not a U64: ${preview(text)}`);
  return value;
}

function readPayload(payload: JsonObject, interfaces: ModuleInterfaces): Payload {
  const type = readText(readField(payload, "type"), "type");
  switch (type) {
    case "entry_function_payload":
      return { kind: "entry_function", entryFunction: readEntryFunction(payload, interfaces) };
    case "multisig_payload": {
      const inner = payload["transaction_payload"] ?? null;
      return {
        kind: "multisig",
        multisigAddress: readAddress(readField(payload, "multisig_address")),
        entryFunction: inner === null ? null : readEntryFunction(readObject(inner, "transaction_payload"), interfaces),
      };
    }
    case "script_payload": {
      const code = readHex(readField(readObject(readField(payload, "code"), "code"), "bytecode"), "bytecode");
      if (code.length === 0) throw new RequestError("invalid", "Script payload bytecode must not be empty");
      const typeArguments = readTypeArguments(readField(payload, "type_arguments"));
      // Only the bytecode has their types, and the chain runs no script. Bytes without them would be another transaction.
      if (readArray(readField(payload, "arguments"), "arguments").length > 0)
        throw new RequestError("invalid", "Script arguments cannot be encoded: this node runs no scripts");
      return { kind: "script", code, typeArguments, arguments: [] };
    }
    case "module_bundle_payload":
      throw new RequestError("invalid", "Module bundle payload has been removed");
    default:
      throw new RequestError("malformed", `unknown payload type ${preview(type)}`);
  }
}

function readEntryFunction(payload: JsonObject, interfaces: ModuleInterfaces): EntryFunction {
  return readCall(payload, interfaces, "entry", "Failed to parse transaction payload: ");
}

/** A call by its function, type arguments and arguments; `context` begins the error of an argument. */
export function readCall(
  json: JsonObject,
  interfaces: ModuleInterfaces,
  kind: "entry" | "view",
  context = "",
): EntryFunction {
  const text = readText(readField(json, "function"), "function");
  const id = parseEntryFunctionId(text);
  if (id === undefined) throw new RequestError("malformed", `invalid entry function id: ${text.slice(0, 200)}`);
  const typeArguments = readTypeArguments(readField(json, "type_arguments"));
  const values = readArray(readField(json, "arguments"), "arguments");
  const encoded = tryRead(() => argumentsFromJson(id, typeArguments, values, interfaces, kind));
  if (encoded.kind !== "read") throw new RequestError("invalid", context + encoded.message);
  return { id, typeArguments, arguments: encoded.value };
}

function readTypeArguments(value: unknown): TypeTag[] {
  return readArray(value, "type_arguments").map((text) => {
    const tag = typeof text === "string" ? parseTypeTag(text) : undefined;
    if (tag !== undefined) return tag;
    const given = typeof text === "string" ? text.slice(0, 200) : preview(text);
    throw new RequestError("invalid", `invalid Move type: ${given}`);
  });
}
